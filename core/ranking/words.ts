/**
 * The words of a text as the word index keeps them, the same on both sides. Latin and other spaced scripts give stemmed
 * words; Chinese, Japanese, Korean and Thai, which write no spaces, give single characters and overlapping pairs in the
 * index and pairs in the query. What else a word may be found by is in `words/`.
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

/** The words to look for: each once, without stop words unless there is nothing else, at most `wordsMax`. */
export function queryWords(query: string, wordsMax: number): string[] {
	const all = new Set<string>();
	const significant = new Set<string>();
	for (const { text: run, isSpaced } of scriptRuns(noLonger(normalize(query), query))) {
		for (const found of isSpaced ? [englishStem(run)] : pairsOrSingle(run)) {
			all.add(found);
			if (!isStopWord(run)) significant.add(found);
		}
	}
	return [...(significant.size > 0 ? significant : all)].slice(0, wordsMax);
}
