/**
 * Which languages a text is in, by its script and its most frequent words. The table is a few kilobytes, and a text takes
 * microseconds. The trained detectors that were tried needed 15 to 75 MB per thread, or were wrong more often on short texts.
 */

import { type Language, languages, type Script, scripts } from "./languages.ts";
import { normalize, scriptRuns } from "./split-words.ts";

/** Most texts have only Latin letters, and need not be searched for each other script. */
const otherThanLatin = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const accented = /[^\p{ASCII}]/u;

/** Letters that only one language of a script has. The first pattern that matches counts. */
const significantLetters: readonly (readonly [string, RegExp])[] = [
	["uk", /[іїєґ]/],
	["sr", /[ђћџљњј]/],
	["ru", /[ыэё]/],
	["ur", /[ٹڈڑںےہ]/],
	["fa", /[پچژگی]/],
	["ne", /छ/],
	["de", /ß/],
	["ro", /[țșăţş]\p{L}*[țșăîâ]|[țș]/u],
	["hu", /[őű]/],
	["tr", /[ığ]|ş\p{L}*[öüç]/u],
	["pl", /[ąęłńśźż]\p{L}*[ąęłńśźżó]|ł/u],
	["cs", /[ěřů]/],
	["lt", /[ėįų]/],
	["vi", /[ơưđạảấầẩậắặẻẽếềểễệỉịọỏốồổỗộớờợụủứừửữựỳỵỷỹ]/],
	["es", /[ñ¿¡]/],
	["pt", /[ãõ]/],
];

/** Only this much of a text is read: a language that does not appear in it is not expected later. */
export const wordsRead = 300;
const charactersRead = 4_000;
/** A text also has a second language if at least this many small words show it, and at least half as many as show the first. */
const secondMin = 3;
/** How many small words show a language. A small word of two languages counts half for each, and a small word of a single letter counts little. */
const sureMin = 0.6;
const letterWorth = 0.05;
/** If a text does not decide between languages, all of them are taken, unless they are more than this. */
const tiedMax = 12;

/** By small word, the languages that have it, as indexes in the list of languages. It is looked up for each word of a text. */
const speakersOf = new Map<string, number[]>();
for (const [index, { small }] of languages.entries()) {
	for (const word of new Set(small.map(normalize))) speakersOf.set(word, [...(speakersOf.get(word) ?? []), index]);
}

/** The languages of a text, the most likely first; none if nothing in the text shows one. A text in two languages has both. */
export function languagesOf(text: string): readonly Language[] {
	return amongScripts(text, wordsOf(text), sure);
}

/**
 * Like `languagesOf`, but with all languages that a short text may be in: the small word of `contrato de alquiler` is one of several
 * languages. If English is among them, none is returned, because every word has its English stem anyway.
 * @param words its first `wordsRead` words, as `normalize` and `scriptRuns` give them
 */
export function possibleLanguagesOf(text: string, words: readonly string[] = wordsOf(text)): readonly Language[] {
	return amongScripts(text, words, (ranked) => {
		const found = sure(ranked);
		const most = ranked[0]?.[1] ?? 0;
		const tied = ranked.filter(([, count]) => count === most).map(([language]) => language);
		const isDecisive = most > letterWorth && tied.length <= tiedMax && !tied.some(({ code }) => code === "en");
		return found.length > 0 || !isDecisive ? found : tied;
	});
}

function wordsOf(text: string): readonly string[] {
	const words: string[] = [];
	for (const { text: word, isSpaced } of scriptRuns(normalize(text.slice(0, charactersRead)))) {
		if (isSpaced && words.push(word) === wordsRead) break;
	}
	return words;
}

type Ranked = readonly (readonly [Language, number])[];

function amongScripts(text: string, words: readonly string[], choose: (ranked: Ranked) => readonly Language[]): readonly Language[] {
	const start = text.slice(0, charactersRead);
	const found: Language[] = [];
	for (const script of scriptsOf(start)) {
		const known = languages.filter((language) => language.script === script);
		if (known.length > 1) found.push(...chosen(script, known, choose(rankedRelatives(script, start, words))));
		else if (script !== "Han" || !found.some(({ code }) => code === "ja")) found.push(...known);
	}
	return found;
}

function scriptsOf(text: string): readonly Script[] {
	if (!accented.test(text) || !otherThanLatin.test(text)) return ["Latin"];
	return [...scripts].filter(([, pattern]) => pattern.test(text)).map(([script]) => script);
}

/** Whether this is one of the most frequent words of the language. */
export function isSmallWord(word: string, { code }: Language): boolean {
	return speakersOf.get(normalize(word))?.some((index) => languages[index]?.code === code) ?? false;
}

function sure(ranked: Ranked): readonly Language[] {
	const most = ranked[0]?.[1] ?? 0;
	if (most < sureMin) return [];
	return ranked.filter(([, count], i) => i === 0 || (i === 1 && count >= secondMin && count * 2 >= most)).map(([language]) => language);
}

/** In scripts other than Latin, any language of the script is better than none, because the stems of related languages are similar. */
function chosen(script: Script, known: readonly Language[], found: readonly Language[]): readonly Language[] {
	return found.length === 0 && script !== "Latin" ? known.slice(0, 1) : found;
}

/** Each small word is divided among the languages that have it. A letter that only one of them has counts as two words. */
function rankedRelatives(script: Script, text: string, words: readonly string[]): Ranked {
	const counts = new Float64Array(languages.length);
	for (const word of words) {
		const speakers = speakersOf.get(word);
		if (speakers === undefined || languages[speakers[0] ?? 0]?.script !== script) continue;
		const worth = (word.length === 1 && script === "Latin" ? letterWorth : 1) / speakers.length;
		for (const index of speakers) counts[index] = (counts[index] ?? 0) + worth;
	}
	if (accented.test(text)) addLetters(script, text, counts);
	const ranked = languages.flatMap((language, index) => ((counts[index] ?? 0) > 0 ? [[language, counts[index] ?? 0] as const] : []));
	return ranked.sort((a, b) => b[1] - a[1]);
}

function addLetters(script: Script, text: string, counts: Float64Array): void {
	const letters = text.normalize("NFC").toLowerCase();
	for (const [code, pattern] of significantLetters) {
		const index = languages.findIndex((language) => language.code === code && language.script === script);
		if (index >= 0 && pattern.test(letters)) counts[index] = (counts[index] ?? 0) + 2;
	}
}
