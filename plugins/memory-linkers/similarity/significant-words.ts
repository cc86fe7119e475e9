/** The words of a statement that say something, with one form for each: `sold` and `sell`, `wedding` and `married` are one. */

import { indexWords, isStopWord } from "cairn-memory/words";

/** The stemmer knows endings; these change inside, or are other words for the same. */
const forms =
	"bought:buy sold:sell left:leave began:begin got:get went:go gone:go met:meet broke:break drove:drive driven:drive rode:ride ate:eat eaten:eat spoke:speak " +
	"taught:teach built:build became:become paid:pay won:win lost:lose kept:keep ran:run wrote:write written:write chose:choose gave:give grew:grow knew:know " +
	"held:hold led:lead spent:spend sent:send swam:swim flew:fly wore:wear wedding:marry married:marry marriage:marry";
const oneForm: ReadonlyMap<string, string> = new Map(forms.split(" ").map((pair): [string, string] => [pair.split(":")[0] ?? "", pair.split(":")[1] ?? ""]));
/** They turn a sentence or mark a change, and are no part of what it says. */
const markers =
	/\b(?:not|no longer|never|stopped|quit|doesn't|don't|isn't|aren't|wasn't|won't|can't|hasn't|haven't|gave up|anymore|now|currently|instead|any more|again|dislikes?|hates?|likes?|loves?|enjoys?|prefers?|does|do|did|has|have|had|user)\b/g;
/** Names of days and months are values, as numbers are. */
const values =
	/\b\d+(?:[.,:]\d+)*\b|\b(?:once|twice)(?= (?:an?|per|every|each)\b)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)\b/g;

/** They go with anything: that two statements share them shows nothing. */
const anywhere = new Set(
	indexWords(
		"time day days week month year hour minute today yesterday tomorrow tonight ago soon late early thing stuff lot lots bit way kind sort people someone something anything everything everyone one two " +
			"good great nice bad better best fine cool amazing awesome sure big small little old new much many really actually definitely pretty probably also still just maybe yes yeah okay oh wow well like love hope think know mean guess feel look see say said tell told hear make made do done get got go going went come came take took put give want need try let keep use enjoy sound seem help start find " +
			"work back right always never ever often usually sometimes enough else around away next first last long far real whole own same different",
	),
);

/** Those of the words that two statements about one thing would share. */
export function pointedWords(words: Iterable<string>): readonly string[] {
	return [...words].filter((word) => !anywhere.has(word));
}

/** Names, things and whole statements come again with every comparison. */
const known = new Map<string, readonly string[]>();
/** About 200 bytes each. */
const knownMax = 20_000;

export function tellingWords(plain: string): readonly string[] {
	const before = known.get(plain);
	if (before !== undefined) return before;
	if (known.size >= knownMax) known.clear();
	const found = tellingWordsIn(plain);
	known.set(plain, found);
	return found;
}

function tellingWordsIn(plain: string): readonly string[] {
	const spelled = plain.replaceAll(markers, " ").replace(/\p{L}+/gu, (word) => (isStopWord(word) ? " " : (oneForm.get(word) ?? word)));
	return indexWords(spelled).filter((word) => word.length > 1);
}

/** Numbers, days and months in the order they stand, so that two statements can differ in nothing else. */
export function valuesOf(plain: string): readonly string[] {
	return plain.match(values) ?? [];
}

export function withoutValues(plain: string): string {
	return plain.replaceAll(values, " ");
}

/** The share of the smaller set that is in the other. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	const smaller = Math.min(a.size, b.size);
	return smaller === 0 ? 0 : shared(a, b) / smaller;
}

export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	let count = 0;
	for (const word of a) if (b.has(word)) count++;
	return count;
}
