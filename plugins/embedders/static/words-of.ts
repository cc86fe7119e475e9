/** The words of a text for the model: those of the word index, or its characters where there are no words. */

import { indexWords, normalize } from "cairn-memory";

/** The word of an empty text: it has a vector of its own, near no text with words. */
const emptyWord = "\u0000";

export function wordsOf(text: string): readonly string[] {
	const words = indexWords(text);
	if (words.length > 0) return words;
	const signs = [...normalize(text).replace(/\s+/g, "")];
	return signs.length > 0 ? signs : [emptyWord];
}
