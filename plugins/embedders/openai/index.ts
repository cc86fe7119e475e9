/** Any server that makes vectors by OpenAI's protocol: OpenAI, vLLM, llama.cpp, LM Studio, Text Embeddings Inference and others. */

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
	configure: namedService({ isMeant: (embedder) => embedder !== "ollama", usualUrl: null, takesKey: true }),
	start: (chosen, host) => offerRemote(chosen, { name: "openai", call: callOf(chosen), read: readAnswer }, host),
});

const answer = z.object({
	data: z.array(z.object({ index: z.number().int().nonnegative().optional(), embedding: z.array(z.number().nullable()) })),
	usage: z.object({ total_tokens: z.number().nonnegative().nullish(), prompt_tokens: z.number().nonnegative().nullish() }).nullish(),
});

function callOf({ apiKey, dimensions }: Options): Protocol["call"] {
	return (base, model, texts) => {
		// Only its newer models make shorter vectors, and other servers refuse what they do not know.
		const isShortened = dimensions !== undefined && /^text-embedding-3/.test(model);
		return {
			url: `${base}/embeddings`,
			headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
			body: { model, input: texts, encoding_format: "float", ...(isShortened && { dimensions }) },
		};
	};
}

/** Each vector says which text it is for: a server may answer in any order. */
function readAnswer(value: unknown, count: number): ReturnType<RemoteService["read"]> {
	const checked = answer.safeParse(value);
	if (!checked.success) return { complaint: "it answered something that is not of its protocol" };
	const { data, usage } = checked.data;
	const byIndex = new Map(data.map(({ index, embedding }, i) => [index ?? i, embedding]));
	if (data.length !== count || byIndex.size !== count) return { complaint: `it answered ${data.length} vectors for ${count} texts` };
	const vectors = Array.from({ length: count }, (_, i) => unitVector((byIndex.get(i) ?? []).map((each) => each ?? Number.NaN)));
	return { vectors, tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? null };
}
