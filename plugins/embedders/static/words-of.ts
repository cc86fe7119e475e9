/** The words of a text for the model: those of the word index, or its characters if it has no words. */

import { indexWords, normalize } from "cairn-memory/words";

/** Stands for an empty text, so that it has a vector of its own, far from any text with words. */
const emptyWord = "\u0000";

export function wordsOf(text: string): readonly string[] {
	const words = indexWords(text);
	if (words.length > 0) return words;
	const characters = [...normalize(text).replace(/\s+/g, "")];
	return characters.length > 0 ? characters : [emptyWord];
}
