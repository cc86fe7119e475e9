/** Full text search in RAM: BM25 over word counts, on a scale from 0 to 1. */

import {
	gramShare,
	gramsOf,
	indexWords,
	languages,
	languageTerm,
	meantMax,
	nearSpelling,
	normalize,
	otherTerms,
	type QueryTerm,
	queryGramsOf,
	type Tolerance,
	toleranceOf,
	type WordIndex,
} from "cairn-memory";
import { documentInScope, passesMemoryFilter } from "./in-scope.ts";
import { publishedChunks, type Tables } from "./tables.ts";
import type { Counts, WordCounts } from "./word-counts.ts";

export function ramWords(tables: Tables): WordIndex {
	const index: Pick<WordIndex, "matchChunks" | "matchMemories"> = {
		matchChunks: async (words, scope, limit) => {
			const ranked = rank([...publishedChunks(tables)], words, limit, ({ of }) => documentInScope(of, scope));
			return ranked.map(({ entry: { chunk }, score }) => ({ id: chunk.id, score, document: chunk.document, position: chunk.position }));
		},
		matchMemories: async (words, memoryFilter, limit) => {
			const ranked = rank([...tables.memories.values()], words, limit, ({ memory }) => passesMemoryFilter(memory, memoryFilter, tables));
			return ranked.map(({ entry: { memory }, score }) => ({ id: memory.id, score }));
		},
	};
	// Nothing is left to read, ever.
	return {
		...index,
		matchChunksWithin: async (_, ...asked) => ({ hits: await index.matchChunks(...asked), isWhole: true }),
		matchMemoriesWithin: async (_, ...asked) => ({ hits: await index.matchMemories(...asked), isWhole: true }),
	};
}

interface Ranked<Entry> {
	readonly entry: Entry;
	readonly score: number;
}

interface Holding {
	readonly words: WordCounts;
}

/** Any of the terms, what a text with one of them brings at most, and what of that could be reached. */
interface Wanted {
	readonly terms: readonly string[];
	readonly brings: number;
	readonly owes: number;
}

/** A word that may be several is taken for the likeliest, and for those nearly as likely. */
const nearMax = 8;
const leastOfBest = 0.75;

/** Weights and lengths come from all entries, so that a score does not depend on the scope. */
function rank<Entry extends Holding>(
	entries: readonly Entry[],
	words: readonly QueryTerm[],
	limit: number,
	isInScope: (entry: Entry) => boolean,
): readonly Ranked<Entry>[] {
	const wanted = wantedOf(entries, words);
	const grams = queryGramsOf(words.filter((word) => typeof word !== "string"));
	const wantedGrams = grams.map(({ gram, emphasis }) => {
		const weight = emphasis * weightOf(entries, ({ grams: { counts } }) => counts.has(gram));
		return { terms: [gram], brings: weight, owes: weight };
	});
	const tolerance = toleranceOf(
		averageOf(entries, ({ words }) => words.length),
		"words",
	);
	const gramTolerance = toleranceOf(
		averageOf(entries, ({ words }) => words.grams.length),
		"grams",
	);
	return entries
		.filter((entry) => wanted.some(({ terms }) => countOf(entry.words, terms) > 0) && isInScope(entry))
		.map((entry) => {
			const score = scoreOf(entry.words, wanted, tolerance);
			if (grams.length === 0) return { entry, score };
			return { entry, score: (score + gramShare * scoreOf(entry.words.grams, wantedGrams, gramTolerance)) / (1 + gramShare) };
		})
		.sort((left, right) => right.score - left.score)
		.slice(0, limit);
}

function wantedOf(entries: readonly Holding[], words: readonly QueryTerm[]): readonly Wanted[] {
	const spoken = languages.filter((language) => entries.some(({ words }) => words.counts.has(languageTerm(language))));
	const byWord = new Map<string, QueryTerm>();
	for (const word of words) {
		const key = typeof word === "string" ? word : word.word;
		if (!byWord.has(key)) byWord.set(key, word);
	}
	let unknown = 0;
	return [...byWord.values()].map((term) => {
		if (typeof term === "string") return full(entries, [term]);
		const terms = [term.word, ...otherTerms(term, spoken)];
		if (term.weight !== undefined) return { terms, brings: term.weight * full(entries, terms).brings, owes: 0 };
		const isHeld = entries.some(({ words }) => countOf(words, terms) > 0);
		return isHeld || term.spelled === null || ++unknown > meantMax
			? full(entries, terms, term.emphasis)
			: meant(entries, normalize(term.spelled), term.emphasis);
	});
}

function full(entries: readonly Holding[], terms: readonly string[], emphasis = 1): Wanted {
	const weight = emphasis * weightOf(entries, (words) => countOf(words, terms) > 0);
	return { terms, brings: weight, owes: weight };
}

/** What a word that no text holds was likely meant to be. */
function meant(entries: readonly Holding[], plain: string, emphasis = 1): Wanted {
	const spelled = new Set(entries.flatMap(({ words }) => [...words.spelled]));
	const grams = new Set(gramsOf(plain));
	const near = [...spelled]
		.filter((other) => gramsOf(other).some((gram) => grams.has(gram)))
		.map((other) => ({ other, trust: nearSpelling(plain, other) }))
		.filter(({ trust }) => trust > 0)
		.sort((a, b) => b.trust - a.trust || (a.other < b.other ? -1 : 1));
	const best = near[0]?.trust ?? 0;
	const terms = near.filter(({ trust }) => trust >= best * leastOfBest).slice(0, nearMax);
	const wanted = full(
		entries,
		terms.flatMap(({ other }) => indexWords(other)),
		emphasis,
	);
	return { terms: wanted.terms, brings: best * wanted.brings, owes: emphasis * weightOf(entries, () => false) };
}

/** The rarer a word the more it tells. One is added inside the logarithm, so that a word of every text still weighs something. */
function weightOf(entries: readonly Holding[], isHolder: (words: WordCounts) => boolean): number {
	const holders = entries.filter(({ words }) => isHolder(words)).length;
	return Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5));
}

function averageOf(entries: readonly Holding[], lengthOf: (entry: Holding) => number): number {
	return entries.reduce((sum, entry) => sum + lengthOf(entry), 0) / entries.length;
}

function countOf({ counts }: Counts, terms: readonly string[]): number {
	return terms.reduce((most, term) => Math.max(most, counts.get(term) ?? 0), 0);
}

/** The factor k1 + 1 of BM25 stands above and below the line, and is left out of both. */
function scoreOf(text: Counts, wanted: readonly Wanted[], { least, perUnit }: Tolerance): number {
	const tolerance = least + perUnit * text.length;
	let reached = 0;
	let greatest = 0;
	for (const { terms, brings, owes } of wanted) {
		const count = countOf(text, terms);
		reached += (brings * count) / (count + tolerance);
		greatest += owes;
	}
	return Math.min(1, reached / greatest);
}
