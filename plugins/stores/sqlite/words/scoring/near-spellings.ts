/** The spellings of an index that a word which no text has was likely meant to be. */

import { gramsOf, nearSpelling } from "cairn-memory/words";
import type { LiveTexts } from "../live-texts.ts";
import type { SpelledTexts } from "./spelled-texts.ts";

export interface NearSpelling {
	readonly spelled: string;
	/** See `nearSpelling`. */
	readonly trust: number;
}

/** A word that may be several is taken for the likeliest, and for those nearly as likely. */
const nearMax = 8;
const leastOfBest = 0.75;

/** Spellings differ in so many letters at most, or one is in the other: then all grams of the shorter but those with a mark are in both. */
const lettersMax = 2;
const markedGrams = 2;
/** Of more only those that share the most grams are compared, 3 ms for one word: ordinary words have far fewer, a text made for it has any number. */
export const comparedMax = 3_000;

/**
 * Looks at every spelling that shares a gram: a pass over the grams of all, some milliseconds for a million. What was
 * looked for is remembered as long as the index grows by no more than one in a hundred.
 */
export function nearSpellings(live: Pick<LiveTexts, "parts">, plain: string): readonly NearSpelling[] {
	const found = new Map<string, NearSpelling>();
	for (const { segment } of live.parts()) for (const near of nearIn(segment.spelled, plain)) found.set(near.spelled, near);
	return likeliest([...found.values()]);
}

function likeliest(found: readonly NearSpelling[]): readonly NearSpelling[] {
	const ranked = found.toSorted((a, b) => b.trust - a.trust || (a.spelled < b.spelled ? -1 : 1));
	const least = (ranked[0]?.trust ?? 0) * leastOfBest;
	return ranked.filter(({ trust }) => trust >= least).slice(0, nearMax);
}

interface Remembered {
	/** How many spellings there were. */
	readonly spellings: number;
	readonly found: Map<string, readonly NearSpelling[]>;
}

const remembered = new WeakMap<SpelledTexts, Remembered>();
const rememberedMax = 500;
const growthMax = 1 / 100;

function nearIn(texts: SpelledTexts, plain: string): readonly NearSpelling[] {
	let memory = remembered.get(texts);
	const isOutgrown = memory !== undefined && texts.spellingCount - memory.spellings > memory.spellings * growthMax;
	if (memory === undefined || isOutgrown || memory.found.size >= rememberedMax) {
		memory = { spellings: texts.spellingCount, found: new Map() };
		remembered.set(texts, memory);
	}
	const before = memory.found.get(plain);
	if (before !== undefined) return before;
	const found: NearSpelling[] = [];
	for (const number of sharing(texts, plain)) {
		const spelled = texts.spelling(number);
		const trust = nearSpelling(plain, spelled);
		if (trust > 0) found.push({ spelled, trust });
	}
	// No more than is ever asked for: of a text that was made for it, half of all words may be near.
	const kept = likeliest(found);
	memory.found.set(plain, kept);
	return kept;
}

/** Those with a gram of the word, of which one may be the other: of about its length, or with nearly all grams of the shorter. */
function sharing(texts: SpelledTexts, plain: string): readonly number[] {
	const { gramStarts, grams, gramCount, spellingCount } = texts;
	const wanted = new Uint8Array(gramCount);
	const queryGrams = gramsOf(plain);
	let isAny = false;
	for (const gram of queryGrams) {
		const number = texts.gramNumber(gram);
		if (number < 0) continue;
		wanted[number] = 1;
		isAny = true;
	}
	const found: number[] = [];
	const shares: number[] = [];
	for (let spelling = 0; isAny && spelling < spellingCount; spelling++) {
		const start = gramStarts[spelling] ?? 0;
		const end = gramStarts[spelling + 1] ?? 0;
		let shared = 0;
		for (let i = start; i < end; i++) shared += wanted[grams[i] ?? 0] ?? 0;
		if (shared === 0) continue;
		const isAlikeLong = Math.abs(end - start - queryGrams.length) <= lettersMax;
		if (!isAlikeLong && shared < Math.min(end - start, queryGrams.length) - markedGrams) continue;
		found.push(spelling);
		shares.push(shared);
	}
	if (found.length <= comparedMax) return found;
	const least = leastOfMost(shares);
	const more = found.filter((_, i) => (shares[i] ?? 0) > least);
	return [...more, ...found.filter((_, i) => shares[i] === least)].slice(0, comparedMax);
}

/** What the last of the `comparedMax` greatest shares. Counted and not sorted: there may be a million. */
function leastOfMost(shares: readonly number[]): number {
	const counts: number[] = [];
	for (const share of shares) counts[share] = (counts[share] ?? 0) + 1;
	let left = comparedMax;
	for (let share = counts.length - 1; share > 0; share--) {
		left -= counts[share] ?? 0;
		if (left <= 0) return share;
	}
	return 0;
}
