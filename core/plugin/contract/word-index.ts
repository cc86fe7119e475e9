/** A word index finds texts by their terms, beside the store. Core analyses texts and queries; terms are compared exactly. */

import type { FedCollection, FedIndex, Within } from "./fed-index.ts";

export type WordIndex = FedIndex<WordCollection>;

export interface WordCollection extends FedCollection<WordEntry> {
	/** Statistics of the whole collection, regardless of filters. */
	readonly count: (groups: readonly TermGroup["terms"][]) => Promise<TermCounts>;
	/**
	 * The ids of texts with any of the terms, each once, at most `limit`, in the order of BM25. A group's frequency in a text is that
	 * of its most frequent term. Core computes the scores anew.
	 */
	readonly match: (groups: readonly TermGroup[], limit: number, within: Within) => Promise<readonly string[]>;
	/**
	 * Of `spelled` of all texts those that hold one of these runs of letters, each once, those that hold most of them first. Absent
	 * for an index that does without: then a mistyped word finds nothing by its letters.
	 */
	readonly spellings?: (grams: readonly string[], limit: number) => Promise<readonly string[]>;
}

/** Alternative terms for one word of a query. */
export interface TermGroup {
	readonly terms: readonly string[];
	/** The weight of the word, above 0. */
	readonly weight: number;
}

export interface TermCounts {
	readonly texts: number;
	/** The lengths of all texts together. */
	readonly words: number;
	readonly grams: number;
	/** For each group how many texts hold any of its terms. */
	readonly holders: readonly number[];
}

export interface WordEntry {
	/** Letters and digits. */
	readonly id: string;
	/** How often the text holds each. No term holds white space; any other character may be in it. */
	readonly terms: ReadonlyMap<string, number>;
	/** How long the text is. */
	readonly words: number;
	readonly grams: number;
	/** The distinct words as spelled, with a `_` before and after, for `spellings`. */
	readonly spelled: readonly string[];
	readonly containerTags: readonly string[];
}
