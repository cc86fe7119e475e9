/** Search, step six: the chunks before and after a hit, marked as context. */

import type { Chunk } from "../model/chunk.ts";
import type { DocumentId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";

export interface ShownChunk {
	readonly chunk: Chunk;
	readonly score: number;
	/** False for a neighbour that is shown only as context. */
	readonly isRelevant: boolean;
}

/** Adds one neighbour on either side of every hit, in reading order. A neighbour has no relevance of its own: its score is 0. */
export async function widen(document: DocumentId, hits: readonly ShownChunk[], documents: DocumentStore): Promise<readonly ShownChunk[]> {
	const known = new Set(hits.map(({ chunk }) => chunk.position));
	const wanted = new Set(hits.flatMap(({ chunk: { position } }) => [position - 1, position + 1]).filter((position) => position >= 0 && !known.has(position)));
	if (wanted.size === 0) return hits;
	const neighbours = await documents.chunksAt(document, [...wanted]);
	const context = neighbours.map((chunk) => ({ chunk, score: 0, isRelevant: false }));
	return [...hits, ...context].sort((a, b) => a.chunk.position - b.chunk.position);
}
