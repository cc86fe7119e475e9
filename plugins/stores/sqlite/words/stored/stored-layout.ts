/** Where what lies in a word file. Wide numbers come first, so that every section is aligned for its kind. */

export interface StoredSizes {
	/** How many texts, how many different words, how many bytes their UTF-8 takes, how many postings. */
	readonly texts: number;
	readonly terms: number;
	readonly termBytes: number;
	readonly postings: number;
	/** How many different spellings, the bytes of their UTF-8, the grams of all of them, and how often a text has a spelling. */
	readonly spellings: number;
	readonly spellingBytes: number;
	readonly spellingGrams: number;
	readonly entries: number;
	/** How many different grams, and the bytes of their UTF-8. */
	readonly grams: number;
	readonly gramBytes: number;
}

/** The sections in their order, and the bytes of each of their numbers. */
const sections = [
	/** Ascending: the rows' numbers. */
	["keys", 8, ({ texts }: StoredSizes) => texts],
	/** How many words a text has. */
	["lengths", 4, ({ texts }: StoredSizes) => texts],
	/** Where a word begins in `terms`. */
	["termOffsets", 4, ({ terms }: StoredSizes) => terms + 1],
	/** Which is the first posting of a word. */
	["postingOffsets", 4, ({ terms }: StoredSizes) => terms + 1],
	/** The text of a posting. */
	["slots", 4, ({ postings }: StoredSizes) => postings],
	/** How many grams a text has. */
	["gramLengths", 4, ({ texts }: StoredSizes) => texts],
	/** Which is the first of a text's entries. */
	["entryStarts", 4, ({ texts }: StoredSizes) => texts + 1],
	/** The spelling of an entry. */
	["entries", 4, ({ entries }: StoredSizes) => entries],
	/** Where a spelling begins in `spellings`. */
	["spellingOffsets", 4, ({ spellings }: StoredSizes) => spellings + 1],
	/** Which is the first gram of a spelling. */
	["gramStarts", 4, ({ spellings }: StoredSizes) => spellings + 1],
	/** The number of a gram. */
	["spellingGrams", 4, ({ spellingGrams }: StoredSizes) => spellingGrams],
	/** Where a gram begins in `grams`. */
	["gramOffsets", 4, ({ grams }: StoredSizes) => grams + 1],
	/** How many texts have a gram. */
	["gramHolders", 4, ({ grams }: StoredSizes) => grams],
	/** How often a text holds the word of a posting. */
	["counts", 2, ({ postings }: StoredSizes) => postings],
	/** How often a text has the spelling of an entry. */
	["entryCounts", 1, ({ entries }: StoredSizes) => entries],
	/** UTF-8, each sorted by bytes. */
	["terms", 1, ({ termBytes }: StoredSizes) => termBytes],
	["spellings", 1, ({ spellingBytes }: StoredSizes) => spellingBytes],
	["grams", 1, ({ gramBytes }: StoredSizes) => gramBytes],
] as const;

export type StoredSection = (typeof sections)[number][0];

/** Where each section begins, and the length of the file. */
export type StoredLayout = Readonly<Record<StoredSection | "end", number>>;

export function storedLayout(sizes: StoredSizes): StoredLayout {
	const layout: Partial<Record<StoredSection | "end", number>> = {};
	let at = 0;
	for (const [name, width, count] of sections) {
		layout[name] = at;
		at += width * count(sizes);
	}
	return { ...layout, end: at } as StoredLayout;
}
