/**
 * What keeps vectors beside the store and finds the nearest of them. It holds nothing of its own: core feeds it from the
 * store's log of changes, checks in the store every id it answers, and computes the scores itself. So it may lag, be
 * approximate, hold what is gone, or be dropped, without a wrong answer.
 */

import type { Vector } from "../../model/vector.ts";

/** An engine, or a client of one. A program opens it in one thread only, and opens nothing before `open` is called. */
export interface VectorIndex {
	readonly name: string;
	/**
	 * How a search is narrowed. `payload`: the index keeps the container tags beside each vector and is asked for some.
	 * `allowed-ids`: it is handed the ids that may be answered, as long as there are not very many.
	 */
	readonly filters: "payload" | "allowed-ids";
	/**
	 * The collection of this name, empty where there was none. Names are letters, digits and `-`, at most 60 characters; each
	 * collection holds the vectors of one organisation, one kind of text and one embedding space.
	 */
	readonly open: (name: string, dimensions: number) => Promise<VectorCollection>;
	/** The names of all collections, those included that an earlier run has made. */
	readonly names: () => Promise<readonly string[]>;
	/** Removes a collection with all it holds; one that is not there is fine. Searches in it that are under way may fail. */
	readonly drop: (name: string) => Promise<void>;
}

export interface VectorCollection {
	/** The `position` that was applied last; null where nothing was. What the collection has lost it must not claim to have. */
	readonly position: () => Promise<string | null>;
	/**
	 * First removes, then puts; an id that is there already is replaced, one that is to be removed and unknown is fine. When
	 * it resolves a search sees all of it and `position` is noted. After a crash the position must not be ahead of the entries:
	 * then the same changes come again. It is called by one caller at a time.
	 */
	readonly apply: (changes: VectorChanges) => Promise<void>;
	/** The ids nearest to the query by cosine, best first, each once, at most `limit`; fewer only where fewer may be answered. */
	readonly nearest: (query: Vector, limit: number, within: Within) => Promise<readonly string[]>;
}

export interface VectorChanges {
	readonly remove: readonly string[];
	readonly put: readonly VectorEntry[];
	/** Opaque; the next changes follow it. */
	readonly position: string;
}

export interface VectorEntry {
	/** Letters and digits. */
	readonly id: string;
	/** Of the collection's dimensions, finite and not all zeros. Not to be kept: core may write over it. */
	readonly vector: Vector;
	readonly containerTags: readonly string[];
}

/** Which entries may be answered. An index reads the part that its `filters` names; the other one says nothing. */
export interface Within {
	/** For `payload`: entries with `all` or `any` of these tags; every entry where there are none. */
	readonly containerTags: readonly string[];
	readonly tagsMatch: "all" | "any";
	/** For `allowed-ids`: these and no others; null for every entry. */
	readonly allowedIds: readonly string[] | null;
}
