/**
 * How BM25 (Robertson & Zaragoza 2009) reads a count: `count / (count + least + perUnit × length)` of the full weight. A word
 * that is repeated soon stops helping (k1), and a long text is expected to hold more words (b).
 */

/** What is added to the count, by the length of the text in words or in grams. */
export interface Tolerance {
	readonly least: number;
	readonly perUnit: number;
}

/** Anserini's k1, and the b of the book. Chosen on the development collections, see docs/search.md. */
const k1 = 0.9;
const b = 0.75;
/**
 * To every length, and to the average, so much is added: about a sentence. Among turns of a chat "Yes, I did" would else
 * come before what was said at length, because it is a third as long as most; among pages a sentence more or less is nothing.
 */
const added = { words: 20, grams: 100 } as const;

export function toleranceOf(averageLength: number, unit: keyof typeof added): Tolerance {
	const perUnit = (k1 * b) / (averageLength + added[unit]);
	return { least: k1 * (1 - b) + perUnit * added[unit], perUnit };
}
