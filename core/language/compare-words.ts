/** Normalises and compares the words of two sentences. */

import { isStopWord, normalize } from "../ranking/words.ts";

/** Replaces "Ana's" by "Ana", and "mum" and "dad" by "mother" and "father". */
export function normaliseFamilyWords(text: string): string {
	return text
		.replaceAll(/['’]s\b/g, "")
		.replaceAll(/\b(?:dad(?:dy)?|papa)\b/gi, "father")
		.replaceAll(/\b(?:mum(?:my)?|mom(?:my)?|mama)\b/gi, "mother");
}

/** The capitalised words in their order, without stop words and "User". */
export function capitalised(text: string): readonly string[] {
	return (text.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []).filter((name) => name !== "User" && !isStopWord(normalize(name)));
}

/** Whether one of the words equals this one apart from its ending: most languages change the last characters of words and names. */
export function matchesAny(word: string, words: readonly string[]): boolean {
	const stem = word.slice(0, Math.max(4, word.length - 2));
	const withFinalI = (other: string) => other.replace(/y$/, "i");
	return words.some((other) => withFinalI(other) === withFinalI(word) || (stem.length >= 4 && other.startsWith(stem)));
}
