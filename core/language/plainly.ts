/** Words of two sentences, made alike so that they can be compared. */

import { isStopWord, normalize } from "../ranking/words.ts";

/** "Ana's" is Ana, and her mum is her mother. */
export function plainly(text: string): string {
	return text
		.replaceAll(/['’]s\b/g, "")
		.replaceAll(/\b(?:dad(?:dy)?|papa)\b/gi, "father")
		.replaceAll(/\b(?:mum(?:my)?|mom(?:my)?|mama)\b/gi, "mother");
}

/** Words with a capital, in their order, that say more than where a sentence begins. */
export function capitalised(text: string): readonly string[] {
	return (text.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []).filter((name) => name !== "User" && !isStopWord(normalize(name)));
}

/** Words and names have endings in many languages: what is left without the ending has to be the same. */
export function matchesAny(word: string, words: readonly string[]): boolean {
	const start = word.slice(0, Math.max(4, word.length - 2));
	const ends = (other: string) => other.replace(/y$/, "i");
	return words.some((other) => ends(other) === ends(word) || (start.length >= 4 && other.startsWith(start)));
}
