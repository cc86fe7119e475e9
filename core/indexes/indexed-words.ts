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
import type { ScoredCounts, WordCounts } from "../ranking/words/count-words.ts";
import { gramsOf } from "../ranking/words/grams.ts";
import type { Language } from "../ranking/words/languages.ts";
import { type Corpus, gramOf, isGramTerm, termsToCount, wordScale } from "../ranking/words/score-words.ts";
import { allowedIdsMax, changedSince, directTextsMax, visibleCandidates } from "./candidates.ts";
import type { CollectionAddress, CollectionState } from "./collections.ts";
import type { IdentifiedText } from "./counted-texts.ts";
import { countsOfEntry } from "./word-entry.ts";

export interface IndexedWordsParts {
	readonly filters: WordIndex["filters"];
	/** How up to date the index is. */
	readonly state: (kind: CollectionAddress["kind"]) => Promise<CollectionState<WordCollection>>;
	readonly source: TextSource;
	readonly countsOf: (text: IdentifiedText) => WordCounts;
	/** The storage's own search, used while the index is far behind or fails; null if the storage has no word search. */
	readonly fallback: { readonly search: WordSearch; readonly log: Log } | null;
}

/** If the index lacks more texts than this, the storage's own search is faster: reading this many takes about 30 ms. */
const unindexedMax = 500;

/** The languages of a collection at the last search, for the terms of the next one. Those of a language that is new are asked for by themselves. */
const spokenIn = new WeakMap<WordCollection, readonly Language[]>();

/** In the place of a text that is not needed. */
const unread = { text: "" };

interface MatchRequest<Entry extends IdentifiedText> {
	readonly kind: CollectionAddress["kind"];
	readonly words: readonly QueryTerm[];
	readonly scope: Scope;
	readonly limit: number;
	/** The ids of all texts in scope; null if there are more than `most`. */
	readonly list: (most: number) => Promise<readonly string[] | null>;
	/** Returns the texts that exist and are in scope. @param known by id: contents that need not be read */
	readonly check: (ids: readonly string[], known?: ReadonlyMap<string, { readonly text: string }>) => Promise<readonly Entry[]>;
	/** As in `WordSearch`. In a small scope it is not called: the search by vectors reads all of it as well. */
	readonly onCandidates?: (ids: readonly string[]) => void;
}

type Scored<Entry> = Entry & { readonly score: number };

export function indexedWords(parts: IndexedWordsParts): WordSearch {
	const { source } = parts;
	const fallback = parts.fallback?.search ?? null;

	async function match<Entry extends IdentifiedText>(request: MatchRequest<Entry>): Promise<readonly Scored<Entry>[] | null> {
		if (request.words.length === 0 || request.limit <= 0) return [];
		if (parts.fallback === null) return matchIn(request, parts);
		const { log } = parts.fallback;
		return matchIn(request, parts).catch((thrown: unknown) => {
			log("warn", "a word index could not answer; the storage answers instead", { reason: String(thrown) });
			return null;
		});
	}

	const chunks = async (
		words: readonly QueryTerm[],
		scope: Scope,
		limit: number,
		onCandidates?: (ids: readonly ChunkId[]) => void,
	): Promise<Matched<ChunkHit> | null> => {
		const found = await match({
			...{ kind: "chunk", words, scope, limit },
			list: (most) => source.listChunks(scope, most),
			check: (ids, known) => source.chunksIn(ids as readonly ChunkId[], scope, known),
			onCandidates: (ids) => onCandidates?.(ids as readonly ChunkId[]),
		});
		return found && { hits: found.map(({ id, document, position, score }) => ({ id, document, position, score })), isWhole: true };
	};
	const memories = async (words: readonly QueryTerm[], within: MemoryFilter, limit: number): Promise<Matched<Hit<MemoryId>> | null> => {
		const list = (most: number) => source.listMemories(within, most);
		const check = (ids: readonly string[], known?: ReadonlyMap<string, { readonly text: string }>) =>
			source.memoriesIn(ids as readonly MemoryId[], within, known);
		const found = await match({ kind: "memory", words, scope: within.scope, limit, list, check });
		return found && { hits: found.map(({ id, score }) => ({ id, score })), isWhole: true };
	};
	return {
		matchChunks: async (words, scope, limit, waitMs, onCandidates) =>
			(await chunks(words, scope, limit, onCandidates)) ?? fallback?.matchChunks(words, scope, limit, waitMs) ?? { hits: [], isWhole: true },
		matchMemories: async (words, within, limit, waitMs) =>
			(await memories(words, within, limit)) ?? fallback?.matchMemories(words, within, limit, waitMs) ?? { hits: [], isWhole: true },
	};
}

