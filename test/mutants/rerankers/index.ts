/** Rerankers that break one promise each, and the contract tests that must notice. */

import type { Reranker } from "cairn-memory";
import { indexWords } from "cairn-memory/words";
import type { Mutant } from "../mutant.ts";

type Change = (scores: readonly number[], calls: number) => readonly number[];

/** Passes all contract tests: the share of a query's words that a text has. Each mutant spoils its answer. */
const sound: Reranker = {
	name: "shared words",
	candidatesMax: 50,
	score: async (query, candidates) => {
		const wanted = new Set(indexWords(query));
		return candidates.map((text) => wanted.intersection(new Set(indexWords(text))).size / Math.max(1, wanted.size));
	},
};

export function rerankerMutants(): readonly Mutant<Reranker>[] {
	const spoiled = (name: string, change: Change, contractTest: string): Mutant<Reranker> => ({
		name,
		contractTests: [contractTest],
		start: async () => spoil(sound, change),
	});
	return [
		{ name: "takes none", contractTests: ["a reranker has a name and a bound"], start: async () => ({ ...sound, candidatesMax: 0 }) },
		spoiled("scores nothing", (scores) => (scores.length === 0 ? [0] : scores), "no candidates, no scores"),
		spoiled("over one", (scores) => scores.map((score) => score * 10), "one score for each candidate, from 0 to 1"),
		spoiled("loses one", (scores) => scores.slice(1), "one score for each candidate, from 0 to 1"),
		spoiled("likes the first", (scores) => scores.map((score, i) => score / (i + 1)), "permuted candidates permute the scores"),
		spoiled("upside down", (scores) => scores.map((score) => 1 - score), "an exact match is above a stranger"),
		spoiled("gets tired", (scores, calls) => scores.map((score) => score / calls), "same in, same out"),
	];
}

function spoil(sound: Reranker, change: Change): Reranker {
	let calls = 0;
	return { ...sound, score: async (query, candidates, step) => change(await sound.score(query, candidates, step), ++calls) };
}
