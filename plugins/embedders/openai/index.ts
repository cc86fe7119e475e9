/** Embeds by OpenAI's protocol, as spoken by OpenAI, vLLM, llama.cpp, LM Studio, Text Embeddings Inference and others. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { embeddingSettings, namedService } from "../named-service.ts";
import { offerRemote, type Protocol, remoteOptions } from "../remote-embedder.ts";
import { type RemoteService, unitVector } from "../remote-service.ts";

const options = z.strictObject({
	...remoteOptions,
	baseUrl: z.url({ protocol: /^https?$/ }).default("https://api.openai.com/v1"),
	apiKey: z.string().min(1).optional(),
});

type Options = z.output<typeof options>;

export default definePlugin({
	name: "embedder-openai",
	contract: 1,
	options,
	settings: embeddingSettings,
	configure: namedService({ isSelected: (embedder) => embedder !== "ollama", defaultUrl: null, takesKey: true }),
	start: (chosen, host) => offerRemote(chosen, { name: "openai", call: callOf(chosen), read: readResponse }, host),
});

const responseSchema = z.object({
	data: z.array(z.object({ index: z.number().int().nonnegative().optional(), embedding: z.array(z.number().nullable()) })),
	usage: z.object({ total_tokens: z.number().nonnegative().nullish(), prompt_tokens: z.number().nonnegative().nullish() }).nullish(),
});

function callOf({ apiKey, dimensions }: Options): Protocol["call"] {
	return (base, model, texts) => {
		// Only OpenAI's newer models can shorten vectors, and other servers reject unknown parameters.
		const isShortened = dimensions !== undefined && /^text-embedding-3/.test(model);
		return {
			url: `${base}/embeddings`,
			headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
			body: { model, input: texts, encoding_format: "float", ...(isShortened && { dimensions }) },
		};
	};
}

/** Sorts the vectors by their index, because a server may return them in any order. */
function readResponse(value: unknown, count: number): ReturnType<RemoteService["read"]> {
	const checked = responseSchema.safeParse(value);
	if (!checked.success) return { error: "its response does not follow the protocol" };
	const { data, usage } = checked.data;
	const byIndex = new Map(data.map(({ index, embedding }, i) => [index ?? i, embedding]));
	if (data.length !== count || byIndex.size !== count) return { error: `it returned ${data.length} vectors for ${count} texts` };
	const vectors = Array.from({ length: count }, (_, i) => unitVector((byIndex.get(i) ?? []).map((each) => each ?? Number.NaN)));
	return { vectors, tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? null };
}
