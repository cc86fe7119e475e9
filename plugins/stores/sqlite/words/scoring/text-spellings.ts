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
	/** The spellings with each gram. Absent for freshly read texts, which are few. */
	readonly holding?: HoldingSpellings;
	/** The number of a gram; -1 if no text has it. */
	readonly gramNumber: (gram: string) => number;
	readonly spelling: (number: number) => string;
}

/** The spellings with a gram are in `spellings` from `starts[gram]` to `starts[gram + 1]`, ascending. */
export interface HoldingSpellings {
	readonly starts: Uint32Array;
	readonly spellings: Uint32Array;
}

/** The spellings with each gram, from the grams of each spelling. */
export function holdingSpellings({ gramStarts, grams }: Pick<TextSpellings, "gramStarts" | "grams">, gramCount: number): HoldingSpellings {
	const starts = new Uint32Array(gramCount + 1);
	for (const gram of grams) starts[gram + 1] = (starts[gram + 1] ?? 0) + 1;
	for (let gram = 0; gram < gramCount; gram++) starts[gram + 1] = (starts[gram + 1] ?? 0) + (starts[gram] ?? 0);
	const next = starts.slice();
	const spellings = new Uint32Array(grams.length);
	for (let spelling = 0; spelling < gramStarts.length - 1; spelling++) {
		for (let i = gramStarts[spelling] ?? 0; i < (gramStarts[spelling + 1] ?? 0); i++) {
			const gram = grams[i] ?? 0;
			const at = next[gram] ?? 0;
			spellings[at] = spelling;
			next[gram] = at + 1;
		}
	}
	return { starts, spellings };
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
