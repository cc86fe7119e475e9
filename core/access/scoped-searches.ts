/** The word and vector indexes within the grants of a key: the scope is narrowed before the search; results are never filtered afterwards. */

import type { MemoryId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Hit, MemoryFilter, VectorSearch } from "../ports/vector-search.ts";
import type { Matched, WordSearch } from "../ports/word-search.ts";
import type { Bounds } from "./bounds.ts";

/** Documents and memories, already limited to the same grants. */
export interface Seen {
	readonly documents: DocumentStore;
	readonly memories: MemoryStore;
}

export function scopedWords(inner: WordSearch, seen: Seen, bounds: Bounds): WordSearch {
	return {
		matchChunks: async (words, scope, ...rest) => inner.matchChunks(words, bounds.narrow(scope), ...rest),
		matchMemories: async (words, memoryFilter, ...rest) =>
			ask<Matched<Hit<MemoryId>>>(memoryFilter, seen, bounds, { hits: [], isWhole: true }, (within) => inner.matchMemories(words, within, ...rest)),
	};
}

export function scopedVectors(inner: VectorSearch, seen: Seen, bounds: Bounds): VectorSearch {
	return {
		nearestChunks: async (query, scope, limit) => inner.nearestChunks(query, bounds.narrow(scope), limit),
		nearestMemories: async (query, memoryFilter, limit) => ask(memoryFilter, seen, bounds, [], (within) => inner.nearestMemories(query, within, limit)),
		nearestMemoriesOfEach: async (queries, memoryFilter, limit) => {
			const nothing = queries.map((): readonly Hit<MemoryId>[] => []);
			return ask(memoryFilter, seen, bounds, nothing, (within) => inner.nearestMemoriesOfEach(queries, within, limit));
		},
		chunkCosines: async (query, ids) =>
			inner.chunkCosines(
				query,
				(await seen.documents.chunks(ids)).map(({ id }) => id),
			),
		chunkVectors: async (ids) => inner.chunkVectors((await seen.documents.chunks(ids)).map(({ id }) => id)),
		memoryVectors: async (ids) => inner.memoryVectors((await seen.memories.get(ids)).map(({ id }) => id)),
	};
}

/** A document that the key may not read counts as no source. */
async function ask<Found>(
	memoryFilter: MemoryFilter,
	{ documents }: Seen,
	{ narrow }: Bounds,
	nothing: Found,
	search: (within: MemoryFilter) => Promise<Found>,
): Promise<Found> {
	const scope = narrow(memoryFilter.scope);
	if (scope.document !== null && !(await documents.tagsOf([scope.document])).has(scope.document)) return nothing;
	return search({ ...memoryFilter, scope });
}
