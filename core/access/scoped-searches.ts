/** Word and vector search within the grants of a key. The scope is narrowed before the search; results are never filtered afterwards. */

import type { MemoryId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Hit, MemoryFilter, VectorSearch } from "../ports/vector-search.ts";
import type { Matched, WordSearch } from "../ports/word-search.ts";
import type { Bounds } from "./bounds.ts";

/** Documents and memories, already limited to the same grants. */
export interface ScopedStores {
	readonly documents: DocumentStore;
	readonly memories: MemoryStore;
}

export function scopedWords(inner: WordSearch, scoped: ScopedStores, bounds: Bounds): WordSearch {
	return {
		matchChunks: async (words, scope, ...rest) => inner.matchChunks(words, bounds.narrow(scope), ...rest),
		matchMemories: async (words, memoryFilter, ...rest) =>
			searchWithin<Matched<Hit<MemoryId>>>(memoryFilter, scoped, bounds, { hits: [], isWhole: true }, (scopedFilter) =>
				inner.matchMemories(words, scopedFilter, ...rest),
			),
	};
}

export function scopedVectors(inner: VectorSearch, scoped: ScopedStores, bounds: Bounds): VectorSearch {
	return {
		nearestChunks: async (query, scope, limit) => inner.nearestChunks(query, bounds.narrow(scope), limit),
		nearestMemories: async (query, memoryFilter, limit) =>
			searchWithin(memoryFilter, scoped, bounds, [], (scopedFilter) => inner.nearestMemories(query, scopedFilter, limit)),
		nearestMemoriesOfEach: async (queries, memoryFilter, limit) => {
			const nothing = queries.map((): readonly Hit<MemoryId>[] => []);
			return searchWithin(memoryFilter, scoped, bounds, nothing, (scopedFilter) => inner.nearestMemoriesOfEach(queries, scopedFilter, limit));
		},
		chunkCosines: async (query, ids) =>
			inner.chunkCosines(
				query,
				(await scoped.documents.chunks(ids)).map(({ id }) => id),
			),
		chunkVectors: async (ids) => inner.chunkVectors((await scoped.documents.chunks(ids)).map(({ id }) => id)),
		memoryVectors: async (ids) => inner.memoryVectors((await scoped.memories.get(ids)).map(({ id }) => id)),
	};
}

/** Searches within the grants. @returns `nothing` if the filter names a document that the key may not read. */
async function searchWithin<Found>(
	memoryFilter: MemoryFilter,
	{ documents }: ScopedStores,
	{ narrow }: Bounds,
	nothing: Found,
	search: (scopedFilter: MemoryFilter) => Promise<Found>,
): Promise<Found> {
	const scope = narrow(memoryFilter.scope);
	if (scope.document !== null && !(await documents.tagsOf([scope.document])).has(scope.document)) return nothing;
	return search({ ...memoryFilter, scope });
}
