/**
 * A second opinion without a model: how many of the query's words a text holds, the rare ones among the candidates for
 * more, and whether words that are neighbours in the query are neighbours there. Term proximity after Rasolofo & Savoy (2003).
 */

import { definePlugin, indexWords, limits, queryWords, type Reranker } from "cairn";
import { z } from "zod";

/**
 * From a model of the formulas, mean nDCG@10 of the development collections: 61.8 without it, 62.1 for coverage alone, 62.2
 * for closeness alone, 62.4 for both in this proportion, see docs/search.md.
 */
const weights = { coverage: 1 / 3, closeness: 2 / 3 } as const;
/** Counting words is weak evidence: it is never sure. A half says neither yes nor no. */
const opinions = { nothing: 0.25, everything: 0.78 } as const;
/** Words this far apart are still neighbours, with one or two small words between them. */
const gapMax = 3;
/** In the wrong order they are worth half. */
const turnedShare = 0.5;
/** 6 ms where a text is 2,000 Chinese signs; whoever else has asked the server is answered between two turns. */
const textsPerTurn = 20;

const overlap: Reranker = {
	name: "overlap",
	candidatesMax: 100,
	score: async (query, candidates, step) => {
		const wanted = wantedOf(query);
		const found: Found[] = [];
		for (const [i, candidate] of candidates.entries()) {
			if (i % textsPerTurn === 0) await otherTurns(step.signal);
			found.push(placesOf(wanted, candidate));
		}
		const rarity = rarityOf(wanted, found);
		const pairs = pairsOf(wanted, rarity);
		return found.map((each) => {
			const fit = weights.coverage * coverage(each, rarity) + weights.closeness * closeness(each, pairs, rarity);
			return opinions.nothing + (opinions.everything - opinions.nothing) * Math.min(1, fit);
		});
	},
};

export default definePlugin({
	name: "reranker-overlap",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ reranker: [overlap] }),
});

/** The wanted words of a text with their places, in order. */
type Found = readonly (readonly [word: string, at: number])[];
type Pair = readonly [before: string, after: string, weight: number];

/** In the order of the query; small words only where there are no others. */
function wantedOf(query: string): readonly string[] {
	return queryWords(query, limits.queryWordsMax);
}

function placesOf(wanted: readonly string[], text: string): Found {
	const known = new Set(wanted);
	return indexWords(text).flatMap((word, at) => (known.has(word) ? [[word, at] as const] : []));
}

/** The fewer candidates hold a word, the more it tells: all were found by the others. */
function rarityOf(wanted: readonly string[], found: readonly Found[]): ReadonlyMap<string, number> {
	const holders = new Map(wanted.map((word) => [word, 0]));
	for (const each of found) for (const word of new Set(each.map(([word]) => word))) holders.set(word, (holders.get(word) ?? 0) + 1);
	return new Map([...holders].map(([word, count]) => [word, Math.log(1 + (found.length - count + 0.5) / (count + 0.5))]));
}

function pairsOf(wanted: readonly string[], rarity: ReadonlyMap<string, number>): readonly Pair[] {
	return wanted.slice(1).map((after, i) => {
		const before = wanted[i] ?? after;
		return [before, after, Math.min(rarity.get(before) ?? 0, rarity.get(after) ?? 0)] as const;
	});
}

function coverage(found: Found, rarity: ReadonlyMap<string, number>): number {
	const words = new Set(found.map(([word]) => word));
	return share(
		[...words].map((word) => rarity.get(word) ?? 0),
		[...rarity.values()],
	);
}

/** The share of the query's neighbours that are neighbours in the text; for a query of one word whether it is there. */
function closeness(found: Found, pairs: readonly Pair[], rarity: ReadonlyMap<string, number>): number {
	if (pairs.length === 0) return coverage(found, rarity);
	const nearest = new Map<string, number>();
	for (const [i, [after, at]] of found.entries()) {
		const [before, from] = found[i - 1] ?? [after, at];
		if (before === after || at - from > gapMax) continue;
		const key = `${before} ${after}`;
		nearest.set(key, Math.min(nearest.get(key) ?? gapMax, at - from));
	}
	const worth = (key: string) => 1 / Math.sqrt(nearest.get(key) ?? Number.POSITIVE_INFINITY);
	return share(
		pairs.map(([before, after, weight]) => weight * Math.max(worth(`${before} ${after}`), turnedShare * worth(`${after} ${before}`))),
		pairs.map(([, , weight]) => weight),
	);
}

function share(parts: readonly number[], wholes: readonly number[]): number {
	const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
	const whole = sum(wholes);
	return whole === 0 ? 0 : sum(parts) / whole;
}

async function otherTurns(signal: AbortSignal): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
	signal.throwIfAborted();
}
