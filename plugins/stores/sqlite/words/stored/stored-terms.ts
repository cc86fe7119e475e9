/** Strings in a file, sorted by their UTF-8 bytes. The number of a string is its index. */

import { BoundedMap } from "cairn-memory/words";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** About 100 bytes per entry. */
const knownMax = 10_000;

export class StoredTerms {
	readonly count: number;
	readonly #offsets: Uint32Array;
	readonly #bytes: Uint8Array;
	/** The numbers of strings that were looked for, -1 for missing ones: a query asks for a word's stems in every language, and for its grams. */
	readonly #known = new BoundedMap<string, number>(knownMax);

	/** @param offsets of the strings in `bytes`, and at the end the total length. */
	constructor(offsets: Uint32Array, bytes: Uint8Array) {
		this.count = offsets.length - 1;
		this.#offsets = offsets;
		this.#bytes = bytes;
	}

	/** A string in UTF-8. */
	bytes(number: number): Uint8Array {
		return this.#bytes.subarray(this.#offsets[number], this.#offsets[number + 1]);
	}

	text(number: number): string {
		return decoder.decode(this.bytes(number));
	}

	/** The number of a string; -1 if there is no such string. */
	find(term: string): number {
		const before = this.#known.get(term);
		if (before !== undefined) return before;
		const found = this.#search(term);
		this.#known.set(term, found);
		return found;
	}

	#search(term: string): number {
		const wanted = encoder.encode(term);
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const order = this.#order(middle, wanted);
			if (order === 0) return middle;
			if (order < 0) low = middle + 1;
			else high = middle;
		}
		return -1;
	}

	/** Negative if the string comes before the wanted one. It compares bytes directly, because creating a view would take longer. */
	#order(number: number, wanted: Uint8Array): number {
		const [offsets, bytes] = [this.#offsets, this.#bytes];
		const begin = offsets[number] ?? 0;
		const length = (offsets[number + 1] ?? 0) - begin;
		const shared = Math.min(length, wanted.length);
		for (let i = 0; i < shared; i++) {
			const difference = (bytes[begin + i] ?? 0) - (wanted[i] ?? 0);
			if (difference !== 0) return difference;
		}
		return length - wanted.length;
	}
}
