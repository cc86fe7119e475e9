/** Nearest neighbours in RAM: every vector of the space is compared, which is exact and slow. */

import { cosine, type EmbeddingSpace, type Vector, type VectorSearch } from "cairn-memory";
import { documentInScope, passesMemoryFilter } from "./in-scope.ts";
import { publishedChunks, type StoredChunk, type StoredMemory, type Tables, vectorIn } from "./tables.ts";

export function ramVectors(tables: Tables, space: EmbeddingSpace): VectorSearch {
	const chunks = () => [...publishedChunks(tables)].flatMap((stored) => inSpace(stored, stored.chunk.id));
	const memories = () => [...tables.memories.values()].flatMap((stored) => inSpace(stored, stored.memory.id));
	function inSpace<Stored extends StoredChunk | StoredMemory>(stored: Stored, id: string): readonly Stored[] {
		const vector = vectorIn(space.name, stored, id, tables);
		return vector === null ? [] : [{ ...stored, vector }];
	}
	return {
		nearestChunks: async (query, scope, limit) => {
			const inScope = chunks().filter(({ of }) => documentInScope(of, scope));
			return nearest(inScope, query, limit).map(({ entry: { chunk }, score }) => ({ id: chunk.id, score, document: chunk.document, position: chunk.position }));
		},
		nearestMemories: async (query, searchScope, limit) => {
			const inReach = memories().filter(({ memory }) => passesMemoryFilter(memory, searchScope, tables));
			return nearest(inReach, query, limit).map(({ entry: { memory }, score }) => ({ id: memory.id, score }));
		},
		chunkCosines: async (query, ids) => {
			const wanted = new Set(ids);
			return new Map(chunks().flatMap(({ chunk, vector }) => (wanted.has(chunk.id) ? [[chunk.id, cosine(query, vector)]] : [])));
		},
		chunkVectors: async (ids) => {
			const wanted = new Set(ids);
			return new Map(chunks().flatMap(({ chunk, vector }) => (wanted.has(chunk.id) ? [[chunk.id, vector]] : [])));
		},
		memoryVectors: async (ids) => {
			const wanted = new Set(ids);
			return new Map(memories().flatMap(({ memory, vector }) => (wanted.has(memory.id) ? [[memory.id, vector]] : [])));
		},
	};
}

function nearest<Entry extends { readonly vector: Vector }>(entries: readonly Entry[], query: Vector, limit: number) {
	return entries
		.map((entry) => ({ entry, score: cosine(query, entry.vector) }))
		.sort((left, right) => right.score - left.score)
		.slice(0, limit);
}
