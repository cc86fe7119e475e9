/** Nearest neighbours in one embedding space of one organisation. */

import type { ChunkId, DocumentId, MemoryId } from "../model/id.ts";
import type { Moment } from "../model/moment.ts";
import type { Scope } from "../model/scope.ts";
import type { Vector } from "../model/vector.ts";

export interface Hit<Id> {
	readonly id: Id;
	/** The cosine for a vector search; for a word search see `WordSearch`. */
	readonly score: number;
}

export interface ChunkHit extends Hit<ChunkId> {
	readonly document: DocumentId;
	readonly position: number;
}

export interface MemoryFilter {
	readonly scope: Scope;
	/** Also memories that were replaced, forgotten or have expired. */
	readonly includeForgotten: boolean;
	readonly now: Date;
	/** Finds what was known, or true, at another time, instead of what is current. With `includeForgotten`: everything known until then. */
	readonly moment?: Moment;
}

/**
 * Returns only published chunks and visible memories, best first, and `limit` of them if the scope has that many. Results for small or
 * filtered sets are exact; scores of large sets are accurate to ±0.005. Equally near memories come in the order in which they were saved: what
 * is drawn of a text must not depend on ids, which are chance.
 */
export interface VectorSearch {
	readonly nearestChunks: (query: Vector, scope: Scope, limit: number) => Promise<readonly ChunkHit[]>;
	readonly nearestMemories: (query: Vector, memoryFilter: MemoryFilter, limit: number) => Promise<readonly Hit<MemoryId>[]>;
	/** The same for many queries, with results in their order. What the queries have in common is looked up once. */
	readonly nearestMemoriesOfEach: (queries: readonly Vector[], memoryFilter: MemoryFilter, limit: number) => Promise<readonly (readonly Hit<MemoryId>[])[]>;
	/**
	 * The cosines of these chunks to a query, to score hits that only the word search has found; accurate to ±0.005, as in
	 * `nearestChunks`. Missing chunks are left out, but one that has just gone may still be there.
	 */
	readonly chunkCosines: (query: Vector, ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, number>>;
	/** The stored vectors of these chunks; missing chunks are left out. */
	readonly chunkVectors: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, Vector>>;
	readonly memoryVectors: (ids: readonly MemoryId[]) => Promise<ReadonlyMap<MemoryId, Vector>>;
}
