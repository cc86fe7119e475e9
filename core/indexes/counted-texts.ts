/** A cache for the word counts of texts, shared by all organisations. */

import type { OrganisationId } from "../model/id.ts";
import { countWords, type WordCounts } from "../ranking/words/count-words.ts";
import { BoundedMap } from "../text/bounded-map.ts";

export interface IdentifiedText {
	readonly id: string;
	readonly text: string;
}

/** Cached texts, about 5 kB each. An entry stays valid, since the text of an id never changes. */
const cachedMax = 5_000;

export function countedTexts(): (organisation: OrganisationId) => (text: IdentifiedText) => WordCounts {
	const cache = new BoundedMap<string, WordCounts>(cachedMax);
	return (organisation) =>
		({ id, text }) => {
			const key = `${organisation} ${id}`;
			const counts = cache.get(key) ?? countWords(text);
			cache.set(key, counts);
			return counts;
		};
}
