/** Word and vector search for a storage that has none: every text in scope is read and compared, which is exact, but slow for many texts. */

import type { ChunkId, MemoryId } from "../model/id.ts";
import { wholeOrganisation } from "../model/scope.ts";
import { cosine, type Vector } from "../model/vector.ts";
import type { TextSource, VectorSource } from "../ports/index-source.ts";
import type { Hit, MemoryFilter, VectorSearch } from "../ports/vector-search.ts";
import type { WordSearch } from "../ports/word-search.ts";
import type { WordCounts } from "../ranking/words/count-words.ts";
import type { CollectionState } from "./collections.ts";
import type { IdentifiedText } from "./counted-texts.ts";
import { indexedWords } from "./indexed-words.ts";

const everyMemory: MemoryFilter = { scope: wholeOrganisation, includeForgotten: true, now: new Date(0) };
const all = Number.MAX_SAFE_INTEGER - 1;

export function directVectors(source: VectorSource): VectorSearch {
	const memoriesIn = async (memoryFilter: MemoryFilter) => source.memoriesIn((await source.listMemories(memoryFilter, all)) ?? [], memoryFilter);
	const nearestOf = (query: Vector, memories: Awaited<ReturnType<typeof memoriesIn>>, limit: number): readonly Hit<MemoryId>[] =>
		nearest(query, memories, limit).map(({ id, score }) => ({ id, score }));

	return {
		nearestChunks: async (query, scope, limit) => {
			const chunks = await source.chunksIn((await source.listChunks(scope, all)) ?? [], scope);
			return nearest(query, chunks, limit).map(({ id, document, position, score }) => ({ id, document, position, score }));
		},
		nearestMemories: async (query, memoryFilter, limit) => nearestOf(query, await memoriesIn(memoryFilter), limit),
		nearestMemoriesOfEach: async (queries, memoryFilter, limit) => {
			const memories = await memoriesIn(memoryFilter);
			return queries.map((query) => nearestOf(query, memories, limit));
		},
		chunkCosines: async (query, ids) => new Map((await source.chunksIn(ids, wholeOrganisation)).map(({ id, vector }) => [id, cosine(query, vector)])),
		chunkVectors: async (ids) => vectorsById<ChunkId>(await source.chunksIn(ids, wholeOrganisation)),
		memoryVectors: async (ids) => vectorsById<MemoryId>(await source.memoriesIn(ids, everyMemory)),
	};
}

function vectorsById<Id>(found: readonly { readonly id: Id; readonly vector: Vector }[]): ReadonlyMap<Id, Vector> {
	return new Map(found.map(({ id, vector }) => [id, vector]));
}

/** Best first, each with its cosine. */
export function nearest<Entry extends { readonly vector: Vector }>(
	query: Vector,
	entries: readonly Entry[],
	limit: number,
): readonly (Entry & { readonly score: number })[] {
	return entries
		.map((entry) => ({ ...entry, score: cosine(query, entry.vector) }))
		.sort((a, b) => b.score - a.score)
		.slice(0, limit);
}

export function directWords(source: TextSource, countsOf: (text: IdentifiedText) => WordCounts): WordSearch {
	const empty: CollectionState<never> = { position: null, isBehind: false, generation: 0, collection: null };
	return indexedWords({ state: async () => empty, source, countsOf, filters: "payload", fallback: null });
}
