/**
 * How much of a word's weight counts in BM25 (Robertson & Zaragoza 2009): `count / (count + least + perUnit × length)`. Each further
 * repetition of a word adds less (k1), and more words are expected in a longer text (b).
 */

/** What is added to the count in the denominator: `least + perUnit × length`, with the length in words or in grams. */
export interface Tolerance {
	readonly least: number;
	readonly perUnit: number;
}

/** The k1 of Anserini, and the b of Robertson & Zaragoza. Chosen on the development collections, see docs/search.md. */
const k1 = 0.9;
const b = 0.75;
/**
 * Added to every length and to the average length: about a sentence. Without it, "Yes, I did" in a chat would rank before longer turns,
 * because it is a third as long as most of them. Among pages one more sentence makes no difference.
 */
const added = { words: 20, grams: 100 } as const;

export function toleranceOf(averageLength: number, unit: keyof typeof added): Tolerance {
	const perUnit = (k1 * b) / (averageLength + added[unit]);
	return { least: k1 * (1 - b) + perUnit * added[unit], perUnit };
}
