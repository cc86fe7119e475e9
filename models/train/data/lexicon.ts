/** Every word that was met, by number in the order of meeting, with two hashes that tell sequences of words apart. */

import { murmur3 } from "../../../plugins/embedders/murmur3.ts";
import { createGrowing } from "./growing.ts";

export interface Lexicon {
	readonly words: readonly string[];
	/** Adds the word where it is new. */
	readonly numberOf: (word: string) => number;
	/** A number below 2⁵³ for a sequence of words; two sequences share one about never. */
	readonly hashOf: (numbers: ArrayLike<number>, from: number, to: number) => number;
}

export function createLexicon(known: readonly string[] = []): Lexicon {
	const words: string[] = [];
	const numbers = new Map<string, number>();
	const hashes = createGrowing();
	const numberOf = (word: string): number => {
		const found = numbers.get(word);
		if (found !== undefined) return found;
		numbers.set(word, words.length);
		hashes.push(murmur3(word));
		hashes.push(murmur3(word, 0x51ed270b));
		return words.push(word) - 1;
	};
	for (const word of known) numberOf(word);
	return {
		words,
		numberOf,
		hashOf: (sequence, from, to) => {
			let high = 0x2c9277b5;
			let low = 0x9e3779b9;
			for (let i = from; i < to; i++) {
				const word = (sequence[i] ?? 0) * 2;
				high = Math.imul(high ^ hashes.at(word), 0x85ebca6b);
				high ^= high >>> 15;
				low = Math.imul(low ^ hashes.at(word + 1), 0xc2b2ae35);
				low ^= low >>> 13;
			}
			return (high >>> 11) * 2 ** 32 + (low >>> 0);
		},
	};
}
