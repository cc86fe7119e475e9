/**
 * A reranker without a model, by how closely the query's words occur together in a text: neighbouring words of the query, stop words
 * included (after the ordered pairs of Metzler & Croft 2005), significant words within a small window (after the passages of
 * Kaszkiel & Zobel 1997), and whether all of them occur.
 */

import { definePlugin, limits, type Reranker } from "cairn-memory";
import { indexWords, queryTermsOf, queryWords } from "cairn-memory/words";
import { z } from "zod";

/** Weights of the three. Chosen on the development collections, see docs/search.md. */
const weights = { pairs: 0.4, window: 0.33, all: 0.27 } as const;
/** The range of scores: counting words is weak evidence, so it never reaches 0 or 1. */
const opinions = { nothing: 0.02, everything: 0.89 } as const;
/** The share of the word score that this reranker already includes, see `Reranker.wordsRepeated`. */
const wordsRepeated = 4;
/** The window in which words count as close: a short sentence. */
const windowWords = 15;
/** The weight of a word that all candidates contain: they were found by it, so it may still be rare. */
const weightMin = 1;
/** Texts scored without a pause: 6 ms for texts of 2,000 Chinese characters. */
const textsPerTurn = 20;

const overlap: Reranker = {
	name: "overlap",
	candidatesMax: 100,
	wordsRepeated,
	score: async (query, candidates, step) => {
		const asked = askedOf(query);
		const found: TermMatches[] = [];
		for (const [i, candidate] of candidates.entries()) {
			if (i % textsPerTurn === 0) await otherTurns(step.signal);
			found.push(findIn(candidate, asked));
		}
		const wordWeights = weighed(asked.telling, found, ({ words }) => words).map((weight, i) => (asked.emphases[i] ?? 1) * (weightMin + weight));
		const pairWeights = weighed(asked.pairs, found, ({ pairs }) => pairs);
		return found.map((each) => {
			const pairs = asked.pairs.size === 0 ? Math.min(1, each.words.size) : share(each.pairs, pairWeights);
			const all = each.words.size === asked.telling.size ? 1 : 0;
			const fit = weights.pairs * pairs + weights.window * bestWindow(each.places, wordWeights) + weights.all * all;
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

/** The query's words and pairs as numbers. */
interface Asked {
	/** Stop words only where there are no others. */
	readonly telling: ReadonlyMap<string, number>;
	/** Emphases of the significant words by number, see `SpelledTerm`. */
	readonly emphases: readonly number[];
	/** All words that have a neighbour, and the pairs by both their numbers. */
	readonly neighbours: ReadonlyMap<string, number>;
	readonly pairs: ReadonlyMap<number, number>;
}

interface TermMatches {
	/** The significant words in the order of the text. */
	readonly places: readonly (readonly [word: number, at: number])[];
	readonly words: ReadonlySet<number>;
	readonly pairs: ReadonlySet<number>;
}

function askedOf(query: string): Asked {
	const words = indexWords(query).slice(0, limits.queryWordsMax);
	const neighbours = numbered(words);
	const keys = words.slice(1).map((word, i) => keyOf(neighbours.get(words[i] ?? "") ?? 0, neighbours.get(word) ?? 0));
	const telling = numbered(queryWords(query, limits.queryWordsMax));
	const emphases = new Map(queryTermsOf(query, limits.queryWordsMax).map(({ word, emphasis = 1 }) => [word, emphasis]));
	return { telling, emphases: Array.from(telling.keys(), (word) => emphases.get(word) ?? 1), neighbours, pairs: numbered(keys) };
}

function numbered<Item>(items: readonly Item[]): ReadonlyMap<Item, number> {
	return new Map([...new Set(items)].map((item, i) => [item, i]));
}

function keyOf(before: number, after: number): number {
	return before * limits.queryWordsMax + after;
}

function findIn(text: string, { telling, neighbours, pairs }: Asked): TermMatches {
	const places: [number, number][] = [];
	const held = new Set<number>();
	let before = -1;
	for (const [at, word] of indexWords(text).entries()) {
		const told = telling.get(word);
		if (told !== undefined) places.push([told, at]);
		const after = neighbours.get(word) ?? -1;
		const pair = before < 0 || after < 0 ? undefined : pairs.get(keyOf(before, after));
		if (pair !== undefined) held.add(pair);
		before = after;
	}
	return { places, words: new Set(places.map(([word]) => word)), pairs: held };
}

/** The fewer candidates contain it, the more it counts. */
function weighed(wanted: ReadonlyMap<unknown, number>, found: readonly TermMatches[], heldBy: (found: TermMatches) => ReadonlySet<number>): readonly number[] {
	const holders = new Array<number>(wanted.size).fill(0);
	for (const each of found) for (const number of heldBy(each)) holders[number] = (holders[number] ?? 0) + 1;
	return holders.map((count) => Math.log(1 + (found.length - count + 0.5) / (count + 0.5)));
}

/** The largest share of the significant words within one window. */
function bestWindow(places: TermMatches["places"], wordWeights: readonly number[]): number {
	const counts = new Array<number>(wordWeights.length).fill(0);
	let best = 0;
	let sum = 0;
	let first = 0;
	for (const [word, at] of places) {
		if (counts[word] === 0) sum += wordWeights[word] ?? 0;
		counts[word] = (counts[word] ?? 0) + 1;
		for (; at - (places[first]?.[1] ?? at) >= windowWords; first++) {
			const gone = places[first]?.[0] ?? 0;
			counts[gone] = (counts[gone] ?? 1) - 1;
			if (counts[gone] === 0) sum -= wordWeights[gone] ?? 0;
		}
		best = Math.max(best, sum);
	}
	return best / Math.max(Number.MIN_VALUE, total(wordWeights));
}

function share(held: ReadonlySet<number>, pairWeights: readonly number[]): number {
	return total([...held].map((number) => pairWeights[number] ?? 0)) / Math.max(Number.MIN_VALUE, total(pairWeights));
}

function total(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}

async function otherTurns(signal: AbortSignal): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
	signal.throwIfAborted();
}
