/** Texts whose postings are read from a mapped file: what is never looked for takes no memory. */

import type { Postings, TextSegment } from "../scoring/text-segment.ts";
import { type StoredSizes, storedLayout } from "./stored-layout.ts";
import { StoredSpelled } from "./stored-spelled.ts";
import { StoredTerms } from "./stored-terms.ts";

/** What a file holds, and the sums of its texts' lengths. */
export interface StoredSums extends StoredSizes {
	readonly words: number;
	readonly gramsSaid: number;
}

/** About 100 bytes each. */
const knownMax = 10_000;

export class StoredTexts implements TextSegment {
	readonly size: number;
	readonly words: number;
	readonly lengths: Uint32Array;
	readonly spelled: StoredSpelled;
	readonly #keys: Float64Array;
	readonly #terms: StoredTerms;
	/** What was looked for of late, -1 where it is not there: a query asks for a word under its stems in every language. */
	readonly #known = new Map<string, number>();
	readonly #postingOffsets: Uint32Array;
	readonly #documentNumbers: Uint32Array;
	readonly #counts: Uint16Array;

	constructor(mapped: Uint8Array<ArrayBuffer>, sums: StoredSums) {
		const { buffer, byteOffset } = mapped;
		const { texts, terms, termBytes, postings } = sums;
		const at = storedLayout(sums);
		this.size = texts;
		this.words = sums.words;
		this.spelled = new StoredSpelled(mapped, sums, sums.gramsSaid);
		this.#keys = new Float64Array(buffer, byteOffset + at.keys, texts);
		this.lengths = new Uint32Array(buffer, byteOffset + at.lengths, texts);
		this.#terms = new StoredTerms(new Uint32Array(buffer, byteOffset + at.termOffsets, terms + 1), new Uint8Array(buffer, byteOffset + at.terms, termBytes));
		this.#postingOffsets = new Uint32Array(buffer, byteOffset + at.postingOffsets, terms + 1);
		this.#documentNumbers = new Uint32Array(buffer, byteOffset + at.slots, postings);
		this.#counts = new Uint16Array(buffer, byteOffset + at.counts, postings);
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
		return this.postings(word) !== null;
	}

	postings(word: string): Postings | null {
		const term = this.#known.get(word) ?? this.#find(word);
		return term < 0 ? null : this.postingsOf(term);
	}

	#find(word: string): number {
		const term = this.#terms.find(word);
		if (this.#known.size >= knownMax) this.#known.clear();
		this.#known.set(word, term);
		return term;
	}

	/** In UTF-8. */
	term(number: number): Uint8Array {
		return this.#terms.bytes(number);
	}

	postingsOf(term: number): Postings {
		const begin = this.#postingOffsets[term];
		const end = this.#postingOffsets[term + 1];
		return { documentNumbers: this.#documentNumbers.subarray(begin, end), counts: this.#counts.subarray(begin, end) };
	}
}
