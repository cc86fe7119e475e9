/**
 * Splits texts and queries into words for the word index. Scripts with spaces, such as Latin, give stemmed words. Chinese, Japanese, Korean
 * and Thai are written without spaces: a text gives single characters and overlapping pairs, a query gives pairs. The other ways to find a
 * word, by stems of other languages and by grams, are in `words/`.
 */

import { englishStem, isAscii, isStopWord, noLonger, normalize, pairsAndSingles, pairsOrSingle, plainWords, scriptRuns } from "./words/split-words.ts";

export { isStopWord, normalize };

/** The words under which a text is found, repeated as often as they occur. */
export function indexWords(text: string): string[] {
	const normal = normalize(text);
	if (isAscii(normal)) return plainWords(normal).map(englishStem);
	const words: string[] = [];
	for (const { text: run, isSpaced } of scriptRuns(normal)) {
		// Pushed one by one: a run may be longer than the arguments a call can take.
		if (isSpaced) words.push(englishStem(run));
		else for (const word of pairsAndSingles(run)) words.push(word);
	}
	return words;
}

/** The words of a query, each once and at most `wordsMax`. Stop words are left out, unless the query has no other words. */
export function queryWords(query: string, wordsMax: number): string[] {
	const all = new Set<string>();
	const significant = new Set<string>();
	const normal = noLonger(normalize(query), query);
	if (isAscii(normal))
		for (const word of plainWords(normal)) {
			const found = englishStem(word);
			all.add(found);
			if (!isStopWord(word)) significant.add(found);
		}
	else
		for (const { text: run, isSpaced } of scriptRuns(normal)) {
			for (const found of isSpaced ? [englishStem(run)] : pairsOrSingle(run)) {
				all.add(found);
				if (!isStopWord(run)) significant.add(found);
			}
		}
	return [...(significant.size > 0 ? significant : all)].slice(0, wordsMax);
}
