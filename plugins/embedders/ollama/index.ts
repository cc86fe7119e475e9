/** Embeds by Ollama's own protocol. Ollama loads the model with the first request. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { embeddingSettings, namedService } from "../named-service.ts";
import { offerRemote, remoteOptions } from "../remote-embedder.ts";
import { type RemoteCall, type RemoteService, unitVector } from "../remote-service.ts";

/** Where Ollama listens by default. */
const defaultUrl = "http://127.0.0.1:11434";

export default definePlugin({
	name: "embedder-ollama",
	contract: 1,
	options: z.strictObject({ ...remoteOptions, baseUrl: z.url({ protocol: /^https?$/ }).default(defaultUrl) }),
	settings: embeddingSettings,
	configure: namedService({ isSelected: (embedder) => embedder === "ollama", defaultUrl, takesKey: false }),
	start: (chosen, host) => offerRemote(chosen, { name: "ollama", call, read: readResponse }, host),
});

const responseSchema = z.object({ embeddings: z.array(z.array(z.number().nullable())), prompt_eval_count: z.number().nonnegative().nullish() });

function call(base: string, model: string, texts: readonly string[]): RemoteCall {
	return { url: `${base}/api/embed`, headers: {}, body: { model, input: texts, truncate: true } };
}

function readResponse(value: unknown, count: number): ReturnType<RemoteService["read"]> {
	const checked = responseSchema.safeParse(value);
	if (!checked.success) return { error: "its response does not follow the protocol" };
	const { embeddings, prompt_eval_count } = checked.data;
	if (embeddings.length !== count) return { error: `it returned ${embeddings.length} vectors for ${count} texts` };
	return { vectors: embeddings.map((numbers) => unitVector(numbers.map((each) => each ?? Number.NaN))), tokens: prompt_eval_count ?? null };
}
