/** A text as the word index keeps it: its words, the stems of the languages it is in, and its words as they are spelled. */

import { languageStems, languageTerm } from "./language-stems.ts";
import type { Language } from "./languages.ts";
import { possibleLanguagesOf, wordsRead } from "./languages-of.ts";
import { englishStem, isStopWord, lowered, normalize, pairsAndSingles, scriptRuns } from "./split-words.ts";

export interface ReadWords {
	/** The same as `indexWords` of the text. Their number is the length of the text. */
	readonly words: readonly string[];
	/** Further terms by which the text is found. They do not add to its length. */
	readonly stems: readonly string[];
	/** The words of scripts with spaces as they are written, repeated, without English stop words. Grams are made from them. */
	readonly spelled: readonly string[];
}

export function readWords(text: string): ReadWords {
	const words: string[] = [];
	const spelled: string[] = [];
	const first: string[] = [];
	for (const { text: run, isSpaced } of scriptRuns(normalize(text))) {
		// Pushed one by one: a run may be longer than the arguments a call can take.
		if (!isSpaced) for (const word of pairsAndSingles(run)) words.push(word);
		else {
			words.push(englishStem(run));
			if (first.length < wordsRead) first.push(run);
			if (!isStopWord(run)) spelled.push(run);
		}
	}
	return { words, stems: spelled.length === 0 ? [] : stemsOf(text, first), spelled };
}

function stemsOf(text: string, first: readonly string[]): readonly string[] {
	const languages = possibleLanguagesOf(text, first).filter(({ stem }) => stem !== null);
	if (languages.length === 0) return [];
	const stems = languages.map(languageTerm);
	for (const { text: word, isSpaced } of scriptRuns(lowered(text))) {
		if (isSpaced) for (const stem of stemsIn(word, languages)) stems.push(stem);
	}
	return stems;
}

/** Each stem once, because related languages often have the same stem for a word. */
function stemsIn(word: string, languages: readonly Language[]): Iterable<string> {
	const [only] = languages;
	return languages.length === 1 && only !== undefined ? languageStems(word, only) : new Set(languages.flatMap((language) => languageStems(word, language)));
}
