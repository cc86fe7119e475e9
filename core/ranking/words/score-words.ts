/**
 * Scores texts by the words of a query: BM25 on a scale from 0 to 1, see `WordSearch`. It asks a `Corpus` for the counts of the whole
 * organisation, which may be an index, a database, or a list in memory.
 */

import type { TermCounts, TermGroup } from "../../plugin/contract.ts";
import type { QueryTerm, SpelledTerm } from "../../ports/word-search.ts";
import { indexWords } from "../words.ts";
import type { Counts, ScoredCounts } from "./count-words.ts";
import { gramShare, gramsOf } from "./grams.ts";
import { languageTerm } from "./language-stems.ts";
import { type Language, languages } from "./languages.ts";
import { meantMax, nearSpelling } from "./near-spelling.ts";
import { otherTerms, queryGramsOf } from "./query-terms.ts";
import { normalize } from "./split-words.ts";
import { type Tolerance, toleranceOf } from "./tolerance.ts";

/** All texts of one kind of an organisation. */
export interface Corpus {
	readonly count: (groups: readonly (readonly string[])[]) => Promise<TermCounts>;
	readonly spellings: (grams: readonly string[], limit: number) => Promise<readonly string[]>;
}

/** A word of the query: the terms that stand for it, the most that a text with one of them gets, and what a perfect text would get for it. */
interface Wanted {
	readonly terms: readonly string[];
	readonly weight: number;
	readonly fullWeight: number;
}

export interface WordScale {
	/** The languages of the texts. */
	readonly spoken: readonly Language[];
	/** A text must have a term of at least one group. */
	readonly groups: readonly TermGroup[];
	/** All terms that a text is scored by. */
	readonly terms: readonly string[];
	/** Null for a text that has none of the words. */
	readonly scoreOf: (text: ScoredCounts) => number | null;
}

/** A word that is in no text is replaced by the most likely near spelling, and by others that are nearly as likely. */
const nearMax = 8;
const leastOfBest = 0.75;
/** The most spellings that are compared with a word, of those that share grams with it. */
const comparedMax = 2_000;

/** All terms that a scale for these words may count, but for near spellings. @param spoken the languages of the texts, as far as they are known */
export function termsToCount(words: readonly QueryTerm[], spoken: readonly Language[] = languages): readonly string[] {
	const spelled = words.filter((word) => typeof word !== "string");
	return [
		...languages.map(languageTerm),
		...words.map((word) => (typeof word === "string" ? word : word.word)),
		...spelled.flatMap((word) => otherTerms(word, spoken)),
		...queryGramsOf(spelled).map(({ gram }) => gramTerm(gram)),
	];
}

/** @returns null if no text has any of the words. */
export async function wordScale(words: readonly QueryTerm[], corpus: Corpus): Promise<WordScale | null> {
	const spoken = await spokenIn(corpus);
	const wanted = await wantedOf(words, spoken, corpus);
	const grams = queryGramsOf(words.filter((word) => typeof word !== "string"));
	const { texts, words: length, grams: gramLength, holders } = await corpus.count(grams.map(({ gram }) => [gramTerm(gram)]));
	const wantedGrams = grams.map(({ gram, emphasis }, i) => {
		const weight = emphasis * weightOf(texts, holders[i] ?? 0);
		return { terms: [gram], weight, fullWeight: weight };
	});
	const groups = wanted.filter(({ terms, weight }) => terms.length > 0 && weight > 0).map(({ terms, weight }) => ({ terms, weight }));
	if (texts === 0 || groups.length === 0) return null;
	const tolerance = toleranceOf(length / texts, "words");
	const gramTolerance = toleranceOf(gramLength / texts, "grams");
	const [greatest, greatestOfGrams] = [greatestOf(wanted), greatestOf(wantedGrams)];
	return {
		spoken,
		groups,
		terms: [...groups.flatMap(({ terms }) => terms), ...grams.map(({ gram }) => gramTerm(gram))],
		scoreOf: (text) => {
			if (!wanted.some(({ terms }) => countOf(text, terms) > 0)) return null;
			const score = scoreOf(text, wanted, greatest, tolerance);
			return grams.length === 0 ? score : (score + gramShare * scoreOf(text.grams, wantedGrams, greatestOfGrams, gramTolerance)) / (1 + gramShare);
		},
	};
}

