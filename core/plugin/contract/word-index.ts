/** What keeps the terms of texts beside the store and finds the texts that hold some. Core takes texts and queries apart; a term is compared as it is. */

import type { FedCollection, FedIndex, Within } from "./fed-index.ts";

export type WordIndex = FedIndex<WordCollection>;

export interface WordCollection extends FedCollection<WordEntry> {
	/** Of the whole collection, whatever may be answered. */
	readonly count: (groups: readonly TermGroup["terms"][]) => Promise<TermCounts>;
	/**
	 * The ids of texts that hold any of the terms, each once, at most `limit`, those first whose words tell most, as BM25 has
	 * it: a group counts as often as that of its terms which the text holds most. Core scores anew what is answered.
	 */
	readonly match: (groups: readonly TermGroup[], limit: number, within: Within) => Promise<readonly string[]>;
	/**
	 * Of `spelled` of all texts those that hold one of these runs of letters, each once, those that hold most of them first. Absent
	 * for an index that does without: then a mistyped word finds nothing by its letters.
	 */
	readonly spellings?: (grams: readonly string[], limit: number) => Promise<readonly string[]>;
}

/** Several terms that stand for one word of a query. */
export interface TermGroup {
	readonly terms: readonly string[];
	/** What the word counts, more than 0. */
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
	/** The different words as they are spelled, with a `_` before and after: what `spellings` looks through. */
	readonly spelled: readonly string[];
	readonly containerTags: readonly string[];
}
