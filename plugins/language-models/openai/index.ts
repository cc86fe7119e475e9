/** Asks any server that speaks OpenAI's protocol: OpenAI, Ollama, vLLM, llama.cpp, LM Studio and many more. */

import { definePlugin, type Host, type LanguageModel, type ModelRequest, ServiceError } from "cairn-memory";
import { z } from "zod";
import { generateWith } from "../generate-with.ts";
import { libraryFetch } from "../library-fetch.ts";
import { modelOptions, namedModel } from "../named-model.ts";

const name = "openai";
const defaultUrl = "https://api.openai.com/v1";

const options = modelOptions(defaultUrl, z.string().optional());

type Options = z.output<typeof options>;

export default definePlugin({
	name: "language-model-openai",
	contract: 1,
	options,
	...namedModel({
		name,
		service: "OPENAI_BASE_URL; unless a model is set here or for another provider, no language model is used",
		base: { defaultUrl, meaning: "any server that speaks OpenAI's protocol, such as http://127.0.0.1:11434/v1 for Ollama" },
	}),
	start: async (chosen, host) => ({ languageModel: [await openai(chosen, host)] }),
});

async function openai({ model, baseUrl, apiKey, timeoutMs }: Options, host: Host): Promise<LanguageModel> {
	const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
	const isOpenai = new URL(baseUrl).hostname === "api.openai.com";
	const createModel = (supportsStructuredOutputs: boolean) =>
		createOpenAICompatible({
			name,
			baseURL: baseUrl,
			fetch: libraryFetch(host, name, timeoutMs) as typeof fetch,
			supportsStructuredOutputs,
			...(apiKey !== undefined && { apiKey }),
			...(isOpenai && { transformRequestBody: (body: Record<string, unknown>) => openaiBody(body, model) }),
		})(model);
	const [withSchemaSupport, withoutSchemaSupport] = [createModel(true), createModel(false)];
	let supportsSchema = true;
	return {
		name,
		model,
		generate: async (question, step) => {
			if (!supportsSchema) return generateWith(withoutSchemaSupport, name, withSchema(question), step);
			try {
				return await generateWith(withSchemaSupport, name, question, step);
			} catch (thrown) {
				if (!isAboutSchema(thrown)) throw thrown;
				// Older servers support JSON but no schemas: from now on the schema is part of the prompt.
				supportsSchema = false;
				host.log("info", "the server does not support JSON schemas; the schema is sent in the prompt", { model });
				return generateWith(withoutSchemaSupport, name, withSchema(question), step);
			}
		},
	};
}

/** OpenAI's newer models reject `max_tokens`, and its reasoning models `temperature`; other servers accept both. */
function openaiBody({ max_tokens, temperature, ...body }: Record<string, unknown>, model: string): Record<string, unknown> {
	const isReasoning = /^(o\d|gpt-[5-9])/.test(model);
	return { ...body, ...(max_tokens !== undefined && { max_completion_tokens: max_tokens }), ...(!isReasoning && { temperature }) };
}

/** The question with the schema in its system prompt. */
function withSchema(question: ModelRequest): ModelRequest {
	return { ...question, system: `${question.system}\n\nAnswer with one JSON object of this schema and nothing else:\n${JSON.stringify(question.schema)}` };
}

/** Whether the server has rejected the schema. */
function isAboutSchema(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError) || thrown.code !== "MODEL_DECLINED") return false;
	return thrown.cause instanceof Error && /response_format|json_schema|structured|grammar/i.test(thrown.cause.message);
}
