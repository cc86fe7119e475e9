/**
 * Texts that were read from the tables and are in no file. The postings of all words are in two arrays that grow together. A word has
 * slices of them, each twice as long as the one before; the last element of a slice is the offset of the next one. So a word of one
 * text takes 12 bytes, and the postings of a common word are close together.
 */

import { readWords } from "cairn-memory/words";
import { countMax, type Postings, type TextSegment } from "../scoring/text-segment.ts";
import { doubled } from "./doubled.ts";
import { FreshSpellings } from "./fresh-spellings.ts";

const none = 0xffffffff;
const startSize = 1_024;
const firstSlice = 2;
const longestSlice = 1_024;

export class FreshTexts implements TextSegment {
	size = 0;
	wordCount = 0;
	postingCount = 0;
	lengths = new Uint32Array(startSize);
	readonly spellings = new FreshSpellings();
	#keys = new Float64Array(startSize);
	readonly #documentNumbers = new Map<number, number>();
	/** The number of each word, which is its index in the arrays below. */
	readonly #terms = new Map<string, number>();
	/** By word: the offset of its first slice and of its last posting, and the end and the length of its last slice. */
	#first = new Uint32Array(startSize);
	#last = new Uint32Array(startSize);
	#end = new Uint32Array(startSize);
	#sliceLength = new Uint16Array(startSize);
	/** How many texts have the word. */
	#holders = new Uint32Array(startSize);
	#postingDocuments = new Uint32Array(startSize);
	#postingCounts = new Uint16Array(startSize);
	#used = 0;

	/** Its memory; that of the words is estimated. */
	get byteLength(): number {
		const perText = Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT + 40;
		return this.lengths.length * perText + this.#first.length * 118 + this.#postingDocuments.length * 6 + this.spellings.byteLength;
	}

	add(key: number, text: string): void {
		const documentNumber = this.size++;
		if (documentNumber === this.lengths.length) {
			this.lengths = doubled(this.lengths);
			this.#keys = doubled(this.#keys);
		}
		const { words, stems, spelled } = readWords(text);
		this.#keys[documentNumber] = key;
		this.#documentNumbers.set(key, documentNumber);
		this.lengths[documentNumber] = words.length;
		this.wordCount += words.length;
		for (const word of words) this.#count(this.#termOf(word), documentNumber);
		for (const stem of stems) this.#count(this.#termOf(stem), documentNumber);
		this.spellings.add(spelled);
	}

	key(documentNumber: number): number {
		return this.#keys[documentNumber] ?? 0;
	}

	documentNumberOf(key: number): number {
		return this.#documentNumbers.get(key) ?? -1;
	}

	postings(word: string): Postings | null {
		const term = this.#terms.get(word);
		return term === undefined ? null : this.postingsOf(term);
	}

	has(word: string): boolean {
		return this.#terms.has(word);
	}

	/** All words with their numbers, unsorted. */
	terms(): IterableIterator<[string, number]> {
		return this.#terms.entries();
	}

	postingsOf(term: number): Postings {
		const holders = this.#holders[term] ?? 0;
		const documentNumbers = new Uint32Array(holders);
		const counts = new Uint16Array(holders);
		let begin = this.#first[term] ?? 0;
		let length = firstSlice;
		for (let done = 0; done < holders; ) {
			const end = begin + Math.min(length - 1, holders - done);
			documentNumbers.set(this.#postingDocuments.subarray(begin, end), done);
			counts.set(this.#postingCounts.subarray(begin, end), done);
			done += end - begin;
			begin = this.#postingDocuments[begin + length - 1] ?? 0;
			length = nextLength(length);
		}
		return { documentNumbers, counts };
	}

	#termOf(word: string): number {
		const known = this.#terms.get(word);
		if (known !== undefined) return known;
		const term = this.#terms.size;
		this.#terms.set(word, term);
		if (term === this.#first.length) {
			this.#first = doubled(this.#first);
			this.#last = doubled(this.#last);
			this.#end = doubled(this.#end);
			this.#sliceLength = doubled(this.#sliceLength);
			this.#holders = doubled(this.#holders);
		}
		this.#last[term] = none;
		return term;
	}

	/** Counts a word of a text. The words of a text come one after another, so if the text already has the word, that is the word's last posting. */
	#count(term: number, documentNumber: number): void {
		const last = this.#last[term] ?? none;
		if (last !== none && this.#postingDocuments[last] === documentNumber) {
			this.#postingCounts[last] = Math.min(countMax, (this.#postingCounts[last] ?? 0) + 1);
			return;
		}
		const posting = last === none ? this.#firstOffset(term) : this.#offsetAfter(term, last);
		this.#postingDocuments[posting] = documentNumber;
		this.#postingCounts[posting] = 1;
		this.#last[term] = posting;
		this.#holders[term] = (this.#holders[term] ?? 0) + 1;
		this.postingCount += 1;
	}

	#firstOffset(term: number): number {
		const begin = this.#addSlice(term, firstSlice);
		this.#first[term] = begin;
		return begin;
	}

	/** The offset for the next posting. The last element of a slice has no posting but the offset of the next slice. */
	#offsetAfter(term: number, last: number): number {
		const link = (this.#end[term] ?? 0) - 1;
		if (last + 1 < link) return last + 1;
		const begin = this.#addSlice(term, nextLength(this.#sliceLength[term] ?? 0));
		this.#postingDocuments[link] = begin;
		return begin;
	}

	#addSlice(term: number, length: number): number {
		const begin = this.#used;
		this.#used += length;
		this.#end[term] = this.#used;
		this.#sliceLength[term] = length;
		if (this.#used > this.#postingDocuments.length) {
			this.#postingDocuments = doubled(this.#postingDocuments);
			this.#postingCounts = doubled(this.#postingCounts);
		}
		return begin;
	}
}

function nextLength(length: number): number {
	return Math.min(length * 2, longestSlice);
}
