/**
 * Finds the rows of the table that make up a word. A word of the vocabulary has a row of its own. Any other word is the sum of
 * shared rows that hashes of its spelling select: two for the whole word, so that two words rarely share both (hash embeddings,
 * Svenstrup et al. 2017), and one for each of its character n-grams (fastText, Bojanowski et al. 2017).
 */

import { gramsOf } from "../grams.ts";
import { murmur3 } from "../murmur3.ts";

/** How many rows the table has: those of vocabulary words come first, then the shared ones. */
export interface TableShape {
	readonly words: number;
	readonly buckets: number;
}

/** Row numbers, and the weight of each row in the word. */
export interface Features {
	readonly rows: readonly number[];
	readonly weights: readonly number[];
}

/** The seeds of the two hashes of the whole word. */
const wholeSeeds = [0x9747b28c, 0x2545f491];
/** The share of the whole word in the squared length of the vector; the n-grams have the rest. */
const wholeShare = 0.6;
/**
 * Scripts whose words have n-grams. Text without spaces, such as Chinese, is indexed as single characters and pairs, which have no
 * meaningful parts.
 */
const hasGrams =
	/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{N}\p{M}]{3,}$/u;

export function wordFeatures(row: number): Features {
	return { rows: [row], weights: [1] };
}

/** The features of a word outside the vocabulary. */
export function spelledFeatures(word: string, { words, buckets }: TableShape): Features {
	const grams = hasGrams.test(word) ? gramsOf(word) : [];
	const wholeWeight = Math.sqrt((grams.length > 0 ? wholeShare : 1) / wholeSeeds.length);
	const gramWeight = Math.sqrt((1 - wholeShare) / Math.max(1, grams.length));
	const hashes = [...wholeSeeds.map((seed) => murmur3(word, seed)), ...grams.map((gram) => murmur3(gram))];
	return {
		rows: hashes.map((hash) => words + (hash % buckets)),
		weights: hashes.map((_, i) => (i < wholeSeeds.length ? wholeWeight : gramWeight)),
	};
}

const newline = 10;
const emptySlot = -1;

/**
 * Maps the words of the vocabulary to their rows with one string and a numeric hash table. It takes 2 MB in each thread; a map of 30,000
 * strings would take 6 MB. @param text the words in the order of their rows, one per line.
 */
export function rowsOf(text: string): (word: string) => number | undefined {
	const lines = text.split("\n");
	// A power of two, at most half full, so that collisions are rare.
	const slots = new Int32Array(2 ** Math.ceil(Math.log2(lines.length * 2))).fill(emptySlot);
	const starts = new Uint32Array(lines.length);
	let start = 0;
	for (const [row, word] of lines.entries()) {
		starts[row] = start;
		start += word.length + 1;
		slots[slotOf(word)] = row;
	}

	/** The slot of the word, or the free slot in which it would be stored. */
	function slotOf(word: string): number {
		let slot = murmur3(word) % slots.length;
		while (!isFreeFor(slots[slot] ?? emptySlot, word)) slot = (slot + 1) % slots.length;
		return slot;
	}

	/** Whether a slot is empty or has the word. */
	function isFreeFor(row: number, word: string): boolean {
		if (row === emptySlot) return true;
		const offset = starts[row] ?? 0;
		const end = offset + word.length;
		return text.startsWith(word, offset) && (end === text.length || text.charCodeAt(end) === newline);
	}

	return (word) => {
		const row = slots[slotOf(word)] ?? emptySlot;
		return row === emptySlot ? undefined : row;
	};
}
