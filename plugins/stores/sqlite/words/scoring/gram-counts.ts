/**
 * Counts how often texts have the query's grams. Texts share most of their spellings, so the query grams of each spelling are found
 * once per search and cached for the next texts.
 */

import { doubled } from "../fresh/doubled.ts";
import type { SpelledTexts } from "./spelled-texts.ts";

const startSize = 1_024;
/** The largest number that is stored in 31 bits. */
const placesMax = 2 ** 30;
/** The offset for a spelling without any query gram. */
const noGrams = 0;

export class GramCounts {
	#spelled: SpelledTexts | null = null;
	/** By gram, 1 + its index among the query grams; 0 for other grams. */
	#gramNumbersOf = new Uint16Array(startSize);
	/** By spelling, the offset of its query grams in `#gramNumbers`, plus `#earlier` and 1. Values up to `#earlier` belong to earlier searches. */
	#places = new Int32Array(startSize);
	#earlier = 0;
	/** The query grams of each spelling, one spelling after the other, each ended by 0. */
	#gramNumbers = new Uint16Array(startSize);
	#used = 1;

	/** Begins a search. @param numbers of the query grams in these texts, -1 if no text has one. */
	begin(spelled: SpelledTexts, numbers: Int32Array): void {
		this.#spelled = spelled;
		this.#earlier += this.#used;
		this.#used = 1;
		if (this.#gramNumbersOf.length < spelled.gramCount) this.#gramNumbersOf = new Uint16Array(spelled.gramCount * 2);
		if (this.#places.length < spelled.spellingCount || this.#earlier > placesMax) {
			this.#places = new Int32Array(Math.max(this.#places.length, spelled.spellingCount * 2));
			this.#earlier = 0;
		}
		for (const [i, number] of numbers.entries()) if (number >= 0) this.#gramNumbersOf[number] = i + 1;
	}

	/** Adds the counts of a text to `times`, at 1 + the index of the query gram. */
	count(documentNumber: number, times: Float64Array): void {
		if (this.#spelled === null) return;
		const { entryStarts, entries, entryCounts } = this.#spelled;
		const [places, earlier] = [this.#places, this.#earlier];
		const end = entryStarts[documentNumber + 1] ?? 0;
		for (let entry = entryStarts[documentNumber] ?? 0; entry < end; entry++) {
			const spelling = entries[entry] ?? 0;
			const known = (places[spelling] ?? 0) - earlier - 1;
			let at = known >= 0 ? known : this.#findGrams(this.#spelled, spelling);
			if (at === noGrams) continue;
			for (let which = this.#gramNumbers[at] ?? 0; which > 0; which = this.#gramNumbers[++at] ?? 0)
				times[which] = (times[which] ?? 0) + (entryCounts[entry] ?? 0);
		}
	}

	/** Ends the search. */
	end(numbers: Int32Array): void {
		for (const number of numbers) if (number >= 0) this.#gramNumbersOf[number] = 0;
		this.#spelled = null;
	}

	#findGrams({ gramStarts, grams }: SpelledTexts, spelling: number): number {
		const first = gramStarts[spelling] ?? 0;
		const last = gramStarts[spelling + 1] ?? 0;
		while (this.#gramNumbers.length < this.#used + last - first + 1) this.#gramNumbers = doubled(this.#gramNumbers);
		const begin = this.#used;
		let end = begin;
		for (let i = first; i < last; i++) {
			const which = this.#gramNumbersOf[grams[i] ?? 0] ?? 0;
			if (which > 0) this.#gramNumbers[end++] = which;
		}
		const at = end === begin ? noGrams : begin;
		this.#places[spelling] = this.#earlier + 1 + at;
		if (at === noGrams) return at;
		this.#gramNumbers[end] = 0;
		this.#used = end + 1;
		return at;
	}
}