/** @returns null if the storage's own search should answer. */
async function matchIn<Entry extends IdentifiedText>(
	request: MatchRequest<Entry>,
	{ state: stateOf, source, fallback, filters, countsOf }: IndexedWordsParts,
): Promise<readonly Scored<Entry>[] | null> {
	const { kind, words, scope, limit, list, check, onCandidates } = request;
	const state = await stateOf(kind);
	const { position, generation, isBehind } = state;
	if (isBehind && fallback !== null) return null;
	const [changed] = await Promise.all([
		changedSince(source, kind, position, fallback === null ? Number.POSITIVE_INFINITY : unindexedMax),
		state.collection?.prepare?.(termsToCount(words, spokenIn.get(state.collection))),
	]);
	if (changed === null && fallback !== null) return null;
	// If the change log no longer reaches back to the position of the index, the index is not used.
	const collection = changed === null ? null : state.collection;
	const unindexed = changed ?? (await changedSince(source, kind, null, Number.POSITIVE_INFINITY)) ?? new Map();
	const unindexedTexts = Array.from(unindexed, ([id, { text }]) => ({ id, counts: countsOf({ id, text }) }));
	const corpus = corpusOf(
		collection,
		unindexedTexts.map(({ counts }) => counts),
	);
	const scale = await wordScale(words, corpus);
	if (scale === null) return [];
	if (collection !== null) spokenIn.set(collection, scale.spoken);
	/** What the index has counted; of these texts none is read. */
	const counted = new Map<string, ScoredCounts>();
	const score = (entries: readonly Entry[]): readonly Scored<Entry>[] =>
		entries.flatMap((entry) => {
			const score = scale.scoreOf(counted.get(entry.id) ?? countsOf(entry));
			return score === null ? [] : [{ ...entry, score }];
		});
	const ids = isUnrestricted(scope) ? null : await list(directTextsMax.words);
	if (ids !== null) return best(score(await check(ids)), limit);
	const needsIds = filters === "allowed-ids" && !isUnrestricted(scope);
	const indexFilter = {
		containerTags: filters === "payload" ? scope.containerTags : [],
		tagsMatch: kind === "memory" ? ("any" as const) : scope.tagsMatch,
		allowedIds: needsIds ? await list(allowedIdsMax) : null,
	};
	const rankedUnindexed = best(
		unindexedTexts.flatMap(({ id, counts }) => {
			const score = scale.scoreOf(counts);
			return score === null ? [] : [{ id, score }];
		}),
		unindexedTexts.length,
	);
	let hasAsked = false;
	const ask = async (count: number) => {
		// Of further candidates few are in scope: reading those costs less than having all of them counted.
		if (collection?.matchCounted === undefined || hasAsked) return collection?.match(scale.groups, count, indexFilter) ?? [];
		hasAsked = true;
		const matched = await collection.matchCounted(scale.groups, count, indexFilter, scale.terms);
		for (const { id, counted: counts } of matched) if (counts !== null) counted.set(id, countsOfEntry(counts));
		return matched.map(({ id }) => id);
	};
	const found = await visibleCandidates({
		...{ state, generation, limit, ask },
		unindexed: rankedUnindexed.map(({ id }) => id),
		check: async (ids) => {
			const checked = check(ids, new Map(Array.from(counted.keys(), (id) => [id, unread])));
			// Asked after it in the same message, so that the answers are scored while the caller's are on their way.
			onCandidates?.(ids);
			return score(await checked);
		},
	});
	return found === null ? null : best(found, limit);
}

function best<Entry extends { readonly score: number }>(entries: readonly Entry[], limit: number): readonly Entry[] {
	return entries.toSorted((a, b) => b.score - a.score).slice(0, limit);
}

/** Term counts of the index, plus those of texts it does not contain yet. */
function corpusOf(collection: WordCollection | null, unindexed: readonly WordCounts[]): Corpus {
	const noCounts = (groups: number): TermCounts => ({ texts: 0, words: 0, grams: 0, holders: new Array<number>(groups).fill(0) });
	const countTexts = (terms: readonly string[]) => {
		const [grams, words] = [terms.filter(isGramTerm).map(gramOf), terms.filter((term) => !isGramTerm(term))];
		return unindexed.filter((text) => words.some((word) => text.counts.has(word)) || grams.some((gram) => text.grams.counts.has(gram))).length;
	};
	return {
		count: async (groups) => {
			const indexed = collection === null ? noCounts(groups.length) : await collection.count(groups);
			return {
				texts: indexed.texts + unindexed.length,
				words: unindexed.reduce((sum, { length }) => sum + length, indexed.words),
				grams: unindexed.reduce((sum, { grams }) => sum + grams.length, indexed.grams),
				holders: groups.map((terms, i) => (indexed.holders[i] ?? 0) + countTexts(terms)),
			};
		},
		spellings: async (grams, limit) => {
			const indexed = (await collection?.spellings?.(grams, limit)) ?? [];
			const gramSet = new Set(grams);
			const unindexedWords = new Set(unindexed.flatMap(({ spelled }) => [...spelled]));
			const near = [...unindexedWords].filter((word) => gramsOf(word).some((gram) => gramSet.has(gram)));
			// The index marks both ends of a word with `_`, see `wordEntry`.
			return [...new Set([...indexed.map((marked) => marked.slice(1, -1)), ...near])];
		},
	};
}
