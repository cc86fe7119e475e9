/** A word index finds texts by their terms instead of the store. Core extracts the terms of texts and queries; they are compared exactly. */

import type { DerivedIndex, EntryFilter, IndexCollection } from "./derived-index.ts";

export type WordIndex = DerivedIndex<WordCollection>;

export interface WordCollection extends IndexCollection<WordEntry> {
	/** Statistics of the whole collection, regardless of filters. */
	readonly count: (groups: readonly TermGroup["terms"][]) => Promise<TermCounts>;
	/**
	 * The ids of texts with any of the terms, each once, at most `limit`, in the order of BM25. A group's frequency in a text is that of its
	 * most frequent term. Core computes the scores again.
	 */
	readonly match: (groups: readonly TermGroup[], limit: number, within: EntryFilter) => Promise<readonly string[]>;
	/**
	 * As `match`, and for each text how often it holds those of some terms that it has, its length in words, and in grams: then core reads no text
	 * to score it. Null where the index does not know that exactly.
	 */
	readonly matchCounted?: (
		groups: readonly TermGroup[],
		limit: number,
		within: EntryFilter,
		terms: readonly string[],
	) => Promise<readonly { readonly id: string; readonly counted: Pick<WordEntry, "terms" | "words" | "grams"> | null }[]>;
	/**
	 * Called before `count` and `match` with the terms that a search may ask about, while it looks for changes: an index over a network can
	 * read what it needs of them at once.
	 */
	readonly prepare?: (terms: readonly string[]) => Promise<void>;
	/**
	 * Those of the `spelled` words of all texts that contain any of these grams, each once, those with the most grams first. If an index
	 * lacks it, mistyped words are not found.
	 */
	readonly spellings?: (grams: readonly string[], limit: number) => Promise<readonly string[]>;
}

/** Alternative terms for one word of a query. */
export interface TermGroup {
	readonly terms: readonly string[];
	/** The weight of the word, greater than 0. */
	readonly weight: number;
}

export interface TermCounts {
	readonly texts: number;
	/** The sum of the lengths of all texts, in words. */
	readonly words: number;
	/** The same in grams. */
	readonly grams: number;
	/** For each group, how many texts contain any of its terms. */
	readonly holders: readonly number[];
}

export interface WordEntry {
	/** Consists of letters and digits. */
	readonly id: string;
	/** How often the text contains each term. A term has no white space; it may contain any other character. */
	readonly terms: ReadonlyMap<string, number>;
	/** The length of the text in words and in grams. */
	readonly words: number;
	readonly grams: number;
	/** The distinct words with their original spelling, with a `_` before and after each, for `spellings`. */
	readonly spelled: readonly string[];
	readonly containerTags: readonly string[];
}
