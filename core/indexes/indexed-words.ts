/**
 * Word search through a word index: it returns candidates and term counts, the store says which candidates exist and are in
 * scope, and the scores are computed here from the texts. Texts that the index does not contain yet are read directly.
 */

import type { ChunkId, MemoryId } from "../model/id.ts";
import { isUnrestricted, type Scope } from "../model/scope.ts";
import type { TermCounts, WordCollection, WordIndex } from "../plugin/contract.ts";
import type { TextSource } from "../ports/index-source.ts";
import type { ChunkHit, Hit, MemoryFilter } from "../ports/vector-search.ts";
import type { Matched, QueryTerm, WordSearch } from "../ports/word-search.ts";
import type { Log } from "../ports/world.ts";
import type { WordCounts } from "../ranking/words/count-words.ts";
import { gramsOf } from "../ranking/words/grams.ts";
import { type Corpus, gramOf, isGramTerm, wordScale } from "../ranking/words/score-words.ts";
import { allowedMax, freshSince, listedMax, visibleCandidates } from "./candidates.ts";
import type { CollectionAddress, CollectionState } from "./collections.ts";
import type { Read } from "./counted-texts.ts";

export interface IndexedWordsParts {
	readonly filters: WordIndex["filters"];
	/** How up to date the index is. */
	readonly state: (kind: CollectionAddress["kind"]) => Promise<CollectionState<WordCollection>>;
	readonly source: TextSource;
	readonly countsOf: (read: Read) => WordCounts;
	/** Answers while the index is far behind, or fails; null where the storage looks up no words itself. */
	readonly own: { readonly search: WordSearch; readonly log: Log } | null;
}

/** Reading them takes about 30 ms; with more that no index holds yet the storage's own search is quicker. */
const freshMax = 500;
interface Asked<Entry extends Read> {
	readonly kind: CollectionAddress["kind"];
	readonly words: readonly QueryTerm[];
	readonly scope: Scope;
	readonly limit: number;
	readonly list: (most: number) => Promise<readonly string[] | null>;
	readonly check: (ids: readonly string[]) => Promise<readonly Entry[]>;
}

type Scored<Entry> = Entry & { readonly score: number };

export function indexedWords(parts: IndexedWordsParts): WordSearch {
	const { source } = parts;
	const own = parts.own?.search ?? null;

	async function match<Entry extends Read>(asked: Asked<Entry>): Promise<readonly Scored<Entry>[] | null> {
		if (asked.words.length === 0 || asked.limit <= 0) return [];
		if (parts.own === null) return matchIn(asked, parts);
		const { log } = parts.own;
		return matchIn(asked, parts).catch((thrown: unknown) => {
			log("warn", "a word index could not answer; the storage answers in its place", { reason: String(thrown) });
			return null;
		});
	}

	const chunks = async (words: readonly QueryTerm[], scope: Scope, limit: number): Promise<Matched<ChunkHit> | null> => {
		const list = (most: number) => source.listChunks(scope, most);
		const found = await match({ kind: "chunk", words, scope, limit, list, check: (ids) => source.chunksIn(ids as readonly ChunkId[], scope) });
		return found && { hits: found.map(({ id, document, position, score }) => ({ id, document, position, score })), isWhole: true };
	};
	const memories = async (words: readonly QueryTerm[], within: MemoryFilter, limit: number): Promise<Matched<Hit<MemoryId>> | null> => {
		const list = (most: number) => source.listMemories(within, most);
		const check = (ids: readonly string[]) => source.memoriesIn(ids as readonly MemoryId[], within);
		const found = await match({ kind: "memory", words, scope: within.scope, limit, list, check });
		return found && { hits: found.map(({ id, score }) => ({ id, score })), isWhole: true };
	};
	return {
		matchChunks: async (words, scope, limit, waitMs) =>
			(await chunks(words, scope, limit)) ?? own?.matchChunks(words, scope, limit, waitMs) ?? { hits: [], isWhole: true },
		matchMemories: async (words, within, limit, waitMs) =>
			(await memories(words, within, limit)) ?? own?.matchMemories(words, within, limit, waitMs) ?? { hits: [], isWhole: true },
	};
}

