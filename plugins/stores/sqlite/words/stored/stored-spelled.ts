/** The spellings of texts in a mapped file. */

import type { SpelledTexts } from "../scoring/spelled-texts.ts";
import { type StoredSizes, storedLayout } from "./stored-layout.ts";
import { StoredTerms } from "./stored-terms.ts";

export class StoredSpelled implements SpelledTexts {
	readonly gramLengths: Uint32Array;
	readonly gramsSaid: number;
	readonly entryStarts: Uint32Array;
	readonly entries: Uint32Array;
	readonly entryCounts: Uint8Array;
	readonly gramStarts: Uint32Array;
	readonly grams: Uint32Array;
	readonly gramHolders: Uint32Array;
	readonly spellingTerms: StoredTerms;
	readonly gramTerms: StoredTerms;

	/** @param gramsSaid the sum of the texts' lengths in grams. */
	constructor({ buffer, byteOffset }: Uint8Array<ArrayBuffer>, sizes: StoredSizes, gramsSaid: number) {
		const at = storedLayout(sizes);
		const numbers = (offset: number, count: number) => new Uint32Array(buffer, byteOffset + offset, count);
		const bytes = (offset: number, count: number) => new Uint8Array(buffer, byteOffset + offset, count);
		this.gramsSaid = gramsSaid;
		this.gramLengths = numbers(at.gramLengths, sizes.texts);
		this.entryStarts = numbers(at.entryStarts, sizes.texts + 1);
		this.entries = numbers(at.entries, sizes.entries);
		this.entryCounts = bytes(at.entryCounts, sizes.entries);
		this.gramStarts = numbers(at.gramStarts, sizes.spellings + 1);
		this.grams = numbers(at.spellingGrams, sizes.spellingGrams);
		this.gramHolders = numbers(at.gramHolders, sizes.grams);
		this.spellingTerms = new StoredTerms(numbers(at.spellingOffsets, sizes.spellings + 1), bytes(at.spellings, sizes.spellingBytes));
		this.gramTerms = new StoredTerms(numbers(at.gramOffsets, sizes.grams + 1), bytes(at.grams, sizes.gramBytes));
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
