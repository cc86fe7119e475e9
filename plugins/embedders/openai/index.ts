/** Any server that makes vectors by OpenAI's protocol: OpenAI, vLLM, llama.cpp, LM Studio, Text Embeddings Inference and others. */

import { definePlugin, type Host } from "cairn";
import { z } from "zod";
import { type Remote, remoteOptions, startIfKnown, startRemote } from "../remote-embedder.ts";
import { type RemoteService, unitVector } from "../remote-service.ts";

const options = z.strictObject({
	...remoteOptions,
	baseUrl: z.url({ protocol: /^https?$/ }).default("https://api.openai.com/v1"),
	apiKey: z.string().min(1).optional(),
});

type Options = z.output<typeof options>;

const name = "openai";

export default definePlugin({
	name: "embedder-openai",
	contract: 1,
	options,
	// Nothing leaves the machine unless a model is named.
	start: async (chosen, host) => (chosen.model === undefined ? {} : { embedder: await startIfKnown(() => start(chosen, chosen.model ?? "", host), host) }),
});

const answer = z.object({
	data: z.array(z.object({ index: z.number().int().nonnegative().optional(), embedding: z.array(z.number().nullable()) })),
	usage: z.object({ total_tokens: z.number().nonnegative().nullish(), prompt_tokens: z.number().nonnegative().nullish() }).nullish(),
});

function start({ baseUrl, apiKey, ...chosen }: Options, model: string, host: Host) {
	const base = baseUrl.replace(/\/+$/, "");
	const { dimensions, queryPrompt, documentPrompt, textsMax, charactersMax, timeoutMs, price } = chosen;
	// Only its newer models make shorter vectors, and other servers refuse what they do not know.
	const isShortened = dimensions !== undefined && /^text-embedding-3/.test(model);
	const service: RemoteService = {
		embedder: name,
		name: new URL(base).host,
		textsMax,
		charactersMax,
		timeoutMs,
		price,
		call: (texts) => ({
			url: `${base}/embeddings`,
			headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
			body: { model, input: texts, encoding_format: "float", ...(isShortened && { dimensions }) },
		}),
		read: readAnswer,
	};
	const remote: Remote = { name, model, baseUrl: base, dimensions, queryPrompt, documentPrompt };
	return startRemote(remote, service, host);
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
