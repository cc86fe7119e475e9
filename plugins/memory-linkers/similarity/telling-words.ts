/** The words of a statement that say something, with one form for each: `sold` and `sell`, `wedding` and `married` are one. */

import { indexWords, isStopWord } from "cairn-memory";

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

export function tellingWords(plain: string): readonly string[] {
	const spelled = plain.replaceAll(markers, " ").replace(/\p{L}+/gu, (word) => oneForm.get(word) ?? word);
	return indexWords(spelled).filter((word) => !isStopWord(word) && word.length > 1);
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
