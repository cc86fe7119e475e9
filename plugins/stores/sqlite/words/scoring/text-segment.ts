/** A set of texts with the postings of their words, from a file or freshly read. Document numbers count from 0. */

import type { TextSpellings } from "./text-spellings.ts";

/** The texts that have a word, by ascending document number, and how often each has it. Both arrays have the same length. */
export interface Postings {
	readonly documentNumbers: Uint32Array;
	readonly counts: Uint16Array;
}

export interface TextSegment {
	readonly size: number;
	/** By document number, how many words a text has. It may be longer than `size`. */
	readonly lengths: Uint32Array;
	/** How many words all texts have together: the sum of the lengths. */
	readonly wordCount: number;
	/** The same texts by their spellings and grams. */
	readonly spellings: TextSpellings;
	/** Whether any text has the word, deleted ones included. */
	readonly has: (word: string) => boolean;
	/** The postings are valid until the next text is added. */
	readonly postings: (word: string) => Postings | null;
	/** The key of the text's row in its table. */
	readonly key: (documentNumber: number) => number;
	/** -1 if the text is not in this segment. */
	readonly documentNumberOf: (key: number) => number;
}

/** The largest count of a word in a text, because it is stored in 16 bits. No real text repeats a word more often. */
export const countMax = 0xffff;
