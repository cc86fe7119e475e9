/**
 * The words of a text as the word index keeps them, the same on both sides. Latin and other spaced scripts give stemmed
 * words; Chinese, Japanese, Korean and Thai, which write no spaces, give single characters and overlapping pairs in the
 * index and pairs in the query. A run of text is split where its script changes, so that `重跑gen-itgc后` finds both parts.
 */

import { stemmer } from "stemmer";

const pieces =
	/(?<unspaced>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)|(?<spaced>(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])[\p{L}\p{N}\p{M}])+)/gu;
const latin = /^[a-z]+$/;
const wordCharactersMax = 64;

/** Words too common to tell texts apart. They are left out of a query that has others. */
const stopWords = new Set(
	"a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your".split(
		" ",
	),
);

/** The words under which a text is found, repeated as often as they occur. */
export function indexWords(text: string): string[] {
	const words: string[] = [];
	for (const { groups } of normalize(text).matchAll(pieces)) {
		// Pushed one by one: a run may be longer than the arguments a call can take.
		if (groups?.["unspaced"] !== undefined) for (const word of pairsAndSingles(groups["unspaced"])) words.push(word);
		else if (groups?.["spaced"] !== undefined) words.push(stem(groups["spaced"]));
	}
	return words;
}

/** The words to look for: each once, without stop words unless there is nothing else, at most `wordsMax`. */
export function queryWords(query: string, wordsMax: number): string[] {
	const all = new Set<string>();
	const telling = new Set<string>();
	for (const { groups } of normalize(query).matchAll(pieces)) {
		const run = groups?.["unspaced"];
		const word = groups?.["spaced"] ?? "";
		for (const found of run === undefined ? [stem(word)] : pairsOrSingle(run)) {
			all.add(found);
			if (!stopWords.has(word)) telling.add(found);
		}
	}
	return [...(telling.size > 0 ? telling : all)].slice(0, wordsMax);
}

export function isStopWord(word: string): boolean {
	return stopWords.has(word);
}

/** Compatibility forms folded together, lower case, accents off Latin letters: what is compared, never what is shown. */
export function normalize(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/(?<=[\p{Script=Latin}])\p{M}+/gu, "")
		.normalize("NFC")
		.toLowerCase()
		.replaceAll("ı", "i");
}

function* pairsAndSingles(run: string): Generator<string> {
	let before = "";
	for (const character of run) {
		if (before !== "") yield before + character;
		yield character;
		before = character;
	}
}

function pairsOrSingle(run: string): readonly string[] {
	const found = pairs(run);
	return found.length > 0 ? found : [run];
}

/** The pairs of neighbouring characters. */
function pairs(run: string): string[] {
	const characters = Array.from(run);
	return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The stems of the words seen of late: a text says most of its words many times, and finding a stem takes a dozen patterns. */
const knownStems = new Map<string, string>();
const knownStemsMax = 50_000;

function stem(word: string): string {
	const short = word.length > wordCharactersMax ? word.slice(0, wordCharactersMax) : word;
	if (!latin.test(short)) return short;
	const known = knownStems.get(short);
	if (known !== undefined) return known;
	if (knownStems.size >= knownStemsMax) knownStems.clear();
	const found = stemmer(short);
	knownStems.set(short, found);
	return found;
}
