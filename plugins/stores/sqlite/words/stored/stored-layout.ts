/** The layout of a word file. Wide numbers come first, so that every section is aligned. */

export interface StoredSizes {
	/** How many texts, different words, bytes of these words in UTF-8, and postings. */
	readonly texts: number;
	readonly terms: number;
	readonly termBytes: number;
	readonly postings: number;
	/** How many different spellings, bytes of them in UTF-8, grams of all of them, and entries (pairs of a text and a spelling). */
	readonly spellings: number;
	readonly spellingBytes: number;
	readonly spellingGrams: number;
	readonly entries: number;
	/** How many different grams, and bytes of them in UTF-8. */
	readonly grams: number;
	readonly gramBytes: number;
}

/** The sections in their order: name, bytes per number, and how many numbers. */
const sections = [
	/** The keys of the texts' rows, in ascending order. */
	["keys", 8, ({ texts }: StoredSizes) => texts],
	/** How many words a text has. */
	["lengths", 4, ({ texts }: StoredSizes) => texts],
	/** The offset of a word in `terms`. */
	["termOffsets", 4, ({ terms }: StoredSizes) => terms + 1],
	/** The index of the first posting of a word. */
	["postingOffsets", 4, ({ terms }: StoredSizes) => terms + 1],
	/** The document number of a posting. */
	["slots", 4, ({ postings }: StoredSizes) => postings],
	/** How many grams a text has. */
	["gramLengths", 4, ({ texts }: StoredSizes) => texts],
	/** The index of the first entry of a text. */
	["entryStarts", 4, ({ texts }: StoredSizes) => texts + 1],
	/** The spelling of an entry. */
	["entries", 4, ({ entries }: StoredSizes) => entries],
	/** The offset of a spelling in `spellings`. */
	["spellingOffsets", 4, ({ spellings }: StoredSizes) => spellings + 1],
	/** The index of the first gram of a spelling. */
	["gramStarts", 4, ({ spellings }: StoredSizes) => spellings + 1],
	/** The number of a gram. */
	["spellingGrams", 4, ({ spellingGrams }: StoredSizes) => spellingGrams],
	/** The offset of a gram in `grams`. */
	["gramOffsets", 4, ({ grams }: StoredSizes) => grams + 1],
	/** How many texts have a gram. */
	["gramHolders", 4, ({ grams }: StoredSizes) => grams],
	/** The index of the first spelling with a gram. */
	["holdingStarts", 4, ({ grams }: StoredSizes) => grams + 1],
	/** The number of a spelling with a gram. */
	["holdingSpellings", 4, ({ spellingGrams }: StoredSizes) => spellingGrams],
	/** How often a text has the word of a posting. */
	["counts", 2, ({ postings }: StoredSizes) => postings],
	/** How often a text has the spelling of an entry. */
	["entryCounts", 1, ({ entries }: StoredSizes) => entries],
	/** Strings in UTF-8, sorted by bytes. */
	["terms", 1, ({ termBytes }: StoredSizes) => termBytes],
	["spellings", 1, ({ spellingBytes }: StoredSizes) => spellingBytes],
	["grams", 1, ({ gramBytes }: StoredSizes) => gramBytes],
] as const;

export type StoredSection = (typeof sections)[number][0];

/** The offset of each section, and the length of the file. */
export type StoredLayout = Readonly<Record<StoredSection | "end", number>>;

export function storedLayout(sizes: StoredSizes): StoredLayout {
	const layout: Partial<Record<StoredSection | "end", number>> = {};
	let offset = 0;
	for (const [name, width, count] of sections) {
		layout[name] = offset;
		offset += width * count(sizes);
	}
	return { ...layout, end: offset } as StoredLayout;
}
