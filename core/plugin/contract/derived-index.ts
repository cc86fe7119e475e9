/**
 * What vector indexes and word indexes have in common: their data is derived from the store. Core feeds them from the store's change log,
 * checks every id they return in the store, and computes the scores itself. So results stay correct even if an index lags, is
 * approximate, contains deleted texts or is dropped.
 */

/**
 * A search engine, or a client of one. Without `claim` a program uses it in one thread only. It must not open anything before `open` is
 * called.
 */
export interface DerivedIndex<Collection> {
	readonly name: string;
	/**
	 * How a search is filtered. `payload`: the index stores the container tags with each entry and filters by them. `allowed-ids`: each
	 * search gets the list of ids that may be returned, unless it would be too long; core then filters the results itself.
	 */
	readonly filters: "payload" | "allowed-ids";
	/**
	 * Opens the collection with this name, and creates it if it does not exist. A name consists of letters, digits and `-`, at most 60
	 * characters. Each collection is for one organisation and one kind of text. @param dimensions of its vectors; 0 if it has no vectors
	 */
	readonly open: (name: string, dimensions: number, organisation: string) => Promise<Collection>;
	/** The names of all collections, including those of earlier runs. */
	readonly names: () => Promise<readonly string[]>;
	/** Removes a collection, if it exists. Searches that are running in it may fail. */
	readonly drop: (name: string) => Promise<void>;
	/**
	 * For an index that several threads and programs share: whether this one is to feed it now. It is asked before each page. The others
	 * only search, and read positions again. A collection that was dropped elsewhere must reject every call.
	 */
	readonly claim?: () => Promise<boolean>;
}

export interface IndexCollection<Entry> {
	/** The `position` that was applied last; null if there is none. It must never be ahead of the entries, even after data loss. */
	readonly position: () => Promise<string | null>;
	/**
	 * First removes entries, then puts new ones. A put with an existing id replaces the entry; removing an unknown id is allowed. When the
	 * promise resolves, searches see all changes and `position` is stored. After a crash the stored position must not be ahead of the
	 * entries; core then sends the same changes again. Calls are never concurrent.
	 */
	readonly apply: (changes: IndexChanges<Entry>) => Promise<void>;
}

export interface IndexChanges<Entry> {
	readonly remove: readonly string[];
	readonly put: readonly Entry[];
	/** The position in the change log after these changes. It is opaque to the index. */
	readonly position: string;
	/**
	 * Whether further changes follow at once, as while an index is made anew: what is cheaper for many entries together can wait until none do.
	 * The last call has no changes of its own, if need be.
	 */
	readonly moreFollow?: boolean;
}

/** Which entries a search may return. An index uses the properties that belong to its `filters`. */
export interface EntryFilter {
	/** For `payload`: entries with `all` or `any` of these tags, see `tagsMatch`; every entry if the list is empty. */
	readonly containerTags: readonly string[];
	readonly tagsMatch: "all" | "any";
	/** For `allowed-ids`: only these ids; null for every entry. */
	readonly allowedIds: readonly string[] | null;
}
