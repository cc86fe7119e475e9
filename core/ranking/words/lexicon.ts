/** Numbers the words of several texts, without stop words, so that what is computed for a word is computed once for all texts. */

import { asciiRuns, englishStem, isStopWord, normalize, pairsOrSingle, scriptRuns } from "./split-words.ts";

export interface Lexicon {
	/** By number. */
	readonly words: readonly string[];
	/** The numbers of a text's words, in their order, repeated as often as they occur. */
	readonly read: (text: string) => readonly number[];
}

const smallWord = -1;

export function createLexicon(): Lexicon {
	const words: string[] = [];
	const numbers = new Map<string, number>();
	/** The number of a word by its spelling. This lookup is faster than stemming the word again. */
	const spelled = new Map<string, number>();

	function numberOf(word: string): number {
		const known = numbers.get(word);
		if (known !== undefined) return known;
		numbers.set(word, words.length);
		return words.push(word) - 1;
	}

	function ofSpelling(run: string): number {
		const known = spelled.get(run);
		if (known !== undefined) return known;
		const number = isStopWord(run) ? smallWord : numberOf(englishStem(run));
		spelled.set(run, number);
		return number;
	}

	return {
		words,
		read: (text) => {
			const plain = normalize(text);
			const found =
				asciiRuns(plain)?.map(ofSpelling) ??
				[...scriptRuns(plain)].flatMap(({ text: run, isSpaced }) => (isSpaced ? ofSpelling(run) : pairsOrSingle(run).map(numberOf)));
			return found.filter((number) => number !== smallWord);
		},
	};
}
