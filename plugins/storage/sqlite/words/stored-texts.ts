/** Texts whose postings are read from a mapped file: what is never looked for takes no memory. */

import { type StoredSizes, storedLayout } from "./stored-layout.ts";
import type { Postings, TextSegment } from "./text-segment.ts";

const encoder = new TextEncoder();

export class StoredTexts implements TextSegment {
	readonly size: number;
	readonly words: number;
	readonly lengths: Uint32Array;
	readonly termCount: number;
	readonly #keys: Float64Array;
	readonly #termOffsets: Uint32Array;
	readonly #postingOffsets: Uint32Array;
	readonly #slots: Uint32Array;
	readonly #counts: Uint16Array;
	readonly #terms: Uint8Array;

	/** @param words the sum of the lengths. */
	constructor({ buffer, byteOffset }: Uint8Array<ArrayBuffer>, sizes: StoredSizes, words: number) {
		const { texts, terms, termBytes, postings } = sizes;
		const at = storedLayout(sizes);
		this.size = texts;
		this.words = words;
		this.termCount = terms;
		this.#keys = new Float64Array(buffer, byteOffset + at.keys, texts);
		this.lengths = new Uint32Array(buffer, byteOffset + at.lengths, texts);
		this.#termOffsets = new Uint32Array(buffer, byteOffset + at.termOffsets, terms + 1);
		this.#postingOffsets = new Uint32Array(buffer, byteOffset + at.postingOffsets, terms + 1);
		this.#slots = new Uint32Array(buffer, byteOffset + at.slots, postings);
		this.#counts = new Uint16Array(buffer, byteOffset + at.counts, postings);
		this.#terms = new Uint8Array(buffer, byteOffset + at.terms, termBytes);
	}

	get lastKey(): number {
		return this.key(this.size - 1);
	}

	key(slot: number): number {
		return this.#keys[slot] ?? 0;
	}

	slotOf(key: number): number {
		let low = 0;
		let high = this.size;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.key(middle) < key) low = middle + 1;
			else high = middle;
		}
		return low < this.size && this.key(low) === key ? low : -1;
	}

	postings(word: string): Postings | null {
		const wanted = encoder.encode(word);
		let low = 0;
		let high = this.termCount;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const order = Buffer.compare(this.term(middle), wanted);
			if (order === 0) return this.postingsOf(middle);
			if (order < 0) low = middle + 1;
			else high = middle;
		}
		return null;
	}

	/** In UTF-8. */
	term(number: number): Uint8Array {
		return this.#terms.subarray(this.#termOffsets[number], this.#termOffsets[number + 1]);
	}

	postingsOf(term: number): Postings {
		const begin = this.#postingOffsets[term];
		const end = this.#postingOffsets[term + 1];
		return { slots: this.#slots.subarray(begin, end), counts: this.#counts.subarray(begin, end) };
	}
}
