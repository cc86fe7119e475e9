/** Converts a text to an entry of a word index. The text is analysed here, so that an index only compares terms and needs no language rules. */

import type { WordEntry } from "../plugin/contract.ts";
import { countWords } from "../ranking/words/count-words.ts";
import { gramTerm } from "../ranking/words/score-words.ts";

export function wordEntry(id: string, text: string, containerTags: readonly string[]): WordEntry {
	const { counts, length, spelled, grams } = countWords(text);
	const terms = new Map(counts);
	for (const [gram, count] of grams.counts) terms.set(gramTerm(gram), count);
	return { id, terms, words: length, grams: grams.length, spelled: [...spelled].map((word) => `_${word}_`), containerTags };
}
