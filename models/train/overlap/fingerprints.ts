/**
 * Remembers texts by their sentences and by every run of eight words, and says whether another text shares one. Words are
 * compared as the index keeps them: without case, accents, signs and endings.
 */

import type { EncodedText } from "../data/encode-text.ts";
import type { Lexicon } from "../data/lexicon.ts";
import { createNumberSet } from "../data/number-set.ts";

export type Shared = "text" | "sentence" | "shingle";

export interface Fingerprints {
	readonly add: (text: EncodedText) => void;
	/** The first thing that the text has in common with those added, or null. */
	readonly shared: (text: EncodedText) => Shared | null;
	readonly size: () => number;
}

const shingleWords = 8;
/** "how are you today" is in every chat: a sentence says where it is from when it has this many words. */
const sentenceWordsMin = 5;
/** A whole text may be as short as a question. */
const textWordsMin = 3;

export function createFingerprints(lexicon: Lexicon): Fingerprints {
	const known = createNumberSet();
	return {
		add: (text) => {
			for (const [hash] of hashesOf(text, lexicon)) known.add(hash);
		},
		shared: (text) => {
			for (const [hash, kind] of hashesOf(text, lexicon)) if (known.has(hash)) return kind;
			return null;
		},
		size: known.size,
	};
}

function* hashesOf({ numbers, sentenceEnds }: EncodedText, lexicon: Lexicon): Generator<readonly [number, Shared]> {
	if (numbers.length >= textWordsMin) yield [lexicon.hashOf(numbers, 0, numbers.length), "text"];
	let from = 0;
	for (const end of sentenceEnds) {
		if (end - from >= sentenceWordsMin) yield [lexicon.hashOf(numbers, from, end), "sentence"];
		from = end;
	}
	for (let i = 0; i + shingleWords <= numbers.length; i++) yield [lexicon.hashOf(numbers, i, i + shingleWords), "shingle"];
}
