/** A text as words, in the form in which they are compared: normalised, parted where the script changes, in pairs where no spaces are written, with English stems. */

import { stemmer } from "stemmer";
import { limits } from "../../model/limits.ts";

const otherThanAscii = /[^\p{ASCII}]/u;

/** Never shown: compatibility forms folded together, lower case, accents off Latin letters. */
export function normalize(text: string): string {
	// Of plain signs there is nothing to fold, and most texts have no others.
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
 * What is looked for, however it is spelled: one sign of Arabic becomes eighteen when it is normalised (U+FDFA), and a query of
 * so many as are allowed shall not take the time of eighteen. What is longer by itself keeps its length.
 * @param text as `normalize` or `lowered` gives it
 */
export function noLonger(text: string, query: string): string {
	const most = Math.max(query.length, limits.queryCharactersMax);
	if (text.length <= most) return text;
	// Not within a word, where words are: half of one is another.
	const blank = text.lastIndexOf(" ", most);
	return text.slice(0, blank > 0 ? blank : most);
}

/** The same with its accents: what a stemmer of the language wants to see. Turkish writes its small i without a dot. */
export function lowered(text: string): string {
	return text.normalize("NFKC").replaceAll("İ", "i").toLowerCase();
}

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

/** Split where the script changes, so that `重跑gen-itgc后` has both parts. @param text as `normalize` or `lowered` gives it. */
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

/** The terms of a text in a script without spaces: its characters, and every two neighbours. */
export function* pairsAndSingles(run: string): Generator<string> {
	let before = "";
	for (const character of run) {
		if (before !== "") yield before + character;
		yield character;
		before = character;
	}
}

/** What to look for: its pairs, since they tell more, or the only character. */
export function pairsOrSingle(run: string): readonly string[] {
	const characters = Array.from(run);
	const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`);
	return pairs.length > 0 ? pairs : [run];
}

const latin = /^[a-z]+$/;

/** Words too common to tell texts apart. They are left out of a query that has others. */
const stopWords = new Set(
	"a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your".split(
		" ",
	),
);

/** The stems of the words seen of late: a text says most of its words many times, and finding a stem takes a dozen patterns. */
const known = new Map<string, string>();
const knownMax = 50_000;

export function isStopWord(word: string): boolean {
	return stopWords.has(word);
}

/** After Porter; every word in Latin letters is looked up by its English stem first. What is not in plain Latin letters stays as it is. */
export function englishStem(word: string): string {
	const before = known.get(word);
	if (before !== undefined) return before;
	if (!latin.test(word)) return word;
	if (known.size >= knownMax) known.clear();
	const found = stemmer(word);
	known.set(word, found);
	return found;
}
