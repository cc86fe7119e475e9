/** Stage three: embeds in batches and refuses vectors that would poison an index. */

import { fail } from "../errors/fail.ts";
import { type Vector, vectorFault } from "../model/vector.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { Chunked, Embedded } from "./hand-offs.ts";

export async function embed(chunked: Chunked, embedder: Embedder, step: Step): Promise<Embedded> {
	const texts = chunked.chunks.map(({ indexedText }) => indexedText);
	return { ...chunked, vectors: await embedTexts(texts, embedder, "document", step) };
}

/** One vector per text, checked. */
export async function embedTexts(texts: readonly string[], embedder: Embedder, purpose: "document" | "query", step: Step): Promise<readonly Vector[]> {
	const vectors: Vector[] = [];
	for (let start = 0; start < texts.length; start += embedder.batchMax) {
		step.signal.throwIfAborted();
		const batch = texts.slice(start, start + embedder.batchMax);
		const answered = await embedder.embed(batch, purpose, step);
		if (answered.length !== batch.length) throw fail("EMBEDDING_MALFORMED", embedder.name, `came ${answered.length} times for ${batch.length} texts`);
		for (const vector of answered) {
			const fault = vectorFault(vector, embedder.space);
			if (fault !== null) throw fail("EMBEDDING_MALFORMED", embedder.name, fault);
			vectors.push(vector);
		}
		if (texts.length > embedder.batchMax) step.progress({ done: vectors.length, total: texts.length, unit: "chunk" });
	}
	return vectors;
}
