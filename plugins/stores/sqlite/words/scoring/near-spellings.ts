/** Finds the spellings that were likely meant by a query word that no text has. */

import { gramsOf, nearSpelling } from "cairn-memory/words";
import type { LiveTexts } from "../live-texts.ts";
import type { TextSpellings } from "./text-spellings.ts";

export interface NearSpelling {
	readonly spelled: string;
	/** How likely it was meant, see `nearSpelling`. */
	readonly trust: number;
}

/** Up to this many spellings are used: the most likely one, and those with at least this share of its trust. */
const nearMax = 8;
const trustShareMin = 0.75;

/**
 * Near spellings differ in at most this many letters, or one contains the other; then both share all grams of the shorter but the two with a
 * word boundary.
 */
const lettersMax = 2;
const boundaryGrams = 2;
/**
 * At most this many candidates are compared, those that share the most grams: 3 ms per word. Ordinary words have far fewer, but a hostile
 * text could cause any number.
 */
export const comparedMax = 3_000;

/**
 * Checks every spelling that shares a gram, in one pass over the grams of all spellings, which takes some milliseconds for a million.
 * Results are cached until the index has grown by one in a hundred.
 */
export function nearSpellings(live: Pick<LiveTexts, "parts">, plain: string): readonly NearSpelling[] {
	const found = new Map<string, NearSpelling>();
	for (const { segment } of live.parts()) for (const near of nearIn(segment.spellings, plain)) found.set(near.spelled, near);
	return likeliest([...found.values()]);
}

function likeliest(found: readonly NearSpelling[]): readonly NearSpelling[] {
	const ranked = found.toSorted((a, b) => b.trust - a.trust || (a.spelled < b.spelled ? -1 : 1));
	const least = (ranked[0]?.trust ?? 0) * trustShareMin;
	return ranked.filter(({ trust }) => trust >= least).slice(0, nearMax);
}

interface CachedSpellings {
	/** How many spellings the index had. */
	readonly spellings: number;
	readonly found: Map<string, readonly NearSpelling[]>;
}

const cache = new WeakMap<TextSpellings, CachedSpellings>();
const cachedWordsMax = 500;
const growthMax = 1 / 100;

function nearIn(texts: TextSpellings, plain: string): readonly NearSpelling[] {
	let cached = cache.get(texts);
	const isOutdated = cached !== undefined && texts.spellingCount - cached.spellings > cached.spellings * growthMax;
	if (cached === undefined || isOutdated || cached.found.size >= cachedWordsMax) {
		cached = { spellings: texts.spellingCount, found: new Map() };
		cache.set(texts, cached);
	}
	const before = cached.found.get(plain);
	if (before !== undefined) return before;
	const found: NearSpelling[] = [];
	for (const number of candidatesFor(texts, plain)) {
		const spelled = texts.spelling(number);
		const trust = nearSpelling(plain, spelled);
		if (trust > 0) found.push({ spelled, trust });
	}
	// Only the likeliest are cached, because in a hostile text half of all words may be near.
	const kept = likeliest(found);
	cached.found.set(plain, kept);
	return kept;
}

/** Candidates: spellings that share a gram with the word and have about its length, or share nearly all grams of the shorter one. */
function candidatesFor(texts: TextSpellings, plain: string): readonly number[] {
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
		const hasSimilarLength = Math.abs(end - start - queryGrams.length) <= lettersMax;
		if (!hasSimilarLength && shared < Math.min(end - start, queryGrams.length) - boundaryGrams) continue;
		found.push(spelling);
		shares.push(shared);
	}
	if (found.length <= comparedMax) return found;
	const least = smallestShare(shares);
	const more = found.filter((_, i) => (shares[i] ?? 0) > least);
	return [...more, ...found.filter((_, i) => shares[i] === least)].slice(0, comparedMax);
}

/** How many grams the last of the best `comparedMax` candidates shares. It is counted instead of sorted, because there may be a million. */
function smallestShare(shares: readonly number[]): number {
	const counts: number[] = [];
	for (const share of shares) counts[share] = (counts[share] ?? 0) + 1;
	let left = comparedMax;
	for (let share = counts.length - 1; share > 0; share--) {
		left -= counts[share] ?? 0;
		if (left <= 0) return share;
	}
	return 0;
}
