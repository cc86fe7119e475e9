/** The spellings of texts, read from a mapped file. */

import type { HoldingSpellings, TextSpellings } from "../scoring/text-spellings.ts";
import { type StoredSizes, storedLayout } from "./stored-layout.ts";
import { StoredTerms } from "./stored-terms.ts";

export class StoredSpellings implements TextSpellings {
	readonly gramLengths: Uint32Array;
	readonly gramOccurrences: number;
	readonly entryStarts: Uint32Array;
	readonly entries: Uint32Array;
	readonly entryCounts: Uint8Array;
	readonly gramStarts: Uint32Array;
	readonly grams: Uint32Array;
	readonly gramHolders: Uint32Array;
	readonly holding: HoldingSpellings;
	readonly spellingTerms: StoredTerms;
	readonly gramTerms: StoredTerms;

	/** @param gramOccurrences how many grams all texts have together. */
	constructor({ buffer, byteOffset }: Uint8Array<ArrayBuffer>, sizes: StoredSizes, gramOccurrences: number) {
		const layout = storedLayout(sizes);
		const numbers = (offset: number, count: number) => new Uint32Array(buffer, byteOffset + offset, count);
		const bytes = (offset: number, count: number) => new Uint8Array(buffer, byteOffset + offset, count);
		this.gramOccurrences = gramOccurrences;
		this.gramLengths = numbers(layout.gramLengths, sizes.texts);
		this.entryStarts = numbers(layout.entryStarts, sizes.texts + 1);
		this.entries = numbers(layout.entries, sizes.entries);
		this.entryCounts = bytes(layout.entryCounts, sizes.entries);
		this.gramStarts = numbers(layout.gramStarts, sizes.spellings + 1);
		this.grams = numbers(layout.spellingGrams, sizes.spellingGrams);
		this.gramHolders = numbers(layout.gramHolders, sizes.grams);
		this.holding = { starts: numbers(layout.holdingStarts, sizes.grams + 1), spellings: numbers(layout.holdingSpellings, sizes.spellingGrams) };
		this.spellingTerms = new StoredTerms(numbers(layout.spellingOffsets, sizes.spellings + 1), bytes(layout.spellings, sizes.spellingBytes));
		this.gramTerms = new StoredTerms(numbers(layout.gramOffsets, sizes.grams + 1), bytes(layout.grams, sizes.gramBytes));
	}

	get spellingCount(): number {
		return this.spellingTerms.count;
	}

	get gramCount(): number {
		return this.gramTerms.count;
	}

	gramNumber(gram: string): number {
		return this.gramTerms.find(gram);
	}

	spelling(number: number): string {
		return this.spellingTerms.text(number);
	}
}
