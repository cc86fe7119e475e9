/** Asks Claude through Anthropic's API. */

import { definePlugin, type Host, type LanguageModel } from "cairn-memory";
import { z } from "zod";
import { generateWith } from "../generate-with.ts";
import { libraryFetch } from "../library-fetch.ts";
import { modelOptions, namedModel } from "../named-model.ts";

const name = "anthropic";

const options = modelOptions("https://api.anthropic.com/v1", z.string().min(1));

type Options = z.output<typeof options>;

export default definePlugin({
	name: "language-model-anthropic",
	contract: 1,
	options,
	...namedModel({ name, service: "Anthropic" }),
	start: async (chosen, host) => ({ languageModel: [await anthropic(chosen, host)] }),
});

async function anthropic({ model, apiKey, baseUrl, timeoutMs }: Options, host: Host): Promise<LanguageModel> {
	const { createAnthropic } = await import("@ai-sdk/anthropic");
	const claude = createAnthropic({ baseURL: baseUrl, apiKey, fetch: libraryFetch(host, name, timeoutMs) as typeof fetch })(model);
	return { name, model, generate: (question, step) => generateWith(claude, name, question, step) };
}
