/** Ollama's own protocol. The first request loads the model. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { embeddingSettings, namedService } from "../named-service.ts";
import { offerRemote, remoteOptions } from "../remote-embedder.ts";
import { type RemoteCall, type RemoteService, unitVector } from "../remote-service.ts";

/** Ollama's own default address. */
const usualUrl = "http://127.0.0.1:11434";

export default definePlugin({
	name: "embedder-ollama",
	contract: 1,
	options: z.strictObject({ ...remoteOptions, baseUrl: z.url({ protocol: /^https?$/ }).default(usualUrl) }),
	settings: embeddingSettings,
	configure: namedService({ isMeant: (embedder) => embedder === "ollama", usualUrl, takesKey: false }),
	start: (chosen, host) => offerRemote(chosen, { name: "ollama", call, read: readAnswer }, host),
});

const answer = z.object({ embeddings: z.array(z.array(z.number().nullable())), prompt_eval_count: z.number().nonnegative().nullish() });

function call(base: string, model: string, texts: readonly string[]): RemoteCall {
	return { url: `${base}/api/embed`, headers: {}, body: { model, input: texts, truncate: true } };
}

function readAnswer(value: unknown, count: number): ReturnType<RemoteService["read"]> {
	const checked = answer.safeParse(value);
	if (!checked.success) return { complaint: "it answered something that is not of its protocol" };
	const { embeddings, prompt_eval_count } = checked.data;
	if (embeddings.length !== count) return { complaint: `it answered ${embeddings.length} vectors for ${count} texts` };
	return { vectors: embeddings.map((numbers) => unitVector(numbers.map((each) => each ?? Number.NaN))), tokens: prompt_eval_count ?? null };
}
