/** The spellings of an index that a word which no text has was likely meant to be. */

import { gramsOf, nearSpelling } from "cairn";
import type { LiveTexts } from "./live-texts.ts";
import type { SpelledTexts } from "./spelled-texts.ts";

export interface NearSpelling {
	readonly spelled: string;
	/** See `nearSpelling`. */
	readonly trust: number;
}

/** A word that may be several is taken for the likeliest, and for those nearly as likely. */
const nearMax = 8;
const leastOfBest = 0.75;

/**
 * Looks at every spelling that shares a gram: a pass over the grams of all, some milliseconds for a million. What was
 * looked for is remembered as long as the index does not grow.
 */
export function nearSpellings(live: Pick<LiveTexts, "parts">, plain: string): readonly NearSpelling[] {
	const found = new Map<string, number>();
	for (const { segment } of live.parts()) for (const { spelled, trust } of nearIn(segment.spelled, plain)) found.set(spelled, trust);
	const ranked = [...found].map(([spelled, trust]) => ({ spelled, trust })).sort((a, b) => b.trust - a.trust || (a.spelled < b.spelled ? -1 : 1));
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

function nearIn(texts: SpelledTexts, plain: string): readonly NearSpelling[] {
	let memory = remembered.get(texts);
	if (memory === undefined || memory.spellings !== texts.spellingCount || memory.found.size >= rememberedMax) {
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
	memory.found.set(plain, found);
	return found;
}

function* sharing(texts: SpelledTexts, plain: string): Generator<number> {
	const { gramStarts, grams, gramCount, spellingCount } = texts;
	const wanted = new Uint8Array(gramCount);
	let isAny = false;
	for (const gram of gramsOf(plain)) {
		const number = texts.gramNumber(gram);
		if (number < 0) continue;
		wanted[number] = 1;
		isAny = true;
	}
	if (!isAny) return;
	for (let spelling = 0; spelling < spellingCount; spelling++) {
		const end = gramStarts[spelling + 1] ?? 0;
		for (let i = gramStarts[spelling] ?? 0; i < end; i++) {
			if (wanted[grams[i] ?? 0] === 0) continue;
			yield spelling;
			break;
		}
	}
}
