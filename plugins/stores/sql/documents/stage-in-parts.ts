/** Sends chunks to the writer, a part at a time, so that other writes get their turn between them. */

import type { EmbeddedChunk, EmbeddingSpace } from "cairn-memory";
import type { SqlEngine } from "../executor.ts";
import { packVectors } from "../spaces/packed-vectors.ts";
import type { StagedChunk } from "./chunk-operations.ts";
import type { RevisionKey } from "./document-operations.ts";

/** About 5 ms of either thread's time. */
const chunksPerPart = 100;

/** While a part is written the next is prepared, and two are on their way at most. */
export async function stageInParts(key: RevisionKey, space: EmbeddingSpace, chunks: readonly EmbeddedChunk[], write: SqlEngine["write"]): Promise<boolean> {
	let before: Promise<boolean> | null = null;
	for (let start = 0; start < chunks.length || start === 0; start += chunksPerPart) {
		const part = chunks.slice(start, start + chunksPerPart);
		const vectors = packVectors(part.map(({ vector }) => vector));
		const args = { ...key, space: space.name, chunks: part.map(stagedChunk), vectors };
		if (before !== null && !(await before)) return false;
		before = write("stageChunks", args, [vectors.bytes.buffer]);
		before.catch(() => undefined); // it is awaited below or in the next round; until then it is not unhandled
	}
	return (await before) ?? true;
}

function stagedChunk({ chunk }: EmbeddedChunk): StagedChunk {
	const { id, position, text, indexedText, place } = chunk;
	return { id, position, text, indexedText: indexedText === text ? null : indexedText, place: JSON.stringify(place) };
}
