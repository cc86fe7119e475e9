/** The spellings of each text, and the grams of each spelling: everything that scoring by grams needs. */

/** A spelling is a word as a text has it, normalised but not stemmed. Spellings, grams and texts are numbered from 0. */
export interface TextSpellings {
	/** By document number, how many grams a text has. It may be longer than the number of texts. */
	readonly gramLengths: Uint32Array;
	/** How many grams all texts have together. */
	readonly gramOccurrences: number;
	/** The spellings of a text are in `entries` from `entryStarts[documentNumber]` to `entryStarts[documentNumber + 1]`, each once. */
	readonly entryStarts: Uint32Array;
	readonly entries: Uint32Array;
	/** How often the text has the spelling, at most `entryCountMax`. */
	readonly entryCounts: Uint8Array;
	readonly spellingCount: number;
	/** The grams of a spelling are in `grams` from `gramStarts[number]` to `gramStarts[number + 1]`, repeated. */
	readonly gramStarts: Uint32Array;
	readonly grams: Uint32Array;
	readonly gramCount: number;
	/** By gram, how many texts have it. */
	readonly gramHolders: Uint32Array;
	/** The number of a gram; -1 if no text has it. */
	readonly gramNumber: (gram: string) => number;
	readonly spelling: (number: number) => string;
}

/** The largest count of a spelling in a text, because it is stored in 8 bits. */
export const entryCountMax = 0xff;

/** The grams of one text, each once. */
export function gramsOfText({ entryStarts, entries, gramStarts, grams }: TextSpellings, documentNumber: number): ReadonlySet<number> {
	const found = new Set<number>();
	for (let i = entryStarts[documentNumber] ?? 0; i < (entryStarts[documentNumber + 1] ?? 0); i++) {
		const spelling = entries[i] ?? 0;
		for (let j = gramStarts[spelling] ?? 0; j < (gramStarts[spelling + 1] ?? 0); j++) found.add(grams[j] ?? 0);
	}
	return found;
}
