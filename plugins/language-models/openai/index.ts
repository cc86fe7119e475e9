/** Any server that speaks OpenAI's protocol: OpenAI, Ollama, vLLM, llama.cpp, LM Studio and many more. */

import { definePlugin, type Host, type LanguageModel, type Question, ServiceError } from "cairn-memory";
import { z } from "zod";
import { generateWith } from "../generate-with.ts";
import { libraryFetch } from "../library-fetch.ts";
import { namedModel } from "../named-model.ts";

const name = "openai";
const usualUrl = "https://api.openai.com/v1";

const options = z.strictObject({
	model: z.string().trim().min(1),
	baseUrl: z.url().default(usualUrl),
	apiKey: z.string().optional(),
	timeoutMs: z.number().int().min(100).default(120_000),
});

type Options = z.output<typeof options>;

export default definePlugin({
	name: "language-model-openai",
	contract: 1,
	options,
	...namedModel({
		name,
		where: "OPENAI_BASE_URL; without a model named here, or for another provider, none is asked",
		base: { usual: usualUrl, meaning: "any server that speaks OpenAI's protocol, such as http://127.0.0.1:11434/v1 for Ollama" },
	}),
	start: async (chosen, host) => ({ languageModel: [await openai(chosen, host)] }),
});

async function openai({ model, baseUrl, apiKey, timeoutMs }: Options, host: Host): Promise<LanguageModel> {
	const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
	const isOpenai = new URL(baseUrl).hostname === "api.openai.com";
	const ask = (supportsStructuredOutputs: boolean) =>
		createOpenAICompatible({
			name,
			baseURL: baseUrl,
			fetch: libraryFetch(host, name, timeoutMs) as typeof fetch,
			supportsStructuredOutputs,
			...(apiKey !== undefined && { apiKey }),
			...(isOpenai && { transformRequestBody: (body: Record<string, unknown>) => asOpenaiWants(body, model) }),
		})(model);
	const [strict, loose] = [ask(true), ask(false)];
	let isStrict = true;
	return {
		name,
		model,
		generate: async (question, step) => {
			if (!isStrict) return generateWith(loose, name, withSchema(question), step);
			try {
				return await generateWith(strict, name, question, step);
			} catch (thrown) {
				if (!isAboutSchema(thrown)) throw thrown;
				// Older servers know JSON but no schemas: from now on they get the schema in words.
				isStrict = false;
				host.log("info", "the server takes no JSON schema; it is told in words", { model });
				return generateWith(loose, name, withSchema(question), step);
			}
		},
	};
}

/** Its newer models take neither of the two members that all the others know. */
function asOpenaiWants({ max_tokens, temperature, ...body }: Record<string, unknown>, model: string): Record<string, unknown> {
	const isReasoning = /^(o\d|gpt-[5-9])/.test(model);
	return { ...body, ...(max_tokens !== undefined && { max_completion_tokens: max_tokens }), ...(!isReasoning && { temperature }) };
}

function withSchema(question: Question): Question {
	return { ...question, system: `${question.system}\n\nAnswer with one JSON object of this schema and nothing else:\n${JSON.stringify(question.schema)}` };
}

/** Whether the error message is about the schema. */
function isAboutSchema(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError) || thrown.code !== "MODEL_DECLINED") return false;
	return thrown.cause instanceof Error && /response_format|json_schema|structured|grammar/i.test(thrown.cause.message);
}
