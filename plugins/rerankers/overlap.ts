/**
 * A reranker without a model. It scores a text by how closely the query's words occur together in it: pairs of neighbouring words,
 * including stop words (after the ordered pairs of Metzler & Croft 2005), significant words within a small window (after the passages
 * of Kaszkiel & Zobel 1997), and whether all significant words occur.
 */

import { definePlugin, limits, type Reranker } from "cairn-memory";
import { indexWords, queryTermsOf, queryWords } from "cairn-memory/words";

/** The weights of the three parts, chosen on the development collections, see docs/search.md. */
const weights = { pairs: 0.4, window: 0.33, all: 0.27 } as const;
/** The range of scores. It excludes 0 and 1, because counting words is weak evidence. */
const scores = { min: 0.02, max: 0.89 } as const;
/** How much of the word score this reranker repeats, see `Reranker.wordsRepeated`. */
const wordsRepeated = 4;
/** Words within this many words count as close: the length of a short sentence. */
const windowWords = 15;
/** Added to the weight of every word, because a word that all candidates contain may still be rare: they were found by it. */
const weightMin = 1;
/** How many texts are scored before other work may run: 6 ms for texts of 2,000 Chinese characters. */
const textsPerTurn = 20;

const overlap: Reranker = {
	name: "overlap",
	candidatesMax: 100,
	wordsRepeated,
	score: async (query, candidates, step) => {
		const terms = queryTerms(query);
		const matches: TermMatches[] = [];
		for (const [i, candidate] of candidates.entries()) {
			if (i % textsPerTurn === 0) await yieldToOthers(step.signal);
			matches.push(matchTerms(candidate, terms));
		}
		const wordWeights = inverseFrequencies(terms.significant, matches, ({ words }) => words).map(
			(weight, i) => (terms.emphases[i] ?? 1) * (weightMin + weight),
		);
		const pairWeights = inverseFrequencies(terms.pairs, matches, ({ pairs }) => pairs);
		return matches.map((match) => {
			const pairs = terms.pairs.size === 0 ? Math.min(1, match.words.size) : weightShare(match.pairs, pairWeights);
			const all = match.words.size === terms.significant.size ? 1 : 0;
			const fit = weights.pairs * pairs + weights.window * bestWindow(match.positions, wordWeights) + weights.all * all;
			return scores.min + (scores.max - scores.min) * Math.min(1, fit);
		});
	},
};

export default definePlugin({
	name: "reranker-overlap",
	contract: 1,
	start: () => ({ reranker: [overlap] }),
});

/** The query's words and pairs, each with a number. */
interface QueryTerms {
	/** The words that are not stop words; if all are stop words, all of them. */
	readonly significant: ReadonlyMap<string, number>;
	/** The emphasis of each significant word by its number, see `SpelledTerm`. */
	readonly emphases: readonly number[];
	/** All words, including stop words. */
	readonly all: ReadonlyMap<string, number>;
	/** Pairs of neighbouring words, by the key that `pairKey` makes of their numbers in `all`. */
	readonly pairs: ReadonlyMap<number, number>;
}

interface TermMatches {
	/** Each occurrence of a significant word: its number, and its position in the words of the text. */
	readonly positions: readonly (readonly [word: number, position: number])[];
	readonly words: ReadonlySet<number>;
	readonly pairs: ReadonlySet<number>;
}

function queryTerms(query: string): QueryTerms {
	const words = indexWords(query).slice(0, limits.queryWordsMax);
	const all = numberItems(words);
	const keys = words.slice(1).map((word, i) => pairKey(all.get(words[i] ?? "") ?? 0, all.get(word) ?? 0));
	const significant = numberItems(queryWords(query, limits.queryWordsMax));
	const emphases = new Map(queryTermsOf(query, limits.queryWordsMax).map(({ word, emphasis = 1 }) => [word, emphasis]));
	return { significant, emphases: Array.from(significant.keys(), (word) => emphases.get(word) ?? 1), all, pairs: numberItems(keys) };
}

function numberItems<Item>(items: readonly Item[]): ReadonlyMap<Item, number> {
	return new Map([...new Set(items)].map((item, i) => [item, i]));
}

function pairKey(first: number, second: number): number {
	return first * limits.queryWordsMax + second;
}

function matchTerms(text: string, { significant, all, pairs }: QueryTerms): TermMatches {
	const positions: [number, number][] = [];
	const matchedPairs = new Set<number>();
	let previous = -1;
	for (const [position, word] of indexWords(text).entries()) {
		const number = significant.get(word);
		if (number !== undefined) positions.push([number, position]);
		const current = all.get(word) ?? -1;
		const pair = previous < 0 || current < 0 ? undefined : pairs.get(pairKey(previous, current));
		if (pair !== undefined) matchedPairs.add(pair);
		previous = current;
	}
	return { positions, words: new Set(positions.map(([word]) => word)), pairs: matchedPairs };
}

/** The weight of each term by number: the fewer candidates contain it, the higher (inverse document frequency). */
function inverseFrequencies(
	terms: ReadonlyMap<unknown, number>,
	matches: readonly TermMatches[],
	termsOf: (match: TermMatches) => ReadonlySet<number>,
): readonly number[] {
	const counts = new Array<number>(terms.size).fill(0);
	for (const match of matches) for (const number of termsOf(match)) counts[number] = (counts[number] ?? 0) + 1;
	return counts.map((count) => Math.log(1 + (matches.length - count + 0.5) / (count + 0.5)));
}

/** The largest share of the significant words' weight that occurs within one window. */
function bestWindow(positions: TermMatches["positions"], wordWeights: readonly number[]): number {
	const counts = new Array<number>(wordWeights.length).fill(0);
	let best = 0;
	let sum = 0;
	let first = 0;
	for (const [word, position] of positions) {
		if (counts[word] === 0) sum += wordWeights[word] ?? 0;
		counts[word] = (counts[word] ?? 0) + 1;
		for (; position - (positions[first]?.[1] ?? position) >= windowWords; first++) {
			const removed = positions[first]?.[0] ?? 0;
			counts[removed] = (counts[removed] ?? 1) - 1;
			if (counts[removed] === 0) sum -= wordWeights[removed] ?? 0;
		}
		best = Math.max(best, sum);
	}
	return best / Math.max(Number.MIN_VALUE, total(wordWeights));
}

/** The share of the weight of all pairs that these have. */
function weightShare(pairs: ReadonlySet<number>, pairWeights: readonly number[]): number {
	return total([...pairs].map((number) => pairWeights[number] ?? 0)) / Math.max(Number.MIN_VALUE, total(pairWeights));
}

function total(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}

async function yieldToOthers(signal: AbortSignal): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
	signal.throwIfAborted();
}
