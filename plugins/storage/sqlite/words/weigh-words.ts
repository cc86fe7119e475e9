/**
 * How much each word of a query weighs, and where its postings are. BM25 after Robertson & Zaragoza, with one added
 * inside the logarithm, so that a word which most texts hold still weighs something: in a store of three texts nearly
 * every word is one. The counts are those of the texts that live in this index, and so of one organisation.
 */

import type { LiveTexts, TextPart } from "./live-texts.ts";
import type { Postings } from "./text-segment.ts";

export interface PlacedPostings extends Postings {
	readonly part: TextPart;
}

export interface Weighted {
	/** The word's part of the score that a text with endlessly many of it would have, of 1 for all words together. */
	readonly weight: number;
	/** How many texts hold it. */
	readonly holders: number;
	readonly postings: readonly PlacedPostings[];
}

/** From so many texts on, a word that more than half of them hold is left out: it says little and costs the most. */
const commonFrom = 2_000;

/** Only words that some text holds: the others have no hits, but raise what could have been reached. */
export function weighWords(live: LiveTexts, words: readonly string[]): readonly Weighted[] {
	const { texts } = live;
	const counted = [...new Set(words)].map((word) => placed(live, word));
	const telling = counted.filter(({ holders }) => texts < commonFrom || holders * 2 <= texts);
	const used = telling.some(({ holders }) => holders > 0) ? telling : counted;
	const greatest = used.reduce((sum, { holders }) => sum + weightOf(texts, holders), 0);
	return used
		.filter(({ holders }) => holders > 0)
		.map(({ holders, postings }) => ({ holders, postings, weight: weightOf(texts, holders) / greatest }))
		.sort((a, b) => a.holders - b.holders);
}

function placed(live: LiveTexts, word: string): Omit<Weighted, "weight"> {
	const postings: PlacedPostings[] = [];
	let holders = 0;
	for (const part of live.parts()) {
		const found = part.segment.postings(word);
		if (found === null) continue;
		postings.push({ ...found, part });
		holders += livingOf(found.slots, part.dead);
	}
	return { holders, postings };
}

function livingOf(slots: Uint32Array, dead: Uint8Array | null): number {
	if (dead === null) return slots.length;
	let living = 0;
	for (let i = 0; i < slots.length; i++) if (dead[slots[i] ?? 0] !== 1) living += 1;
	return living;
}

function weightOf(texts: number, holders: number): number {
	return Math.log(1 + (texts - holders + 0.5) / (holders + 0.5));
}
