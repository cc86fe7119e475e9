/** Asks Gemini through Google's API. */

import { definePlugin, type Host, type LanguageModel } from "cairn-memory";
import { z } from "zod";
import { generateWith } from "../generate-with.ts";
import { libraryFetch } from "../library-fetch.ts";
import { modelOptions, namedModel } from "../named-model.ts";

const name = "gemini";

const options = modelOptions("https://generativelanguage.googleapis.com/v1beta", z.string().min(1));

type Options = z.output<typeof options>;

export default definePlugin({
	name: "language-model-gemini",
	contract: 1,
	options,
	...namedModel({ name, service: "Google's Gemini API" }),
	start: async (chosen, host) => ({ languageModel: [await gemini(chosen, host)] }),
});

async function gemini({ model, apiKey, baseUrl, timeoutMs }: Options, host: Host): Promise<LanguageModel> {
	const { createGoogle } = await import("@ai-sdk/google");
	const google = createGoogle({ baseURL: baseUrl, apiKey, fetch: libraryFetch(host, name, timeoutMs) as typeof fetch })(model);
	return { name, model, generate: (question, step) => generateWith(google, name, question, step) };
}
