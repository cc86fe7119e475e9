/** Which words have a row of their own, and how often each is met. */

import type { Corpus } from "./data/corpus.ts";

export interface Vocabulary {
	/** The most frequent word first. */
	readonly words: readonly string[];
	readonly counts: readonly number[];
	/** Of all words, also those without a row. */
	readonly total: number;
	/** By the number of a word in the corpus: its row, or -1. */
	readonly rowOf: Int32Array;
}

/** Longer ones are addresses and accidents. */
const wordCharactersMax = 30;

export function chooseVocabulary({ words, sources }: Corpus, size: number): Vocabulary {
	const counts = new Uint32Array(words.length);
	let total = 0;
	for (const { texts } of sources) {
		total += texts.numbers.length;
		for (const number of texts.numbers) counts[number] = (counts[number] ?? 0) + 1;
	}
	const candidates = [...counts.keys()].filter((number) => isWord(words[number] ?? ""));
	// Equal counts stay in the order in which the words were met, so that the same data give the same vocabulary.
	const chosen = candidates.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b).slice(0, size);
	const rowOf = new Int32Array(words.length).fill(-1);
	for (const [row, number] of chosen.entries()) rowOf[number] = row;
	return { words: chosen.map((number) => words[number] ?? ""), counts: chosen.map((number) => counts[number] ?? 0), total, rowOf };
}

/** The file keeps one word a line. */
function isWord(word: string): boolean {
	return word.length > 0 && word.length <= wordCharactersMax && !/\s/.test(word);
}
