/** A text as runs of letters and digits, split where its script changes, so that `重跑gen-itgc后` has both parts. */

import { isAscii } from "./normalize.ts";

const pieces =
	/(?<unspaced>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)|(?<spaced>(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])[\p{L}\p{N}\p{M}])+)/gu;

/** Most English texts are of plain signs alone, and are parted in a quarter of the time. */
const asciiWords = /[A-Za-z0-9]+/g;

/** A longer word is none: it is cut, so that no index has to hold it. */
export const wordCharactersMax = 64;

export interface ScriptRun {
	/** A word where the script writes spaces, at most `wordCharactersMax` long; else all up to the next other sign. */
	readonly text: string;
	readonly isSpaced: boolean;
}

/** The words of a text of ASCII signs; null for any other text. */
export function asciiRuns(text: string): readonly string[] | null {
	return isAscii(text) ? plainWords(text) : null;
}

/** The words of a text of ASCII signs. */
export function plainWords(text: string): readonly string[] {
	const words = text.match(asciiWords) ?? [];
	return words.some((word) => word.length > wordCharactersMax) ? words.map((word) => word.slice(0, wordCharactersMax)) : words;
}

/** @param text as `normalize` or `lowered` gives it. */
export function* scriptRuns(text: string): Generator<ScriptRun> {
	if (isAscii(text)) {
		for (const word of plainWords(text)) yield { text: word, isSpaced: true };
		return;
	}
	for (const { groups } of text.matchAll(pieces)) {
		const unspaced = groups?.["unspaced"];
		if (unspaced === undefined) yield { text: (groups?.["spaced"] ?? "").slice(0, wordCharactersMax), isSpaced: true };
		else yield { text: unspaced, isSpaced: false };
	}
}
