/** English stems and stop words. Every word in Latin letters is looked up by its English stem first. */

import { stemmer } from "stemmer";

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

/** After Porter; what is not in plain Latin letters stays as it is. */
export function englishStem(word: string): string {
	const before = known.get(word);
	if (before !== undefined) return before;
	if (!latin.test(word)) return word;
	if (known.size >= knownMax) known.clear();
	const found = stemmer(word);
	known.set(word, found);
	return found;
}
