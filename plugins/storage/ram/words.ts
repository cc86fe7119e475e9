/** Full text search in RAM: BM25 over word counts, on a scale from 0 to 1. */

import type { WordIndex } from "cairn";
import { documentInScope, memoryInReach } from "./in-scope.ts";
import { publishedChunks, type Tables } from "./tables.ts";
import type { WordCounts } from "./word-counts.ts";

/** How soon a repeated word stops helping, and how much a long text is held against it: the values of the port. */
const k1 = 1.2;
const b = 0.75;

export function ramWords(tables: Tables): WordIndex {
	return {
		matchChunks: async (words, scope, limit) => {
			const ranked = rank([...publishedChunks(tables)], words, limit, ({ of }) => documentInScope(of, scope));
			return ranked.map(({ entry: { chunk }, score }) => ({ id: chunk.id, score, document: chunk.document, position: chunk.position }));
		},
		matchMemories: async (words, reach, limit) => {
			const ranked = rank([...tables.memories.values()], words, limit, ({ memory }) => memoryInReach(memory, reach, tables));
			return ranked.map(({ entry: { memory }, score }) => ({ id: memory.id, score }));
		},
	};
}

interface Ranked<Entry> {
	readonly entry: Entry;
	readonly score: number;
}

/** Weights and lengths come from all entries, so that a score does not depend on the scope. */
function rank<Entry extends { readonly words: WordCounts }>(
	entries: readonly Entry[],
	words: readonly string[],
	limit: number,
	isInScope: (entry: Entry) => boolean,
): readonly Ranked<Entry>[] {
	const weights = weightsOf(entries, words);
	const averageLength = entries.reduce((sum, { words: { length } }) => sum + length, 0) / entries.length;
	return entries
		.filter((entry) => words.some((word) => entry.words.counts.has(word)) && isInScope(entry))
		.map((entry) => ({ entry, score: scoreOf(entry.words, weights, averageLength) }))
		.sort((left, right) => right.score - left.score)
		.slice(0, limit);
}

/** The rarer a word the more it tells. One is added inside the logarithm, so that a word of every text still weighs something. */
function weightsOf(entries: readonly { readonly words: WordCounts }[], words: readonly string[]): ReadonlyMap<string, number> {
	return new Map(
		words.map((word) => {
			const holders = entries.filter((entry) => entry.words.counts.has(word)).length;
			return [word, Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5))];
		}),
	);
}

/** The factor k1 + 1 of BM25 stands above and below the line, and is left out of both. */
function scoreOf({ counts, length }: WordCounts, weights: ReadonlyMap<string, number>, averageLength: number): number {
	const tolerance = k1 * (1 - b + (b * length) / averageLength);
	let reached = 0;
	let greatest = 0;
	for (const [word, weight] of weights) {
		const count = counts.get(word) ?? 0;
		reached += (weight * count) / (count + tolerance);
		greatest += weight;
	}
	return reached / greatest;
}
