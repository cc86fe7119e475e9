/** The significant words of a statement, with one form for each: `sold` becomes `sell`, and `wedding` and `married` become `marry`. */

import { BoundedMap, indexWords, isStopWord } from "cairn-memory/words";
import { scanWords } from "./scan-words.ts";

/** Words that the stemmer cannot reduce, because they change inside or are other words for the same thing. */
const forms =
	"bought:buy sold:sell left:leave began:begin got:get went:go gone:go met:meet broke:break drove:drive driven:drive rode:ride ate:eat eaten:eat spoke:speak " +
	"taught:teach built:build became:become paid:pay won:win lost:lose kept:keep ran:run wrote:write written:write chose:choose gave:give grew:grow knew:know " +
	"held:hold led:lead spent:spend sent:send swam:swim flew:fly wore:wear wedding:marry married:marry marriage:marry";
const baseForms: ReadonlyMap<string, string> = new Map(forms.split(" ").map((pair): [string, string] => [pair.split(":")[0] ?? "", pair.split(":")[1] ?? ""]));
/** Words that negate a sentence, mark a change or state a liking. They are not part of what it is about. */
const markers =
	/\b(?:not|no longer|never|stopped|quit|doesn't|don't|isn't|aren't|wasn't|won't|can't|hasn't|haven't|gave up|anymore|now|currently|instead|any more|again|dislikes?|hates?|likes?|loves?|enjoys?|prefers?|does|do|did|has|have|had|user)\b/g;
/** Numbers, and the names of days and months. */
const values =
	/\b\d+(?:[.,:]\d+)*\b|\b(?:once|twice)(?= (?:an?|per|every|each)\b)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)\b/g;

/** Words that occur in statements about anything, so that sharing them shows nothing. */
const commonWords = new Set(
	indexWords(
		"time day days week month year hour minute today yesterday tomorrow tonight ago soon late early thing stuff lot lots bit way kind sort people someone something anything everything everyone one two " +
			"good great nice bad better best fine cool amazing awesome sure big small little old new much many really actually definitely pretty probably also still just maybe yes yeah okay oh wow well like love hope think know mean guess feel look see say said tell told hear make made do done get got go going went come came take took put give want need try let keep use enjoy sound seem help start find " +
			"work back right always never ever often usually sometimes enough else around away next first last long far real whole own same different",
	),
);

/** The words that show what a statement is about. */
export function distinctiveWords(words: Iterable<string>): readonly string[] {
	return [...words].filter((word) => !commonWords.has(word));
}

/** A cache, because the same names, things and statements are compared again and again. About 500 bytes per entry. */
const cache = new BoundedMap<string, readonly string[]>(10_000);

export function significantWords(plain: string): readonly string[] {
	const cached = cache.get(plain);
	if (cached !== undefined) return cached;
	const words = findWords(plain);
	cache.set(plain, words);
	return words;
}

/** The words with which `markers` begin; of `doesn't` only what comes before the apostrophe. */
const firstOfMarker =
	/^(?:not|no|never|stopped|quit|doesn|don|isn|aren|wasn|won|can|hasn|haven|gave|anymore|now|currently|instead|any|again|dislikes?|hates?|likes?|loves?|enjoys?|prefers?|does|do|did|has|have|had|user)$/;
/** Stands for a word that may begin a marker: the markers of its text have to be removed first. */
const maybeMarker: readonly string[] = [];

function findWords(plain: string): readonly string[] {
	const { words, isAscii } = scanWords(plain);
	if (!isAscii) return wordsWithoutMarkers(plain.replaceAll(markers, " "));
	const found: string[] = [];
	for (const word of words) {
		word.significant ??= firstOfMarker.test(word.text) ? maybeMarker : wordsWithoutMarkers(word.text);
		if (word.significant === maybeMarker) return wordsWithoutMarkers(plain.replaceAll(markers, " "));
		for (const one of word.significant) found.push(one);
	}
	return found;
}

function wordsWithoutMarkers(plain: string): readonly string[] {
	const inBaseForm = plain.replace(/\p{L}+/gu, (word) => (isStopWord(word) ? " " : (baseForms.get(word) ?? word)));
	return indexWords(inBaseForm).filter((word) => word.length > 1);
}

/** Numbers, days and months in the order of the text. */
export function valuesOf(plain: string): readonly string[] {
	return plain.match(values) ?? [];
}

export function withoutValues(plain: string): string {
	return plain.replaceAll(values, " ");
}

/** Whether one of them has all words of the other. Without words nothing is known. */
export function isPartOfOther(a: readonly string[], b: readonly string[]): boolean {
	if (a.length === 0 || b.length === 0) return false;
	return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** How many words both sets have. */
export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	let count = 0;
	for (const word of a) if (b.has(word)) count++;
	return count;
}
