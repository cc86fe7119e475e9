/**
 * Which rows of the table make up a word. A word of the vocabulary has a row of its own; any other is put together from
 * shared rows that its spelling picks: two for the whole word, so that hardly two words have the same ones (hash embeddings,
 * Svenstrup et al. 2017), and one for each sequence of characters in it (fastText, Bojanowski et al. 2017).
 */

import { murmur3 } from "../murmur3.ts";

/** Rows of the vocabulary come first, then those that are shared. */
export interface TableShape {
	readonly words: number;
	readonly buckets: number;
}

export interface Features {
	readonly rows: readonly number[];
	readonly weights: readonly number[];
}

/** Character sequences of a word between its borders; of three, because shorter ones are in every word, and of four and five for endings. */
const gramLengths = [3, 4, 5];
const wholeSeeds = [0x9747b28c, 0x2545f491];
/** The share of the whole word in the square of the length; the rest is its sequences'. */
const wholeShare = 0.6;
/** Writing without spaces comes as single characters and pairs, which have no parts that mean something. */
const hasParts =
	/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{N}\p{M}]{3,}$/u;

export function wordFeatures(row: number): Features {
	return { rows: [row], weights: [1] };
}

export function spelledFeatures(word: string, { words, buckets }: TableShape): Features {
	const grams = hasParts.test(word) ? gramsOf(`<${word}>`) : [];
	const whole = Math.sqrt((grams.length > 0 ? wholeShare : 1) / wholeSeeds.length);
	const part = Math.sqrt((1 - wholeShare) / Math.max(1, grams.length));
	const hashes = [...wholeSeeds.map((seed) => murmur3(word, seed)), ...grams.map((gram) => murmur3(gram))];
	return {
		rows: hashes.map((hash) => words + (hash % buckets)),
		weights: hashes.map((_, i) => (i < wholeSeeds.length ? whole : part)),
	};
}

function gramsOf(bordered: string): readonly string[] {
	const grams: string[] = [];
	for (const length of gramLengths) {
		for (let i = 0; i + length <= bordered.length; i++) grams.push(bordered.slice(i, i + length));
	}
	return grams;
}
