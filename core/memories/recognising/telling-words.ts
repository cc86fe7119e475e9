/** The words that distinguish a statement from others: all words but stop words, stemmed. */

import { indexWords, isStopWord } from "../../ranking/words.ts";

/** Sentences with fewer telling words, such as "Yes." or "It was great.", fit many things. */
const tellingMin = 2;

export function isTelling(text: string): boolean {
	return tellingWords(text).size >= tellingMin;
}

/** How much of the shorter text's telling words the other one has, from 0 to 1. */
export function tellingShare(a: string, b: string): number {
	const [words, others] = [tellingWords(a), tellingWords(b)];
	const size = Math.min(words.size, others.size);
	return size === 0 ? 0 : words.intersection(others).size / size;
}

function tellingWords(text: string): ReadonlySet<string> {
	return new Set(indexWords(text).filter((word) => !isStopWord(word)));
}
