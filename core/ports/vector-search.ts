/** Nearest neighbours in one embedding space of one organisation. */

import type { ChunkId, DocumentId, MemoryId } from "../model/id.ts";
import type { Moment } from "../model/moment.ts";
import type { Scope } from "../model/scope.ts";
import type { Vector } from "../model/vector.ts";

export interface Hit<Id> {
	readonly id: Id;
	/** For vectors the cosine; for words see `WordSearch`. */
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
	/** What was known, or true, at another time, instead of what is current. With `includeForgotten`: all that was known until then. */
	readonly moment?: Moment;
}

/**
 * Answers only what is published and alive, best first, and never fewer than `limit` while the scope holds more.
 * On small or filtered sets the answer is exact; the scores of large ones are good to ±0.005.
 */
export interface VectorSearch {
	readonly nearestChunks: (query: Vector, scope: Scope, limit: number) => Promise<readonly ChunkHit[]>;
	readonly nearestMemories: (query: Vector, memoryFilter: MemoryFilter, limit: number) => Promise<readonly Hit<MemoryId>[]>;
	/** The same for many queries, in their order: what they have in common is looked up once. */
	readonly nearestMemoriesOfEach: (queries: readonly Vector[], memoryFilter: MemoryFilter, limit: number) => Promise<readonly (readonly Hit<MemoryId>[])[]>;
	/**
	 * The cosines of these chunks to a query, to score hits that words alone have found; good to ±0.005, as those of
	 * `nearestChunks` are. What is gone is left out.
	 */
	readonly chunkCosines: (query: Vector, ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, number>>;
	/** The stored vectors of these chunks; what is gone is left out. */
	readonly chunkVectors: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, Vector>>;
	readonly memoryVectors: (ids: readonly MemoryId[]) => Promise<ReadonlyMap<MemoryId, Vector>>;
}
