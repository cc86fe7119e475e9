/** The words of a text as the model counts them: those of the word index, or its signs where there is no word. */

import { indexWords, normalize } from "cairn-memory";

/** Where a text without a single sign goes: it has a vector of its own, near nothing that has words. */
const emptyWord = "\u0000";

export function wordsOf(text: string): readonly string[] {
	const words = indexWords(text);
	if (words.length > 0) return words;
	const signs = [...normalize(text).replace(/\s+/g, "")];
	return signs.length > 0 ? signs : [emptyWord];
}
