/** A cache for the word counts of texts, shared by all organisations. */

import type { OrganisationId } from "../model/id.ts";
import { countWords, type WordCounts } from "../ranking/words/count-words.ts";

export interface Read {
	readonly id: string;
	readonly text: string;
}

/** A text never changes under its id. About 5 kB each. */
const countedMax = 5_000;

export function countedTexts(): (organisation: OrganisationId) => (read: Read) => WordCounts {
	const known = new Map<string, WordCounts>();
	return (organisation) =>
		({ id, text }) => {
			const key = `${organisation} ${id}`;
			const counts = known.get(key) ?? countWords(text);
			known.delete(key);
			known.set(key, counts);
			const [oldest] = known.keys();
			if (known.size > countedMax && oldest !== undefined) known.delete(oldest);
			return counts;
		};
}