/** No word contains this character. */
const gramMark = "#";

/** The term under which an index stores a gram. */
export function gramTerm(gram: string): string {
	return gramMark + gram;
}

export function isGramTerm(term: string): boolean {
	return term.startsWith(gramMark);
}

export function gramOf(term: string): string {
	return term.slice(gramMark.length);
}

async function spokenIn(corpus: Corpus): Promise<readonly Language[]> {
	const { holders } = await corpus.count(languages.map((language) => [languageTerm(language)]));
	return languages.filter((_, i) => (holders[i] ?? 0) > 0);
}

async function wantedOf(words: readonly QueryTerm[], spoken: readonly Language[], corpus: Corpus): Promise<readonly Wanted[]> {
	const byWord = new Map<string, QueryTerm>();
	for (const word of words) {
		const key = typeof word === "string" ? word : word.word;
		if (!byWord.has(key)) byWord.set(key, word);
	}
	const all = [...byWord.values()].map((term) => {
		if (typeof term === "string") return { term: { word: term, spelled: null } as SpelledTerm, terms: [term] };
		return { term, terms: [term.word, ...otherTerms(term, spoken)] };
	});
	const { texts, holders } = await corpus.count(all.map(({ terms }) => terms));
	let unknown = 0;
	return Promise.all(
		all.map(({ term, terms }, i): Wanted | Promise<Wanted> => {
			const weight = weightOf(texts, holders[i] ?? 0);
			if (term.weight !== undefined) return { terms, weight: term.weight * weight, fullWeight: 0 };
			const { emphasis = 1 } = term;
			if ((holders[i] ?? 0) > 0 || term.spelled === null || ++unknown > meantMax) return { terms, weight: emphasis * weight, fullWeight: emphasis * weight };
			return meant(normalize(term.spelled), emphasis, texts, corpus);
		}),
	);
}

/** The near spellings for a word that is in no text. */
async function meant(plain: string, emphasis: number, texts: number, corpus: Corpus): Promise<Wanted> {
	const near = (await corpus.spellings(gramsOf(plain), comparedMax))
		.map((other) => ({ other, trust: nearSpelling(plain, other) }))
		.filter(({ trust }) => trust > 0)
		.sort((a, b) => b.trust - a.trust || (a.other < b.other ? -1 : 1));
	const best = near[0]?.trust ?? 0;
	const likely = near.filter(({ trust }) => trust >= best * leastOfBest).slice(0, nearMax);
	const terms = likely.flatMap(({ other }) => indexWords(other));
	const holders = terms.length === 0 ? 0 : ((await corpus.count([terms])).holders[0] ?? 0);
	return { terms, weight: best * emphasis * weightOf(texts, holders), fullWeight: emphasis * weightOf(texts, 0) };
}

/** The weight of a word: rarer words weigh more. 1 is added inside the logarithm, so that the weight of a word in every text is not 0. */
function weightOf(texts: number, holders: number): number {
	return Math.log(1 + (texts - holders + 0.5) / (holders + 0.5));
}

/** Called for every gram of a query with every candidate, so it makes no closure. */
function countOf({ counts }: Counts, terms: readonly string[]): number {
	let most = 0;
	for (const term of terms) most = Math.max(most, counts.get(term) ?? 0);
	return most;
}

/** What a perfect text would get for all words. */
function greatestOf(wanted: readonly Wanted[]): number {
	return wanted.reduce((sum, { fullWeight }) => sum + fullWeight, 0);
}

/** The factor k1 + 1 of BM25 would be in both the numerator and the denominator, so it is left out. */
function scoreOf(text: Counts, wanted: readonly Wanted[], greatest: number, { least, perUnit }: Tolerance): number {
	const tolerance = least + perUnit * text.length;
	let reached = 0;
	for (const { terms, weight } of wanted) {
		const count = countOf(text, terms);
		if (count > 0) reached += (weight * count) / (count + tolerance);
	}
	return greatest > 0 ? Math.min(1, reached / greatest) : 0;
}
