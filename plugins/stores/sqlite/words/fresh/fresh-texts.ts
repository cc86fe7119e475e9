/**
 * Texts that were read from the tables and are in no file. The postings of all words lie in two arrays that grow together.
 * A word has slices of them, each twice as long as the one before, and the last place of a slice says where the next one
 * begins: a word of one text takes 12 bytes, and one of many lies close together.
 */

import { readWords } from "cairn-memory/words";
import { countMax, type Postings, type TextSegment } from "../scoring/text-segment.ts";
import { doubled } from "./doubled.ts";
import { FreshSpelled } from "./fresh-spelled.ts";

const none = 0xffffffff;
const startSize = 1_024;
const firstSlice = 2;
const longestSlice = 1_024;

export class FreshTexts implements TextSegment {
	size = 0;
	words = 0;
	postingCount = 0;
	lengths = new Uint32Array(startSize);
	readonly spelled = new FreshSpelled();
	#keys = new Float64Array(startSize);
	readonly #documentNumbers = new Map<number, number>();
	/** Of each word the number under which the arrays after it know it. */
	readonly #terms = new Map<string, number>();
	/** Where its first slice begins, where its last posting is, where the slice of that one ends and how long it is. */
	#first = new Uint32Array(startSize);
	#last = new Uint32Array(startSize);
	#end = new Uint32Array(startSize);
	#sliceLength = new Uint16Array(startSize);
	#holders = new Uint32Array(startSize);
	#postingDocuments = new Uint32Array(startSize);
	#postingCounts = new Uint16Array(startSize);
	#used = 0;

	/** What it holds in memory, the words themselves by estimate. */
	get byteLength(): number {
		const perText = Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT + 40;
		return this.lengths.length * perText + this.#first.length * 118 + this.#postingDocuments.length * 6 + this.spelled.byteLength;
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
		this.words += words.length;
		for (const word of words) this.#count(this.#termOf(word), documentNumber);
		for (const stem of stems) this.#count(this.#termOf(stem), documentNumber);
		this.spelled.add(spelled);
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

	/** All words with their numbers, in no order. */
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
			length = longer(length);
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

	/** A text's words come one after another, so a word that it already has is the last posting of its own. */
	#count(term: number, documentNumber: number): void {
		const last = this.#last[term] ?? none;
		if (last !== none && this.#postingDocuments[last] === documentNumber) {
			this.#postingCounts[last] = Math.min(countMax, (this.#postingCounts[last] ?? 0) + 1);
			return;
		}
		const posting = last === none ? this.#firstPlace(term) : this.#placeAfter(term, last);
		this.#postingDocuments[posting] = documentNumber;
		this.#postingCounts[posting] = 1;
		this.#last[term] = posting;
		this.#holders[term] = (this.#holders[term] ?? 0) + 1;
		this.postingCount += 1;
	}

	#firstPlace(term: number): number {
		const begin = this.#slice(term, firstSlice);
		this.#first[term] = begin;
		return begin;
	}

	/** The last place of a slice holds no posting but where the next slice begins. */
	#placeAfter(term: number, last: number): number {
		const link = (this.#end[term] ?? 0) - 1;
		if (last + 1 < link) return last + 1;
		const begin = this.#slice(term, longer(this.#sliceLength[term] ?? 0));
		this.#postingDocuments[link] = begin;
		return begin;
	}

	#slice(term: number, length: number): number {
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

function longer(length: number): number {
	return Math.min(length * 2, longestSlice);
}
