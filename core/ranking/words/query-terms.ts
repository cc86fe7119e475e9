/** The terms of a query for the word index, each with its spelling, so that the index can try stems and near spellings. */

import type { SpelledTerm } from "../../ports/word-search.ts";
import { gramsOf } from "./grams.ts";
import { isWrittenIn, languageStems } from "./language-stems.ts";
import type { Language } from "./languages.ts";
import { isSmallWord, languagesOf } from "./languages-of.ts";
import { englishStem, isStopWord, lowered, noLonger, normalize, pairsOrSingle, scriptRuns } from "./split-words.ts";

interface Said {
	readonly word: string;
	readonly spelled: string | null;
	times: number;
}

/**
 * The words of a query, each once, and at most `wordsMax`: the most frequent ones, and the first among equally frequent ones. Stop words of
 * English and of the query's language are left out, unless the query has no other words.
 */
export function queryTermsOf(query: string, wordsMax: number): readonly SpelledTerm[] {
	const languages = languagesOf(query);
	const all = new Map<string, Said>();
	const significant = new Map<string, Said>();
	for (const { text: run, isSpaced } of scriptRuns(noLonger(lowered(query), query))) {
		const plain = normalize(run);
		// The whole run is checked and not its pairs, because a run without spaces may be as long as the query.
		const isSmall = isStopWord(plain) || languages.some((language) => language.code !== "en" && isSmallWord(run, language));
		for (const word of isSpaced ? [englishStem(plain)] : pairsOrSingle(plain)) {
			const said = { word, spelled: isSpaced ? run : null };
			count(all, said);
			if (!isSmall) count(significant, said);
		}
	}
	return emphasised(significant.size > 0 ? significant : all, wordsMax);
}

function count(words: Map<string, Said>, { word, spelled }: Omit<Said, "times">): void {
	const known = words.get(word);
	if (known === undefined) words.set(word, { word, spelled, times: 1 });
	else known.times += 1;
}

function emphasised(words: ReadonlyMap<string, Said>, wordsMax: number): readonly SpelledTerm[] {
	const kept = [...words.values()].sort((a, b) => b.times - a.times).slice(0, wordsMax);
	return kept.map(({ word, spelled, times }) => (times === 1 ? { word, spelled } : { word, spelled, emphasis: emphasisOf(times, kept.length) }));
}

/** In a query of this many different words each repetition counts in full; with half as many words, a quarter. See docs/search.md. */
const fullFrom = 20;

/**
 * How often a word counts that a query repeats. BM25 counts each repetition, or damps it by a constant (Robertson et al. 1994).
 * A short question repeats a word for its grammar: "how long does a transfer take, my transfer is late". A long one repeats its
 * subject. So the damping gets weaker as the query gets longer.
 * @param times how often the query says the word @param words how many different words it is searched by
 */
function emphasisOf(times: number, words: number): number {
	return 1 + (times - 1) * Math.min(1, (words / fullFrom) ** 2);
}

/** The further terms by which texts in these languages may be found for a word. */
export function otherTerms({ spelled }: SpelledTerm, languages: readonly Language[]): readonly string[] {
	if (spelled === null) return [];
	return [...new Set(languages.filter((language) => isWrittenIn(spelled, language)).flatMap((language) => languageStems(spelled, language)))];
}

export interface QueryGram {
	readonly gram: string;
	/** The greatest emphasis of the words that have the gram. */
	readonly emphasis: number;
}

/** The grams of the client's words, each once. */
export function queryGramsOf(queryTerms: readonly SpelledTerm[]): readonly QueryGram[] {
	const grams = new Map<string, number>();
	for (const { spelled, weight, emphasis = 1 } of queryTerms) {
		if (spelled === null || weight !== undefined) continue;
		for (const gram of gramsOf(normalize(spelled))) grams.set(gram, Math.max(emphasis, grams.get(gram) ?? 0));
	}
	return Array.from(grams, ([gram, emphasis]) => ({ gram, emphasis }));
}
