/**
 * What all indexes have in common: they hold nothing of their own. Core feeds them from the store's log of changes, checks in
 * the store every id they answer, and computes the scores itself. So an index may lag, be approximate, hold what is gone, or
 * be dropped, without a wrong answer.
 */

/** An engine, or a client of one. A program opens it in one thread only, and opens nothing before `open` is called. */
export interface FedIndex<Collection> {
	readonly name: string;
	/**
	 * How a search is narrowed. `payload`: the index keeps the container tags beside each entry and is asked for some.
	 * `allowed-ids`: it is handed the ids that may be answered, as long as there are not very many.
	 */
	readonly filters: "payload" | "allowed-ids";
	/**
	 * The collection of this name, empty where there was none. Names are letters, digits and `-`, at most 60 characters; each
	 * collection is of one organisation and one kind of text. @param dimensions of its vectors; 0 where it holds none
	 */
	readonly open: (name: string, dimensions: number) => Promise<Collection>;
	/** The names of all collections, those included that an earlier run has made. */
	readonly names: () => Promise<readonly string[]>;
	/** Removes a collection with all it holds; one that is not there is fine. Searches in it that are under way may fail. */
	readonly drop: (name: string) => Promise<void>;
}

export interface FedCollection<Entry> {
	/** The `position` that was applied last; null where nothing was. What the collection has lost it must not claim to have. */
	readonly position: () => Promise<string | null>;
	/**
	 * First removes, then puts; an id that is there already is replaced, one that is to be removed and unknown is fine. When
	 * it resolves a search sees all of it and `position` is noted. After a crash the position must not be ahead of the entries:
	 * then the same changes come again. It is called by one caller at a time.
	 */
	readonly apply: (changes: IndexChanges<Entry>) => Promise<void>;
}

export interface IndexChanges<Entry> {
	readonly remove: readonly string[];
	readonly put: readonly Entry[];
	/** Opaque; the next changes follow it. */
	readonly position: string;
}

/** Which entries may be answered. An index reads the part that its `filters` names; the other one says nothing. */
export interface Within {
	/** For `payload`: entries with `all` or `any` of these tags; every entry where there are none. */
	readonly containerTags: readonly string[];
	readonly tagsMatch: "all" | "any";
	/** For `allowed-ids`: these and no others; null for every entry. */
	readonly allowedIds: readonly string[] | null;
}
