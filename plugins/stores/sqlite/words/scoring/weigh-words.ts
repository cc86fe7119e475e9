/**
 * How much each word of a query weighs, and where its postings are: its own, and those of the other terms under which it
 * may stand. The counts are those of the texts that live in this index, and so of one organisation.
 */

import type { QueryTerm, SpelledTerm } from "cairn-memory/stores";
import { indexWords, meantMax, normalize, otherTerms } from "cairn-memory/words";
import type { LiveTexts, TextPart } from "../live-texts.ts";
import { nearSpellings } from "./near-spellings.ts";
import type { Postings } from "./text-segment.ts";
import { unitedPostings } from "./united-postings.ts";
import { weightOf } from "./weight-of.ts";

export interface PlacedPostings extends Postings {
	readonly part: TextPart;
}

export interface Weighted {
	/** The word's part of the score that a text with endlessly many of it would have, of 1 for all words of the client together. */
	readonly weight: number;
	/** How many texts hold it. */
	readonly holders: number;
	readonly postings: readonly PlacedPostings[];
}

type Live = Pick<LiveTexts, "parts" | "texts" | "languages">;
type Placed = Omit<Weighted, "weight">;

interface Counted extends Placed {
	/** What the word brings, and what of that could be reached at most; nothing for one that the client has not written. */
	readonly brings: number;
	readonly owes: number;
}

/** From so many texts on, a word that more than half of them hold is left out: it says little and costs the most. */
const commonFrom = 2_000;

/** Only words that some text holds: the others have no hits, but raise what could have been reached. */
export function weighWords(live: Live, words: readonly QueryTerm[]): readonly Weighted[] {
	const { texts, languages } = live;
	const unknown: Unknown = { left: meantMax };
	const counted = distinct(words).map((word) => (typeof word === "string" ? count(live, placed(live, [word])) : countTerm(live, word, languages, unknown)));
	const telling = counted.filter(({ holders }) => texts < commonFrom || holders * 2 <= texts);
	const used = telling.some(({ holders, owes }) => holders > 0 && owes > 0) ? telling : counted;
	const greatest = used.reduce((sum, { owes }) => sum + owes, 0);
	return used
		.filter(({ holders }) => holders > 0)
		.map(({ holders, postings, brings }) => ({ holders, postings, weight: brings / greatest }))
		.sort((a, b) => a.holders - b.holders);
}

/** Of equal words the first: the client's come before those that were added. */
function distinct(words: readonly QueryTerm[]): readonly QueryTerm[] {
	const byWord = new Map<string, QueryTerm>();
	for (const word of words) {
		const key = typeof word === "string" ? word : word.word;
		if (!byWord.has(key)) byWord.set(key, word);
	}
	return [...byWord.values()];
}

function count(live: Live, { holders, postings }: Placed, emphasis = 1): Counted {
	const weight = emphasis * weightOf(live.texts, holders);
	return { holders, postings, brings: weight, owes: weight };
}

/** How many words may still be taken for others. */
interface Unknown {
	left: number;
}

function countTerm(live: Live, term: SpelledTerm, languages: Live["languages"], unknown: Unknown): Counted {
	const { word, spelled, weight, emphasis = 1 } = term;
	const found = placed(live, [word, ...termsOf(term, languages)]);
	if (weight !== undefined) return { ...found, brings: weight * weightOf(live.texts, found.holders), owes: 0 };
	if (found.holders > 0 || spelled === null || unknown.left === 0) return count(live, found, emphasis);
	unknown.left -= 1;
	const near = nearSpellings(live, normalize(spelled));
	const meant = placed(live, new Set(near.flatMap(({ spelled: other }) => indexWords(other))));
	return { ...meant, brings: emphasis * (near[0]?.trust ?? 0) * weightOf(live.texts, meant.holders), owes: emphasis * weightOf(live.texts, 0) };
}

/**
 * Looks for what the words that no text has may be meant to be, one with each step, so that others have their turn between
 * them: what is found is remembered until the words are weighed, a moment later.
 */
export function* seekMeant(live: Live, words: readonly QueryTerm[]): Generator<void> {
	const { languages } = live;
	let left = meantMax;
	for (const term of distinct(words)) {
		if (typeof term === "string" || term.weight !== undefined || term.spelled === null) continue;
		const terms = [term.word, ...termsOf(term, languages)];
		if (live.parts().some(({ segment }) => terms.some((term) => segment.has(term)))) continue;
		if (left === 0) return;
		left -= 1;
		nearSpellings(live, normalize(term.spelled));
		yield;
	}
}

/** What `otherTerms` answered of late, by languages, spelling and word. */
const remembered = new Map<string, readonly string[]>();
/** About 500 bytes each. */
const rememberedMax = 5_000;

function termsOf(term: SpelledTerm, languages: Live["languages"]): readonly string[] {
	const key = `${languages.map(({ code }) => code).join()} ${term.spelled} ${term.word}`;
	const before = remembered.get(key);
	if (before !== undefined) return before;
	if (remembered.size >= rememberedMax) remembered.clear();
	const found = otherTerms(term, languages);
	remembered.set(key, found);
	return found;
}

function placed(live: Live, terms: Iterable<string>): Placed {
	const postings: PlacedPostings[] = [];
	let holders = 0;
	for (const part of live.parts()) {
		const found = Array.from(terms, (term) => part.segment.postings(term)).filter((list) => list !== null);
		if (found.length === 0) continue;
		const united = unitedPostings(found);
		postings.push({ documentNumbers: united.documentNumbers, counts: united.counts, part });
		holders += livingOf(united.documentNumbers, part.dead);
	}
	return { holders, postings };
}

function livingOf(documentNumbers: Uint32Array, dead: Uint8Array | null): number {
	if (dead === null) return documentNumbers.length;
	let living = 0;
	for (let i = 0; i < documentNumbers.length; i++) if (dead[documentNumbers[i] ?? 0] !== 1) living += 1;
	return living;
}
