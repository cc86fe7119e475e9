/**
 * Common to all indexes: their data is derived. Core feeds them from the store's change log, checks every id they return in the
 * store, and computes the scores itself. So an index may lag, be approximate, contain deleted texts, or be dropped, without
 * wrong results.
 */

/** An engine, or a client of one. A program opens it in one thread only, and opens nothing before `open` is called. */
export interface FedIndex<Collection> {
	readonly name: string;
	/**
	 * How a search is filtered. `payload`: the index stores the container tags with each entry and filters by them.
	 * `allowed-ids`: it gets the ids that may be returned, if there are not too many.
	 */
	readonly filters: "payload" | "allowed-ids";
	/**
	 * The collection of this name, empty where there was none. Names are letters, digits and `-`, at most 60 characters; each
	 * collection is of one organisation and one kind of text. @param dimensions of its vectors; 0 where it holds none
	 */
	readonly open: (name: string, dimensions: number) => Promise<Collection>;
	/** The names of all collections, including those of earlier runs. */
	readonly names: () => Promise<readonly string[]>;
	/** Removes a collection, if it exists. Running searches in it may fail. */
	readonly drop: (name: string) => Promise<void>;
}

export interface FedCollection<Entry> {
	/** The `position` applied last; null for none. It must never be ahead of the entries, even after data loss. */
	readonly position: () => Promise<string | null>;
	/**
	 * First removes, then puts. An existing id is replaced; removing an unknown one is allowed. When it resolves, searches see all
	 * changes and `position` is stored. After a crash the position must not be ahead of the entries: the same changes then come
	 * again. Calls are never concurrent.
	 */
	readonly apply: (changes: IndexChanges<Entry>) => Promise<void>;
}

export interface IndexChanges<Entry> {
	readonly remove: readonly string[];
	readonly put: readonly Entry[];
	/** Opaque; the next changes follow it. */
	readonly position: string;
}

/** Which entries may be returned. An index uses the member that belongs to its `filters`. */
export interface Within {
	/** For `payload`: entries with `all` or `any` of these tags; every entry where there are none. */
	readonly containerTags: readonly string[];
	readonly tagsMatch: "all" | "any";
	/** For `allowed-ids`: these and no others; null for every entry. */
	readonly allowedIds: readonly string[] | null;
}
