/** The spellings of freshly read texts. Each spelling is split into grams only once. */

import { gramsOf } from "cairn-memory/words";
import { entryCountMax, type TextSpellings } from "../scoring/text-spellings.ts";
import { doubled } from "./doubled.ts";

const startSize = 1_024;

export class FreshSpellings implements TextSpellings {
	gramLengths = new Uint32Array(startSize);
	gramOccurrences = 0;
	entryStarts = new Uint32Array(startSize + 1);
	entries = new Uint32Array(startSize);
	entryCounts = new Uint8Array(startSize);
	gramStarts = new Uint32Array(startSize + 1);
	grams = new Uint32Array(startSize);
	gramHolders = new Uint32Array(startSize);
	#texts = 0;
	readonly #numbers = new Map<string, number>();
	readonly #names: string[] = [];
	readonly #gramNumbers = new Map<string, number>();
	/** For each spelling the entry of the last text that has it, and for each gram the last text that has it. Both are stored plus one, so that 0 means none. */
	#entryOf = new Uint32Array(startSize);
	#holder = new Uint32Array(startSize);

	get spellingCount(): number {
		return this.#names.length;
	}

	get gramCount(): number {
		return this.#gramNumbers.size;
	}

	/** Its memory; that of the strings is estimated. */
	get byteLength(): number {
		return this.entries.length * 5 + this.grams.length * 4 + this.#names.length * 110 + this.gramCount * 110 + this.gramLengths.length * 8;
	}

	/** Adds the spellings of the next text. */
	add(spelled: readonly string[]): void {
		const documentNumber = this.#texts++;
		if (documentNumber === this.gramLengths.length) {
			this.gramLengths = doubled(this.gramLengths);
			this.entryStarts = doubled(this.entryStarts);
		}
		const first = this.entryStarts[documentNumber] ?? 0;
		let end = first;
		let length = 0;
		for (const word of spelled) {
			const spelling = this.#numberOf(word);
			length += (this.gramStarts[spelling + 1] ?? 0) - (this.gramStarts[spelling] ?? 0);
			const before = this.#entryOf[spelling] ?? 0;
			if (before > first) this.entryCounts[before - 1] = Math.min(entryCountMax, (this.entryCounts[before - 1] ?? 0) + 1);
			else {
				this.#put(end++, spelling);
				this.#countGrams(spelling, documentNumber);
			}
		}
		this.entryStarts[documentNumber + 1] = end;
		this.gramLengths[documentNumber] = length;
		this.gramOccurrences += length;
	}

	gramNumber(gram: string): number {
		return this.#gramNumbers.get(gram) ?? -1;
	}

	spelling(number: number): string {
		return this.#names[number] ?? "";
	}

	numbers(): Iterable<[string, number]> {
		return this.#numbers;
	}

	gramNames(): Iterable<[string, number]> {
		return this.#gramNumbers;
	}

	#put(entry: number, spelling: number): void {
		if (entry === this.entries.length) {
			this.entries = doubled(this.entries);
			this.entryCounts = doubled(this.entryCounts);
		}
		this.entries[entry] = spelling;
		this.entryCounts[entry] = 1;
		this.#entryOf[spelling] = entry + 1;
	}

	/** Counts the text once for each gram of the spelling. */
	#countGrams(spelling: number, documentNumber: number): void {
		for (let i = this.gramStarts[spelling] ?? 0; i < (this.gramStarts[spelling + 1] ?? 0); i++) {
			const gram = this.grams[i] ?? 0;
			if (this.#holder[gram] === documentNumber + 1) continue;
			this.#holder[gram] = documentNumber + 1;
			this.gramHolders[gram] = (this.gramHolders[gram] ?? 0) + 1;
		}
	}

	#numberOf(word: string): number {
		const known = this.#numbers.get(word);
		if (known !== undefined) return known;
		const number = this.#names.push(word) - 1;
		this.#numbers.set(word, number);
		if (number === this.#entryOf.length) {
			this.#entryOf = doubled(this.#entryOf);
			this.gramStarts = doubled(this.gramStarts);
		}
		let end = this.gramStarts[number] ?? 0;
		for (const gram of gramsOf(word)) {
			if (end === this.grams.length) this.grams = doubled(this.grams);
			this.grams[end++] = this.#gramNumberOf(gram);
		}
		this.gramStarts[number + 1] = end;
		return number;
	}

	#gramNumberOf(gram: string): number {
		const known = this.#gramNumbers.get(gram);
		if (known !== undefined) return known;
		const number = this.#gramNumbers.size;
		this.#gramNumbers.set(gram, number);
		if (number === this.gramHolders.length) {
			this.gramHolders = doubled(this.gramHolders);
			this.#holder = doubled(this.#holder);
		}
		return number;
	}
}
