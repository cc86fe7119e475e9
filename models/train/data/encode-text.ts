/** A text as numbers of words, with the places where its sentences end. */

import { wordsOf } from "../../../plugins/embedders/static/pool.ts";
import type { Lexicon } from "./lexicon.ts";

export interface EncodedText {
	readonly numbers: ArrayLike<number> & Iterable<number>;
	/** One for each sentence with words, the last one is the end of the text. */
	readonly sentenceEnds: readonly number[];
}

/** Finer than a reader would cut: a piece too many costs nothing, a piece too few hides a sentence. */
const sentenceBorder = /(?<=[.!?])["')\]]*\s+|\n+/;

export function encodeText(text: string, lexicon: Lexicon): EncodedText {
	const numbers: number[] = [];
	const sentenceEnds: number[] = [];
	for (const sentence of text.split(sentenceBorder)) {
		if (sentence.trim() === "") continue;
		for (const word of wordsOf(sentence)) numbers.push(lexicon.numberOf(word));
		sentenceEnds.push(numbers.length);
	}
	return { numbers, sentenceEnds };
}
