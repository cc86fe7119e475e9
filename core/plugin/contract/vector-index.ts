/**
 * A vector index finds the nearest vectors instead of the store. All its data comes from the store, see `derived-index.ts`.
 */

import type { Vector } from "../../model/vector.ts";
import type { DerivedIndex, EntryFilter, IndexCollection } from "./derived-index.ts";

/** Each collection is also for one embedding space only. */
export type VectorIndex = DerivedIndex<VectorCollection>;

export interface VectorCollection extends IndexCollection<VectorEntry> {
	/** The ids nearest to the query by cosine, best first, each once, at most `limit`. Fewer only if the filter allows no more. */
	readonly nearest: (query: Vector, limit: number, within: EntryFilter) => Promise<readonly string[]>;
}

export interface VectorEntry {
	/** Consists of letters and digits. */
	readonly id: string;
	/** It has the collection's dimensions, and is finite and not all zeros. Copy it to keep it: core may reuse the array. */
	readonly vector: Vector;
	readonly containerTags: readonly string[];
}
