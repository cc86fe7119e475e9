/** Search, step six: reads the chunks to show, and those before and after each as context, in one go for all results. */

import type { Chunk } from "../model/chunk.ts";
import type { DocumentId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { Group } from "./find-groups.ts";

export interface ShownChunk {
	readonly chunk: Chunk;
	readonly score: number;
	/** False for a neighbour that is shown only as context. */
	readonly isRelevant: boolean;
}

/**
 * By document: what was found, best first, and after it the context in reading order. A neighbour has no relevance of its
 * own: its score is 0. What is gone meanwhile is left out.
 */
export async function showGroups(
	groups: readonly Group[],
	onlyMatchingChunks: boolean,
	documents: Pick<DocumentStore, "chunksAt">,
): Promise<ReadonlyMap<DocumentId, readonly ShownChunk[]>> {
	const read = await documents.chunksAt(new Map(groups.map((group) => [group.id, placesOf(group, onlyMatchingChunks)])));
	const byDocument = Map.groupBy(read, ({ document }) => document);
	return new Map(groups.map((group) => [group.id, shownOf(group, byDocument.get(group.id) ?? [])]));
}

function placesOf({ hits }: Group, onlyMatchingChunks: boolean): readonly number[] {
	const reach = onlyMatchingChunks ? [0] : [-1, 0, 1];
	return [...new Set(hits.flatMap(({ hit }) => reach.map((away) => hit.position + away)))].filter((position) => position >= 0);
}

/** Where another text of the document was published meanwhile, what was found is no longer at its place, and no context says anything. */
function shownOf({ hits }: Group, chunks: readonly Chunk[]): readonly ShownChunk[] {
	const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
	const found = hits.flatMap(({ hit, score }) => {
		const chunk = byId.get(hit.id);
		return chunk === undefined ? [] : [{ chunk, score, isRelevant: true }];
	});
	const relevant = new Set(found.map(({ chunk }) => chunk.id));
	const context = chunks.filter(({ id }) => !relevant.has(id)).map((chunk) => ({ chunk, score: 0, isRelevant: false }));
	return found.length === 0 ? [] : [...found, ...context];
}
