/**
 * Computes the weight of each query word, and collects its postings: its own, and those of other terms for it, such as stems. The
 * statistics are those of the existing texts of this index, and so of one organisation.
 */

import type { QueryTerm, SpelledTerm } from "cairn-memory/stores";
import { BoundedMap, indexWords, meantMax, normalize, otherTerms } from "cairn-memory/words";
import type { LiveTexts, TextPart } from "../live-texts.ts";
import { nearSpellings } from "./near-spellings.ts";
import type { Postings } from "./text-segment.ts";
import { unitedPostings } from "./united-postings.ts";
import { weightOf } from "./weight-of.ts";

export interface PlacedPostings extends Postings {
	readonly part: TextPart;
}

export interface Weighted {
	/** The largest score that the word can give a text. For all words of the client together it is 1. */
	readonly weight: number;
	/** How many texts have the word. */
	readonly holders: number;
	readonly postings: readonly PlacedPostings[];
}

type Live = Pick<LiveTexts, "parts" | "texts" | "languages">;
type FoundPostings = Omit<Weighted, "weight">;

interface Counted extends FoundPostings {
	/** The weight of the word. */
	readonly ownWeight: number;
	/** Its share of the largest possible score; 0 for a word that the client has not written. */
	readonly possibleWeight: number;
}

/** In an index with at least this many texts, a word that more than half of them have is ignored: it says little and costs the most. */
const commonFrom = 2_000;

/** The words that some text has. The others have no hits, but count for the largest possible score. */
export function weighWords(live: Live, words: readonly QueryTerm[]): readonly Weighted[] {
	const { texts, languages } = live;
	const unknownWords: UnknownWords = { left: meantMax };
	const counted = distinct(words).map((word) =>
		typeof word === "string" ? count(live, collectPostings(live, [word])) : countTerm(live, word, languages, unknownWords),
	);
	const significant = counted.filter(({ holders }) => texts < commonFrom || holders * 2 <= texts);
	const used = significant.some(({ holders, possibleWeight }) => holders > 0 && possibleWeight > 0) ? significant : counted;
	const greatest = used.reduce((sum, { possibleWeight }) => sum + possibleWeight, 0);
	return used
		.filter(({ holders }) => holders > 0)
		.map(({ holders, postings, ownWeight }) => ({ holders, postings, weight: ownWeight / greatest }))
		.sort((a, b) => a.holders - b.holders);
}

/** Removes duplicate words. The first is kept, because words of the client come before added ones. */
function distinct(words: readonly QueryTerm[]): readonly QueryTerm[] {
	const byWord = new Map<string, QueryTerm>();
	for (const word of words) {
		const key = typeof word === "string" ? word : word.word;
		if (!byWord.has(key)) byWord.set(key, word);
	}
	return [...byWord.values()];
}

function count(live: Live, { holders, postings }: FoundPostings, emphasis = 1): Counted {
	const weight = emphasis * weightOf(live.texts, holders);
	return { holders, postings, ownWeight: weight, possibleWeight: weight };
}

/** How many unknown words may still be replaced by near spellings. */
interface UnknownWords {
	left: number;
}

function countTerm(live: Live, term: SpelledTerm, languages: Live["languages"], unknownWords: UnknownWords): Counted {
	const { word, spelled, weight, emphasis = 1 } = term;
	const found = collectPostings(live, [word, ...termsOf(term, languages)]);
	if (weight !== undefined) return { ...found, ownWeight: weight * weightOf(live.texts, found.holders), possibleWeight: 0 };
	if (found.holders > 0 || spelled === null || unknownWords.left === 0) return count(live, found, emphasis);
	unknownWords.left -= 1;
	const near = nearSpellings(live, normalize(spelled));
	const meant = collectPostings(live, new Set(near.flatMap(({ spelled: other }) => indexWords(other))));
	return { ...meant, ownWeight: emphasis * (near[0]?.trust ?? 0) * weightOf(live.texts, meant.holders), possibleWeight: emphasis * weightOf(live.texts, 0) };
}

/**
 * Finds near spellings of the words that no text has, one word per step, so that other work can run in between. The results are cached
 * until the words are weighed, a moment later.
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

/** A cache for `otherTerms`, by languages, spelling and word, about 500 bytes per entry. */
const termCache = new BoundedMap<string, readonly string[]>(1_000);

function termsOf(term: SpelledTerm, languages: Live["languages"]): readonly string[] {
	const key = `${languages.map(({ code }) => code).join()} ${term.spelled} ${term.word}`;
	const before = termCache.get(key);
	if (before !== undefined) return before;
	const found = otherTerms(term, languages);
	termCache.set(key, found);
	return found;
}

function collectPostings(live: Live, terms: Iterable<string>): FoundPostings {
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
