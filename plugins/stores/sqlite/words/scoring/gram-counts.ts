/**
 * How often texts have sought grams. Texts share most of their spellings, so each spelling is looked through once a search
 * and its sought grams are remembered for the next text.
 */

import { doubled } from "../fresh/doubled.ts";
import type { SpelledTexts } from "./spelled-texts.ts";

const startSize = 1_024;
/** What is kept in 31 bits. */
const placesMax = 2 ** 30;
/** Where the grams of a spelling without any begin. */
const none = 0;

export class GramCounts {
	#spelled: SpelledTexts | null = null;
	/** By gram, which of the sought it is, and one more. */
	#gramNumbersOf = new Uint16Array(startSize);
	/** By spelling, where its sought grams begin, and how many places earlier searches took, and one more. */
	#places = new Int32Array(startSize);
	#earlier = 0;
	/** One spelling after another, which of the sought grams it has, a nought behind the last of each. */
	#gramNumbers = new Uint16Array(startSize);
	#used = 1;

	/** @param numbers those of the sought grams, -1 where there is none. */
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

	/** Adds what a text has to `times`, at one more than the place of the gram. */
	count(documentNumber: number, times: Float64Array): void {
		if (this.#spelled === null) return;
		const { entryStarts, entries, entryCounts } = this.#spelled;
		const [places, earlier] = [this.#places, this.#earlier];
		const end = entryStarts[documentNumber + 1] ?? 0;
		for (let entry = entryStarts[documentNumber] ?? 0; entry < end; entry++) {
			const spelling = entries[entry] ?? 0;
			const known = (places[spelling] ?? 0) - earlier - 1;
			let at = known >= 0 ? known : this.#lookThrough(this.#spelled, spelling);
			if (at === none) continue;
			for (let which = this.#gramNumbers[at] ?? 0; which > 0; which = this.#gramNumbers[++at] ?? 0)
				times[which] = (times[which] ?? 0) + (entryCounts[entry] ?? 0);
		}
	}

	/** Leaves no gram sought. */
	end(numbers: Int32Array): void {
		for (const number of numbers) if (number >= 0) this.#gramNumbersOf[number] = 0;
		this.#spelled = null;
	}

	#lookThrough({ gramStarts, grams }: SpelledTexts, spelling: number): number {
		const first = gramStarts[spelling] ?? 0;
		const last = gramStarts[spelling + 1] ?? 0;
		while (this.#gramNumbers.length < this.#used + last - first + 1) this.#gramNumbers = doubled(this.#gramNumbers);
		const begin = this.#used;
		let end = begin;
		for (let i = first; i < last; i++) {
			const which = this.#gramNumbersOf[grams[i] ?? 0] ?? 0;
			if (which > 0) this.#gramNumbers[end++] = which;
		}
		const at = end === begin ? none : begin;
		this.#places[spelling] = this.#earlier + 1 + at;
		if (at === none) return at;
		this.#gramNumbers[end] = 0;
		this.#used = end + 1;
		return at;
	}
}
