/**
 * Converts a text to an entry of a word index, and the counts of an entry to those that a text is scored by. The text is analysed here, so that
 * an index only compares terms and needs no language rules.
 */

import type { WordEntry } from "../plugin/contract.ts";
import { countWords, type ScoredCounts } from "../ranking/words/count-words.ts";
import { gramOf, gramTerm, isGramTerm } from "../ranking/words/score-words.ts";

export function wordEntry(id: string, text: string, containerTags: readonly string[]): WordEntry {
	const { counts, length, spelled, grams } = countWords(text);
	const terms = new Map(counts);
	for (const [gram, count] of grams.counts) terms.set(gramTerm(gram), count);
	return { id, terms, words: length, grams: grams.length, spelled: [...spelled].map((word) => `_${word}_`), containerTags };
}

/** The words are left among the terms with the grams, since no word is a gram's term. */
export function countsOfEntry({ terms, words, grams }: Pick<WordEntry, "terms" | "words" | "grams">): ScoredCounts {
	const gramCounts = new Map<string, number>();
	for (const [term, count] of terms) if (isGramTerm(term)) gramCounts.set(gramOf(term), count);
	return { counts: terms, length: words, grams: { counts: gramCounts, length: grams } };
}
