/** What the word leg looks for: the words of a query with their spelling, so that the index can try what else they may stand for. */

import type { SoughtWord } from "../../ports/word-index.ts";
import { englishStem, isStopWord } from "./english.ts";
import { gramsOf } from "./grams.ts";
import { isWrittenIn, languageStems } from "./language-stems.ts";
import type { Language } from "./languages.ts";
import { isSmallWord, languagesOf } from "./languages-of.ts";
import { lowered, noLonger, normalize } from "./normalize.ts";
import { scriptRuns } from "./script-runs.ts";
import { pairsOrSingle } from "./unspaced.ts";

/** Each once, without the small words of English and of the query's own language unless there is nothing else, at most `wordsMax`. */
export function soughtWords(query: string, wordsMax: number): readonly SoughtWord[] {
	const languages = languagesOf(query);
	const all = new Map<string, SoughtWord>();
	const telling = new Map<string, SoughtWord>();
	for (const { text: run, isSpaced } of scriptRuns(noLonger(lowered(query), query))) {
		const plain = normalize(run);
		// Of the run and not of its pairs: one without spaces may be as long as the query.
		const isSmall = isStopWord(plain) || languages.some((language) => language.code !== "en" && isSmallWord(run, language));
		for (const word of isSpaced ? [englishStem(plain)] : pairsOrSingle(plain)) {
			const sought = { word, spelled: isSpaced ? run : null };
			if (!all.has(word)) all.set(word, sought);
			if (!isSmall && !telling.has(word)) telling.set(word, sought);
		}
		if (telling.size >= wordsMax) break;
	}
	return [...(telling.size > 0 ? telling : all).values()].slice(0, wordsMax);
}

/** The terms of the index under which a word may stand besides itself, if texts are in these languages. */
export function otherTerms({ spelled }: SoughtWord, languages: readonly Language[]): readonly string[] {
	if (spelled === null) return [];
	return [...new Set(languages.filter((language) => isWrittenIn(spelled, language)).flatMap((language) => languageStems(spelled, language)))];
}

/** The grams of the client's words, each once. */
export function soughtGrams(sought: readonly SoughtWord[]): readonly string[] {
	return [...new Set(sought.flatMap(({ spelled, weight }) => (spelled === null || weight !== undefined ? [] : gramsOf(normalize(spelled)))))];
}
