/**
 * Which languages a text is in, by its script and its most frequent words. The table is a few kilobytes, and a text takes
 * microseconds. The trained detectors that were tried needed 15 to 75 MB per thread, or were wrong more often on short texts.
 */

import { type Language, languages, type Script, scripts } from "./languages.ts";
import { normalize, scriptRuns } from "./split-words.ts";

/** Most texts have none of these, and need not be searched for each script. */
const otherThanLatin = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const accented = /[^\p{ASCII}]/u;

/** Letters that one language of a script has and its relatives lack; the first that fits counts. */
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

/** A text is read so far: what has not shown itself by then will not. */
export const wordsRead = 300;
const charactersRead = 4_000;
/** The second language of a text counts when it shows itself so often, and at least half as often as the first. */
const secondMin = 3;
/** One small word of two languages proves neither, and a single letter stands for many things. */
const sureMin = 0.6;
const letterWorth = 0.05;
/** Up to so many languages are all taken when the text does not decide between them. */
const tiedMax = 12;

/** By small word the languages that say it, by their place in the list: it is looked up for each word of a text. */
const speakersOf = new Map<string, number[]>();
for (const [place, { small }] of languages.entries()) {
	for (const word of new Set(small.map(normalize))) speakersOf.set(word, [...(speakersOf.get(word) ?? []), place]);
}

/** The likeliest first, none when the text gives no sign; a text in two languages has both. */
export function languagesOf(text: string): readonly Language[] {
	return amongScripts(text, wordsOf(text), sure);
}

/**
 * Also those that a short text may be in: of `contrato de alquiler` its small word allows several. What may be English is taken for it.
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

/** Whether this is one of the words that its language says all the time. */
export function isSmallWord(word: string, { code }: Language): boolean {
	return speakersOf.get(normalize(word))?.some((place) => languages[place]?.code === code) ?? false;
}

function sure(ranked: Ranked): readonly Language[] {
	const most = ranked[0]?.[1] ?? 0;
	if (most < sureMin) return [];
	return ranked.filter(([, count], i) => i === 0 || (i === 1 && count >= secondMin && count * 2 >= most)).map(([language]) => language);
}

/** Outside Latin an unknown relative is better than none: the stems of neighbours are much alike. */
function chosen(script: Script, known: readonly Language[], found: readonly Language[]): readonly Language[] {
	return found.length === 0 && script !== "Latin" ? known.slice(0, 1) : found;
}

/** Each small word is shared out among the languages that say it. A letter that only one of them writes is worth two words. */
function rankedRelatives(script: Script, text: string, words: readonly string[]): Ranked {
	const counts = new Float64Array(languages.length);
	for (const word of words) {
		const speakers = speakersOf.get(word);
		if (speakers === undefined || languages[speakers[0] ?? 0]?.script !== script) continue;
		const worth = (word.length === 1 && script === "Latin" ? letterWorth : 1) / speakers.length;
		for (const place of speakers) counts[place] = (counts[place] ?? 0) + worth;
	}
	if (accented.test(text)) addLetters(script, text, counts);
	const ranked = languages.flatMap((language, place) => ((counts[place] ?? 0) > 0 ? [[language, counts[place] ?? 0] as const] : []));
	return ranked.sort((a, b) => b[1] - a[1]);
}

function addLetters(script: Script, text: string, counts: Float64Array): void {
	const letters = text.normalize("NFC").toLowerCase();
	for (const [code, pattern] of significantLetters) {
		const place = languages.findIndex((language) => language.code === code && language.script === script);
		if (place >= 0 && pattern.test(letters)) counts[place] = (counts[place] ?? 0) + 2;
	}
}
