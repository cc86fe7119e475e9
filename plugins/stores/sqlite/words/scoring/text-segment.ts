/** A set of texts with the postings of their words, numbered by document number from 0 on: either from a file or freshly read. */

import type { SpelledTexts } from "./spelled-texts.ts";

/** Who holds a word, in ascending document numbers, and how often. Both have the same length. */
export interface Postings {
	readonly documentNumbers: Uint32Array;
	readonly counts: Uint16Array;
}

export interface TextSegment {
	readonly size: number;
	/** How many words each text has, by document number; may be longer than `size`. */
	readonly lengths: Uint32Array;
	/** The sum of the lengths. */
	readonly words: number;
	readonly spelled: SpelledTexts;
	/** Whether any text has the word, one that has gone counted. */
	readonly has: (word: string) => boolean;
	/** Good until the next text is added. */
	readonly postings: (word: string) => Postings | null;
	/** The row's number in its table. */
	readonly key: (documentNumber: number) => number;
	/** -1 when it is not here. */
	readonly documentNumberOf: (key: number) => number;
}

/** A word's count is stored in so many bits; no real text repeats a word more often. */
export const countMax = 0xffff;
