/** Where what lies in a word file. Wide numbers come first, so that every section is aligned for its kind. */

export interface StoredSizes {
	/** How many texts, how many different words, how many bytes their UTF-8 takes, how many postings. */
	readonly texts: number;
	readonly terms: number;
	readonly termBytes: number;
	readonly postings: number;
}

export interface StoredLayout {
	/** 64-bit floats, ascending: the rows' numbers. */
	readonly keys: number;
	/** 32 bits each: how many words a text has. */
	readonly lengths: number;
	/** 32 bits each and one more: where a word begins in `terms`. */
	readonly termOffsets: number;
	/** 32 bits each and one more: which is the first posting of a word. */
	readonly postingOffsets: number;
	/** 32 bits each: the text of a posting. */
	readonly slots: number;
	/** 16 bits each: how often it holds the word. */
	readonly counts: number;
	/** UTF-8, sorted by bytes. */
	readonly terms: number;
	/** The length of the file. */
	readonly end: number;
}

export function storedLayout({ texts, terms, termBytes, postings }: StoredSizes): StoredLayout {
	const lengths = texts * 8;
	const termOffsets = lengths + texts * 4;
	const postingOffsets = termOffsets + (terms + 1) * 4;
	const slots = postingOffsets + (terms + 1) * 4;
	const counts = slots + postings * 4;
	const words = counts + postings * 2;
	return { keys: 0, lengths, termOffsets, postingOffsets, slots, counts, terms: words, end: words + termBytes };
}
