/**
 * Counts how often texts have the query's grams. One spelling of sixteen has any of them. In a file these are listed by gram and marked
 * at first, one bit for each spelling, so that of the others nothing more is read: the bits stay in the processor's nearest cache, and the
 * grams of a spelling do not. Texts share most of their spellings, so the query grams of each are found once per search.
 */

import { doubled } from "../fresh/doubled.ts";
import type { HoldingSpellings, TextSpellings } from "./text-spellings.ts";

const startSize = 1_024;
/** When the base is larger, it begins at 0 again, so that the cached offsets fit in 32 bits. */
const baseMax = 2 ** 30;
/** The offset for a spelling without any query gram. */
const noGrams = 0;

export class GramCounts {
	#texts: TextSpellings | null = null;
	/** By the gram's number in the texts: 1 + its index in the query; 0 for grams that are not in the query. */
	#queryGramOf = new Uint16Array(startSize);
	/**
	 * By spelling: `#base` + 1 + the offset of its query grams in `#queryGrams`. Every search has a greater base, so a value that is not above
	 * it was cached by an earlier search and does not count.
	 */
	#offsets = new Int32Array(startSize);
	#base = 0;
	/** The query grams of each spelling, one spelling after the other, each ended by 0. */
	#queryGrams = new Uint16Array(startSize);
	#used = 1;
	/** One bit by spelling, 1 if it has any query gram. */
	#marks = new Int32Array();
	#isMarked = false;

	/** Begins a search. @param gramNumbers for each query gram its number in these texts, -1 if no text has it. */
	begin(texts: TextSpellings, gramNumbers: Int32Array): void {
		this.#texts = texts;
		this.#base += this.#used;
		this.#used = 1;
		if (this.#queryGramOf.length < texts.gramCount) this.#queryGramOf = new Uint16Array(texts.gramCount * 2);
		if (this.#offsets.length < texts.spellingCount || this.#base > baseMax) {
			this.#offsets = new Int32Array(Math.max(this.#offsets.length, texts.spellingCount * 2));
			this.#base = 0;
		}
		for (const [i, gram] of gramNumbers.entries()) if (gram >= 0) this.#queryGramOf[gram] = i + 1;
		this.#isMarked = texts.holding !== undefined;
		if (texts.holding !== undefined) this.#mark(texts.holding, texts.spellingCount, gramNumbers);
	}

	#mark({ starts, spellings }: HoldingSpellings, spellingCount: number, gramNumbers: Int32Array): void {
		const words = Math.ceil(spellingCount / 32);
		if (this.#marks.length < words) this.#marks = new Int32Array(words * 2);
		const marks = this.#marks.fill(0, 0, words);
		for (const gram of gramNumbers) {
			if (gram < 0) continue;
			const end = starts[gram + 1] ?? 0;
			for (let i = starts[gram] ?? 0; i < end; i++) {
				const spelling = spellings[i] ?? 0;
				marks[spelling >>> 5] = (marks[spelling >>> 5] ?? 0) | (1 << (spelling & 31));
			}
		}
	}

	/** Adds the counts of a text to `counts`, at 1 + the index of the query gram. */
	count(documentNumber: number, counts: Float64Array): void {
		if (this.#texts === null) return;
		const { entryStarts, entries, entryCounts } = this.#texts;
		const [offsets, base, marks, isMarked] = [this.#offsets, this.#base, this.#marks, this.#isMarked];
		const end = entryStarts[documentNumber + 1] ?? 0;
		for (let entry = entryStarts[documentNumber] ?? 0; entry < end; entry++) {
			const spelling = entries[entry] ?? 0;
			if (isMarked && ((marks[spelling >>> 5] ?? 0) & (1 << (spelling & 31))) === 0) continue;
			const cached = (offsets[spelling] ?? 0) - base - 1;
			let offset = cached >= 0 ? cached : this.#findGrams(this.#texts, spelling);
			if (offset === noGrams) continue;
			for (let gram = this.#queryGrams[offset] ?? 0; gram > 0; gram = this.#queryGrams[++offset] ?? 0)
				counts[gram] = (counts[gram] ?? 0) + (entryCounts[entry] ?? 0);
		}
	}

	/** Ends the search. */
	end(gramNumbers: Int32Array): void {
		for (const gram of gramNumbers) if (gram >= 0) this.#queryGramOf[gram] = 0;
		this.#texts = null;
	}

	/** Caches the query grams of a spelling. @returns their offset. */
	#findGrams({ gramStarts, grams }: TextSpellings, spelling: number): number {
		const first = gramStarts[spelling] ?? 0;
		const last = gramStarts[spelling + 1] ?? 0;
		while (this.#queryGrams.length < this.#used + last - first + 1) this.#queryGrams = doubled(this.#queryGrams);
		const begin = this.#used;
		let end = begin;
		for (let i = first; i < last; i++) {
			const gram = this.#queryGramOf[grams[i] ?? 0] ?? 0;
			if (gram > 0) this.#queryGrams[end++] = gram;
		}
		const offset = end === begin ? noGrams : begin;
		this.#offsets[spelling] = this.#base + 1 + offset;
		if (offset === noGrams) return offset;
		this.#queryGrams[end] = 0;
		this.#used = end + 1;
		return offset;
	}
}
