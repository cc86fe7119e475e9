/** Texts whose postings are read from a mapped file, so that words that are never searched take no memory. */

import type { Postings, TextSegment } from "../scoring/text-segment.ts";
import { type StoredSizes, storedLayout } from "./stored-layout.ts";
import { StoredSpellings } from "./stored-spellings.ts";
import { StoredTerms } from "./stored-terms.ts";

/** The sizes of a file, and how many words and grams all its texts have together. */
export interface StoredSums extends StoredSizes {
	readonly words: number;
	readonly gramsSaid: number;
}

export class StoredTexts implements TextSegment {
	readonly size: number;
	readonly wordCount: number;
	readonly lengths: Uint32Array;
	readonly spellings: StoredSpellings;
	readonly #keys: Float64Array;
	readonly #terms: StoredTerms;
	readonly #postingOffsets: Uint32Array;
	readonly #documentNumbers: Uint32Array;
	readonly #counts: Uint16Array;

	constructor(mapped: Uint8Array<ArrayBuffer>, sums: StoredSums) {
		const { buffer, byteOffset } = mapped;
		const { texts, terms, termBytes, postings } = sums;
		const layout = storedLayout(sums);
		this.size = texts;
		this.wordCount = sums.words;
		this.spellings = new StoredSpellings(mapped, sums, sums.gramsSaid);
		this.#keys = new Float64Array(buffer, byteOffset + layout.keys, texts);
		this.lengths = new Uint32Array(buffer, byteOffset + layout.lengths, texts);
		this.#terms = new StoredTerms(
			new Uint32Array(buffer, byteOffset + layout.termOffsets, terms + 1),
			new Uint8Array(buffer, byteOffset + layout.terms, termBytes),
		);
		this.#postingOffsets = new Uint32Array(buffer, byteOffset + layout.postingOffsets, terms + 1);
		this.#documentNumbers = new Uint32Array(buffer, byteOffset + layout.slots, postings);
		this.#counts = new Uint16Array(buffer, byteOffset + layout.counts, postings);
	}

	get lastKey(): number {
		return this.key(this.size - 1);
	}

	get termCount(): number {
		return this.#terms.count;
	}

	key(documentNumber: number): number {
		return this.#keys[documentNumber] ?? 0;
	}

	documentNumberOf(key: number): number {
		let low = 0;
		let high = this.size;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.key(middle) < key) low = middle + 1;
			else high = middle;
		}
		return low < this.size && this.key(low) === key ? low : -1;
	}

	has(word: string): boolean {
		return this.#terms.find(word) >= 0;
	}

	postings(word: string): Postings | null {
		const term = this.#terms.find(word);
		return term < 0 ? null : this.postingsOf(term);
	}

	/** A word in UTF-8. */
	term(number: number): Uint8Array {
		return this.#terms.bytes(number);
	}

	postingsOf(term: number): Postings {
		const begin = this.#postingOffsets[term];
		const end = this.#postingOffsets[term + 1];
		return { documentNumbers: this.#documentNumbers.subarray(begin, end), counts: this.#counts.subarray(begin, end) };
	}
}
