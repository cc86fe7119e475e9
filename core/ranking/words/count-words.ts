/** How often each term is in a text. Terms are its words, their stems in the languages of the text, and their grams. */

import { gramsOf } from "./grams.ts";
import { readWords } from "./read-words.ts";

/** Increased whenever `countWords` or `readWords` gives something else for a text. Whatever an index keeps of another version is made anew. */
export const analysisVersion = 1;

/** What a text is scored by. */
export interface ScoredCounts extends Counts {
	readonly grams: Counts;
}

/** `counts` are by word and by stem. The stems do not add to `length`, the number of words. */
export interface WordCounts extends ScoredCounts {
	readonly spelled: ReadonlySet<string>;
}

export interface Counts {
	readonly counts: ReadonlyMap<string, number>;
	readonly length: number;
}

export function countWords(text: string): WordCounts {
	const { words, stems, spelled } = readWords(text);
	const spellings = counted(spelled);
	return { counts: counted([...words, ...stems]), length: words.length, spelled: new Set(spellings.keys()), grams: gramCounts(spellings) };
}

/** A text repeats many of its words, so each is cut once. */
function gramCounts(spellings: ReadonlyMap<string, number>): Counts {
	const counts = new Map<string, number>();
	let length = 0;
	for (const [word, times] of spellings) {
		for (const gram of gramsOf(word)) {
			counts.set(gram, (counts.get(gram) ?? 0) + times);
			length += times;
		}
	}
	return { counts, length };
}

function counted(words: readonly string[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}
