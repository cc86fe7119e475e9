/** Ollama's own protocol. A model that is not loaded is loaded by the first question. */

import { definePlugin, type Host } from "cairn";
import { z } from "zod";
import { remoteOptions, startIfKnown, startRemote } from "../remote-embedder.ts";
import { type RemoteService, unitVector } from "../remote-service.ts";

const options = z.strictObject({ ...remoteOptions, baseUrl: z.url({ protocol: /^https?$/ }).default("http://127.0.0.1:11434") });

type Options = z.output<typeof options>;

const name = "ollama";

export default definePlugin({
	name: "embedder-ollama",
	contract: 1,
	options,
	start: async (chosen, host) => (chosen.model === undefined ? {} : { embedder: await startIfKnown(() => start(chosen, chosen.model ?? "", host), host) }),
});

const answer = z.object({ embeddings: z.array(z.array(z.number().nullable())), prompt_eval_count: z.number().nonnegative().nullish() });

function start({ baseUrl, ...chosen }: Options, model: string, host: Host) {
	const base = baseUrl.replace(/\/+$/, "");
	const { dimensions, queryPrompt, documentPrompt, textsMax, charactersMax, timeoutMs, price } = chosen;
	const service: RemoteService = {
		embedder: name,
		name: new URL(base).host,
		textsMax,
		charactersMax,
		timeoutMs,
		price,
		call: (texts) => ({ url: `${base}/api/embed`, headers: {}, body: { model, input: texts, truncate: true } }),
		read: readAnswer,
	};
	return startRemote({ name, model, baseUrl: base, dimensions, queryPrompt, documentPrompt }, service, host);
}

function readAnswer(value: unknown, count: number): ReturnType<RemoteService["read"]> {
	const checked = answer.safeParse(value);
	if (!checked.success) return { complaint: "it answered something that is not of its protocol" };
	const { embeddings, prompt_eval_count } = checked.data;
	if (embeddings.length !== count) return { complaint: `it answered ${embeddings.length} vectors for ${count} texts` };
	return { vectors: embeddings.map((numbers) => unitVector(numbers.map((each) => each ?? Number.NaN))), tokens: prompt_eval_count ?? null };
}
