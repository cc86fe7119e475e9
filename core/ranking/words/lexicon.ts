/** Numbers the words of some texts, as `indexWords` gives them and without the small ones, so that what is found out about a word is found out once. */

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
	/** By spelling: finding out about a word takes longer than looking it up. */
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
