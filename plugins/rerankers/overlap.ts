/** Scores a text by the query's words in it: how many, how close together, in what order and how early. No model, no statistics. */

import { definePlugin, indexWords, isStopWord, limits, queryWords, type Reranker } from "cairn";
import { z } from "zod";

/** Together 1, so that a text that says exactly the query scores 1. Most of all counts that the words are there. */
const weights = { coverage: 0.7, proximity: 0.13, order: 0.12, early: 0.05 } as const;
/** Where a first match counts half as early as at the beginning. */
const halfwayWords = 40;
/** A word with a digit names one thing; a long word is rarer than a short one. */
const digitWeight = 2;
const longWordCharacters = 8;

const overlap: Reranker = {
	name: "overlap",
	candidatesMax: 400,
	score: async (query, candidates, step) => {
		const wanted = queryWords(query, limits.queryWordsMax);
		return candidates.map((candidate) => {
			step.signal.throwIfAborted();
			return scoreOf(wanted, candidate);
		});
	},
};

export default definePlugin({
	name: "reranker-overlap",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ reranker: [overlap] }),
});

function scoreOf(wanted: readonly string[], candidate: string): number {
	if (wanted.length === 0) return 0;
	const isTelling = wanted.some((word) => !isStopWord(word));
	const words = indexWords(candidate).filter((word) => !isTelling || !isStopWord(word));
	const places = placesOf(wanted, words);
	const found = wanted.filter((word) => places.has(word));
	if (found.length === 0) return 0;
	const coverage = sum(found.map(weightOf)) / sum(wanted.map(weightOf));
	const early = halfwayWords / (halfwayWords + Math.min(...found.map((word) => places.get(word)?.[0] ?? 0)));
	const nearness = weights.proximity * proximity(found, words) + weights.order * order(wanted, places) + weights.early * early;
	return Math.min(1, coverage * (weights.coverage + nearness));
}

function weightOf(word: string): number {
	if (/\d/.test(word)) return digitWeight;
	return 1 + Math.min(word.length, longWordCharacters) / longWordCharacters;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function placesOf(wanted: readonly string[], words: readonly string[]): ReadonlyMap<string, readonly number[]> {
	const known = new Set(wanted);
	const places = new Map<string, number[]>();
	for (const [at, word] of words.entries()) {
		if (!known.has(word)) continue;
		const list = places.get(word);
		if (list === undefined) places.set(word, [at]);
		else list.push(at);
	}
	return places;
}

/** The found words against the shortest stretch that holds them all: 1 when they stand side by side. */
function proximity(found: readonly string[], words: readonly string[]): number {
	const missing = new Map(found.map((word) => [word, 0]));
	let lacking = found.length;
	let shortest = words.length;
	for (let begin = 0, end = 0; end < words.length; end++) {
		const count = missing.get(words[end] ?? "");
		if (count === undefined) continue;
		if (count === 0) lacking--;
		missing.set(words[end] ?? "", count + 1);
		while (lacking === 0) {
			shortest = Math.min(shortest, end - begin + 1);
			const left = missing.get(words[begin] ?? "");
			if (left !== undefined) {
				missing.set(words[begin] ?? "", left - 1);
				if (left === 1) lacking++;
			}
			begin++;
		}
	}
	return found.length / shortest;
}

/** The share of neighbours in the query that are neighbours in the text, in the same order. One word is always in order. */
function order(wanted: readonly string[], places: ReadonlyMap<string, readonly number[]>): number {
	if (wanted.length === 1) return 1;
	let kept = 0;
	for (const [i, word] of wanted.slice(1).entries()) {
		const before = new Set(places.get(wanted[i] ?? ""));
		if (places.get(word)?.some((at) => before.has(at - 1)) === true) kept++;
	}
	return kept / (wanted.length - 1);
}
