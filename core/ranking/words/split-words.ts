/** Splits texts into comparable words: normalised, split where the script changes, in pairs for scripts without spaces, and with English stems. */

import { stemmer } from "stemmer";
import { limits } from "../../model/limits.ts";
import { BoundedMap } from "../../text/bounded-map.ts";
import { ownCopy } from "../../text/own-copy.ts";

const otherThanAscii = /[^\p{ASCII}]/u;

/** Normalises a text for comparison: compatibility forms are folded, letters are lower case, and Latin letters have no accents. The result is never shown. */
export function normalize(text: string): string {
	// In ASCII there is nothing to fold, and most texts are ASCII.
	if (isAscii(text)) return text.toLowerCase();
	return text
		.normalize("NFKD")
		.replace(/(?<=[\p{Script=Latin}])\p{M}+/gu, "")
		.normalize("NFC")
		.toLowerCase()
		.replaceAll("ı", "i");
}

export function isAscii(text: string): boolean {
	return !otherThanAscii.test(text);
}

/**
 * Cuts a normalised query to the length of the query itself, or to the longest that is allowed if that is more. Normalising may make a
 * text longer: one Arabic character becomes eighteen (U+FDFA). Without this, a query of such characters would take eighteen times as long.
 * @param text as `normalize` or `lowered` gives it
 */
export function noLonger(text: string, query: string): string {
	const most = Math.max(query.length, limits.queryCharactersMax);
	if (text.length <= most) return text;
	// The cut is between two words, because half a word is another word. Scripts without spaces are cut anywhere.
	const blank = text.lastIndexOf(" ", most);
	return text.slice(0, blank > 0 ? blank : most);
}

/** Like `normalize`, but with accents, because stemmers need them. Turkish has an i without a dot. */
export function lowered(text: string): string {
	return text.normalize("NFKC").replaceAll("İ", "i").toLowerCase();
}

const pieces =
	/(?<unspaced>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)|(?<spaced>(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])[\p{L}\p{N}\p{M}])+)/gu;

/** Most English texts are ASCII, and are split in a quarter of the time. */
const asciiWords = /[A-Za-z0-9]+/g;

/** Longer words are cut, so that an index does not store very long ones. */
export const wordCharactersMax = 64;

export interface ScriptRun {
	/** In a script with spaces, a word of at most `wordCharactersMax`; in other scripts, all letters in a row. */
	readonly text: string;
	readonly isSpaced: boolean;
}

/** The words of an ASCII text; null for any other text. */
export function asciiRuns(text: string): readonly string[] | null {
	return isAscii(text) ? plainWords(text) : null;
}

/** The words of an ASCII text. */
export function plainWords(text: string): readonly string[] {
	const words = text.match(asciiWords) ?? [];
	return words.some((word) => word.length > wordCharactersMax) ? words.map((word) => word.slice(0, wordCharactersMax)) : words;
}

/** Splits a text also where the script changes, so that the parts of `重跑gen-itgc后` are found. @param text as `normalize` or `lowered` gives it. */
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

/** The terms for letters of a script without spaces: each character, and each pair of neighbouring characters. */
export function* pairsAndSingles(run: string): Generator<string> {
	let before = "";
	for (const character of run) {
		if (before !== "") yield before + character;
		yield character;
		before = character;
	}
}

/** The query terms for such letters: only the pairs, since they are more specific, or the character if there is only one. */
export function pairsOrSingle(run: string): readonly string[] {
	const characters = Array.from(run);
	const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`);
	return pairs.length > 0 ? pairs : [run];
}

const latin = /^[a-z]+$/;

/** Words that are in nearly all texts. They are left out of a query that has other words. */
const stopWords = new Set(
	"a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your".split(
		" ",
	),
);

/** A cache of stems: texts repeat most of their words, and stemming a word takes a dozen patterns. About 100 bytes per entry. */
const known = new BoundedMap<string, string>(20_000);

export function isStopWord(word: string): boolean {
	return stopWords.has(word);
}

/** The stem of a word by Porter. Every word in the letters a to z gets its English stem, in any language. Other words are returned unchanged. */
export function englishStem(word: string): string {
	const before = known.get(word);
	if (before !== undefined) return before;
	if (!latin.test(word)) return word;
	const found = stemmer(word);
	known.set(ownCopy(word), ownCopy(found));
	return found;
}