/** Null where the storage's own search is to answer. */
async function matchIn<Entry extends Read>(
	asked: Asked<Entry>,
	{ state: stateOf, source, own, filters, countsOf }: IndexedWordsParts,
): Promise<readonly Scored<Entry>[] | null> {
	const { kind, words, scope, limit, list, check } = asked;
	const state = await stateOf(kind);
	const { position, generation, isBehind } = state;
	if (isBehind && own !== null) return null;
	const since = await freshSince(source, kind, position, own === null ? Number.POSITIVE_INFINITY : freshMax);
	if (since === null && own !== null) return null;
	// A position that the store's log no longer has is useless.
	const collection = since === null ? null : state.collection;
	const fresh = since ?? (await freshSince(source, kind, null, Number.POSITIVE_INFINITY)) ?? new Map();
	const freshTexts = Array.from(fresh, ([id, { text }]) => ({ id, counts: countsOf({ id, text }) }));
	const corpus = corpusOf(
		collection,
		freshTexts.map(({ counts }) => counts),
	);
	const scale = await wordScale(words, corpus);
	if (scale === null) return [];
	const score = (entries: readonly Entry[]): readonly Scored<Entry>[] =>
		entries.flatMap((entry) => {
			const score = scale.scoreOf(countsOf(entry));
			return score === null ? [] : [{ ...entry, score }];
		});
	const few = isUnrestricted(scope) ? null : await list(listedMax.words);
	if (few !== null) return best(score(await check(few)), limit);
	const isListed = filters === "allowed-ids" && !isUnrestricted(scope);
	const within = {
		containerTags: filters === "payload" ? scope.containerTags : [],
		tagsMatch: kind === "memory" ? ("any" as const) : scope.tagsMatch,
		allowedIds: isListed ? await list(allowedMax) : null,
	};
	const freshest = best(
		freshTexts.flatMap(({ id, counts }) => {
			const score = scale.scoreOf(counts);
			return score === null ? [] : [{ id, score }];
		}),
		freshTexts.length,
	);
	const seen = await visibleCandidates({
		...{ state, generation, limit },
		ask: async (count) => (collection === null ? [] : collection.match(scale.groups, count, within)),
		fresh: freshest.map(({ id }) => id),
		check: async (ids) => score(await check(ids)),
	});
	return seen === null ? null : best(seen, limit);
}

function best<Entry extends { readonly score: number }>(entries: readonly Entry[], limit: number): readonly Entry[] {
	return entries.toSorted((a, b) => b.score - a.score).slice(0, limit);
}

/** Term counts of the index, plus those of texts it does not contain yet. */
function corpusOf(collection: WordCollection | null, fresh: readonly WordCounts[]): Corpus {
	const none = (groups: number): TermCounts => ({ texts: 0, words: 0, grams: 0, holders: new Array<number>(groups).fill(0) });
	const holders = (terms: readonly string[]) => {
		const [grams, words] = [terms.filter(isGramTerm).map(gramOf), terms.filter((term) => !isGramTerm(term))];
		return fresh.filter((text) => words.some((word) => text.counts.has(word)) || grams.some((gram) => text.grams.counts.has(gram))).length;
	};
	return {
		count: async (groups) => {
			const indexed = collection === null ? none(groups.length) : await collection.count(groups);
			return {
				texts: indexed.texts + fresh.length,
				words: fresh.reduce((sum, { length }) => sum + length, indexed.words),
				grams: fresh.reduce((sum, { grams }) => sum + grams.length, indexed.grams),
				holders: groups.map((terms, i) => (indexed.holders[i] ?? 0) + holders(terms)),
			};
		},
		spellings: async (grams, limit) => {
			const indexed = (await collection?.spellings?.(grams, limit)) ?? [];
			const wanted = new Set(grams);
			const own = new Set(fresh.flatMap(({ spelled }) => [...spelled]));
			const near = [...own].filter((word) => gramsOf(word).some((gram) => wanted.has(gram)));
			return [...new Set([...indexed.map((marked) => marked.slice(1, -1)), ...near])];
		},
	};
}
