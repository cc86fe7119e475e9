/**
 * A vector index finds the nearest vectors beside the store. All its data come from the store: core feeds it from the store's
 * change log, checks every id it answers in the store, and computes the scores itself. So it may lag, be approximate, contain
 * deleted texts, or be dropped, without a wrong answer.
 */

import type { Vector } from "../../model/vector.ts";
import type { FedCollection, FedIndex, Within } from "./fed-index.ts";

/** Each collection is of one embedding space besides. */
export type VectorIndex = FedIndex<VectorCollection>;

export interface VectorCollection extends FedCollection<VectorEntry> {
	/** The ids nearest to the query by cosine, best first, each once, at most `limit`; fewer only where fewer may be answered. */
	readonly nearest: (query: Vector, limit: number, within: Within) => Promise<readonly string[]>;
}

export interface VectorEntry {
	/** Letters and digits. */
	readonly id: string;
	/** Of the collection's dimensions, finite and not all zeros. Not to be kept: core may write over it. */
	readonly vector: Vector;
	readonly containerTags: readonly string[];
}
