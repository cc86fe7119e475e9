/** Embeds texts, in batches of the size that the embedder takes. Invalid vectors are rejected, because they would corrupt an index. */

import { fail } from "../errors/fail.ts";
import { type Vector, vectorFault } from "../model/vector.ts";
import type { Embedder, Step } from "../plugin/contract.ts";

/** Waits until the embedder may be called. @returns a function to call when the call has ended. */
export type Turn = (signal: AbortSignal) => Promise<() => void>;

/** @returns one valid vector for each text. */
export async function embedTexts(
	texts: readonly string[],
	embedder: Embedder,
	purpose: "document" | "query",
	step: Step,
	turn?: Turn,
): Promise<readonly Vector[]> {
	const vectors: Vector[] = [];
	for (let start = 0; start < texts.length; start += embedder.batchMax) {
		step.signal.throwIfAborted();
		const batch = texts.slice(start, start + embedder.batchMax);
		const embedded = await inTurn(() => embedder.embed(batch, purpose, step), step, turn);
		if (embedded.length !== batch.length) throw fail("EMBEDDING_MALFORMED", embedder.name, `came ${embedded.length} times for ${batch.length} texts`);
		for (const vector of embedded) {
			const fault = vectorFault(vector, embedder.space);
			if (fault !== null) throw fail("EMBEDDING_MALFORMED", embedder.name, fault);
			vectors.push(vector);
		}
		if (texts.length > embedder.batchMax) step.progress({ done: vectors.length, total: texts.length, unit: "chunk" });
	}
	return vectors;
}

async function inTurn<Answer>(ask: () => Promise<Answer>, { signal }: Step, turn?: Turn): Promise<Answer> {
	if (turn === undefined) return ask();
	const end = await turn(signal);
	try {
		// The caller may have aborted in the meantime.
		signal.throwIfAborted();
		return await ask();
	} finally {
		end();
	}
}
