/** How often each word stands in a text, counted once when the text is stored. */

import { indexWords } from "cairn";

export interface WordCounts {
	readonly counts: ReadonlyMap<string, number>;
	/** How many words the text has. */
	readonly length: number;
}

export function countWords(text: string): WordCounts {
	const words = indexWords(text);
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return { counts, length: words.length };
}
