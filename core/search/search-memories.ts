/** The flow of `/v4/search`: variants → retrieve → rerank → scale → threshold → budget → relatives → fetch. In hybrid mode chunks join in. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { isCurrent, type Memory } from "../model/memory.ts";
import { momentFilter, momentOf } from "../model/moment.ts";
import type { Scope } from "../model/scope.ts";
import type { EmbeddingSpace } from "../model/vector.ts";
import type { Step } from "../plugin/contract.ts";
import { boostExactMatches, exactParts } from "../ranking/exact.ts";
import type { Candidate } from "../ranking/fuse.ts";
import { boostKindAskedFor, kindAskedFor } from "../ranking/kind-asked-for.ts";
import type { QueryVariant } from "../ranking/query-variant.ts";
import { relevance } from "../ranking/relevance.ts";
import { scoreScale } from "../ranking/score-scale.ts";
import { type ChunkReader, createChunkReader } from "./chunk-reader.ts";
import { coverChunks, coverMemories } from "./cover.ts";
import { distinct, type FoundPlace, type FoundText, type Pooled } from "./distinct.ts";
import { documentsInScope } from "./documents-in-scope.ts";
import { asksForEverything, everyMemory } from "./everything.ts";
import { queryVariants } from "./query-variants.ts";
import { inferenceTrust, keyOf, readMemories, worthOf } from "./read-memories.ts";
import { findRelatives, noRelatives, type Relatives } from "./relatives.ts";
import { rerank } from "./rerank.ts";
import { retrieveMemories, retrieveTurns, whileUnread } from "./retrieve.ts";
import type { SearchParts } from "./search-documents.ts";
import type { ScoredItem, Trace } from "./trace.ts";
import { passagePool, withinTokens } from "./within-tokens.ts";

export type SearchMode = "memories" | "hybrid" | "documents";

export interface MemoryQuery {
	/** `*` finds everything, newest first; of documents those that are done. */
	readonly query: string;
	readonly scope: Scope;
	readonly mode: SearchMode;
	readonly limit: number;
	/** All texts together have at most this many tokens: chunks are cut down to the passages that matter. Absent for whole chunks. */
	readonly tokensMax?: number;
	readonly threshold: number;
	readonly rerank: boolean;
	readonly rewriteQuery: boolean;
	/** Whether memories that were found are merged into new ones, if there is a language model. */
	readonly aggregate?: boolean;
	readonly includeForgotten: boolean;
	readonly includeRelatives: boolean;
	/** Whether the chunks that support each memory are read. */
	readonly includeChunks: boolean;
	readonly now: Date;
	/** Searches what was known at this time, in the versions of that time; null or absent for now. */
	readonly asOf?: Date | null;
	/** Searches what was true at this time, as far as it was known at `asOf`. */
	readonly trueAt?: Date | null;
}

export interface FoundMemory {
	readonly kind: "memory";
	readonly memory: Memory;
	readonly score: number;
	readonly relatives: Relatives;
	/** The sources that still exist. */
	readonly documents: readonly Document[];
	/** The chunks that support it, if they were asked for. */
	readonly chunks: readonly Chunk[];
	/** The memories it was merged from by this search; absent for a stored memory. */
	readonly mergedFrom?: readonly Memory["id"][];
}

export interface FoundChunk {
	readonly kind: "chunk";
	readonly chunk: Chunk;
	readonly score: number;
	readonly document: Document;
}

export type FoundItem = FoundMemory | FoundChunk;

/**
 * At least this many distinct memories are read, to score them by how much of the query they cover. Those at later ranks hardly ever become
 * the first. If there are at most `smallScope` candidates, all are read, because their order by the indexes means little.
 */
const comparedMin = 14;
const smallScope = 40;
/** So many times as many candidates are retrieved where too few of them differ. */
const candidatesWidening = 4;
/** At least this many turns are retrieved, so that the turns around a good one are among them and raise its score. */
const turnsMin = 100;

export async function searchMemories(query: MemoryQuery, parts: SearchParts, step: Step, trace?: Trace): Promise<readonly FoundItem[]> {
	if (asksForEverything(query.query)) {
		const found = await everyMemory(query, parts.tenant);
		trace?.scored(found.map((item) => scoredItem(item, item.score)));
		return complete(found, query, parts);
	}
	const variants = await queryVariants(query.query, query.rewriteQuery ? parts.queryRewriters : [], parts.embedder, step);
	trace?.queried(variants);
	const shown = await whileUnread(
		parts.tenant,
		(tenant) => findBest(query, variants, { ...parts, tenant }, step, trace),
		step,
		() => trace?.unread(),
	);
	return complete(shown, query, parts);
}

async function findBest(query: MemoryQuery, variants: readonly QueryVariant[], parts: SearchParts, step: Step, trace?: Trace): Promise<readonly Pooled[]> {
	const reader = createChunkReader(parts.tenant.documents);
	const [memories, chunks] = await Promise.all([
		query.mode === "documents" ? [] : findMemories(query, variants, parts, reader, trace),
		query.mode === "memories" ? [] : findChunks(query, variants, parts, reader, trace),
	]);
	// Of equal scores, what holds now comes first: of equal texts only the first is shown.
	const isFormer = (item: FoundText | FoundPlace) => (item.kind === "memory" && !isCurrent(item.memory, query.now) ? 1 : 0);
	const found = [...memories, ...chunks].sort((a, b) => b.score - a.score || isFormer(a) - isFormer(b));
	const scale = scoreScale(variants, { memory: memories.map(({ own }) => own), chunk: chunks.map(({ own }) => own) });
	const first = found[0]?.score ?? 0;
	// A reranker needs all distinct texts, and so does an explanation.
	const isReranked = query.rerank && parts.reranker !== null;
	const isAllRead = isReranked || trace !== undefined;
	const wanted = isAllRead ? found : found.filter(({ score }) => scale(score, first) >= query.threshold);
	const pool = await distinct(wanted, isAllRead ? found.length : poolFor(query), reader, query.tokensMax === undefined);
	const ranked = isReranked ? await rerank(query.query, pool, parts.reranker, step) : pool;
	const firstNow = ranked[0]?.score ?? 0;
	const shown = (item: Pooled) => scale(item.score, firstNow);
	trace?.scored(ranked.map((item) => scoredItem(item, shown(item))));
	const passing = ranked.filter((item) => shown(item) >= query.threshold);
	const { limit, tokensMax } = query;
	const chosen = tokensMax === undefined ? passing.slice(0, limit) : withinTokens(passing, query.query, tokensMax, limit);
	return chosen.map((item) => ({ ...item, score: shown(item) }));
}

/** How many distinct results are needed: more with a budget of tokens, because passages are chosen from many chunks. */
function poolFor({ limit, tokensMax }: MemoryQuery): number {
	return tokensMax === undefined ? limit : Math.max(limit, passagePool);
}

async function findMemories(
	{ query, scope, mode, limit, rerank: isReranked, includeForgotten, now, asOf, trueAt }: MemoryQuery,
	variants: readonly QueryVariant[],
	{ tenant, embedder, reranker }: SearchParts,
	reader: ChunkReader,
	trace?: Trace,
): Promise<readonly FoundText[]> {
	const memoryFilter = { scope, includeForgotten, now, ...momentFilter(momentOf(asOf, trueAt, now)) };
	const exact = exactParts(query);
	const holdsKind = mode === "memories" ? kindAskedFor(query) : null;
	// If a later step may raise any memory, or compares memories with chunks, all are read.
	const isAllWanted = exact.length > 0 || (isReranked && reranker !== null) || mode !== "memories" || trace !== undefined;
	const retrieveAndRead = async (most: number) => {
		const { candidates, isExhausted } = await retrieveMemories(variants, memoryFilter, most, tenant, embedder.space);
		const isAllRead = isAllWanted || candidates.length <= smallScope;
		const memories = await readMemories(candidates, isAllRead ? candidates.length : Math.max(limit, comparedMin), tenant.memories);
		return { candidates, memories, isExhausted };
	};
	let most = candidatesFor(limit);
	let retrieved = await retrieveAndRead(most);
	let texts = countTexts(retrieved.memories);
	// Where many say the same, more are needed for as many different ones.
	for (let before = 0; !retrieved.isExhausted && most < limits.candidatesMax && texts < limit && texts > before; texts = countTexts(retrieved.memories)) {
		before = texts;
		most = Math.min(most * candidatesWidening, limits.candidatesMax);
		retrieved = await retrieveAndRead(most);
	}
	const { candidates, memories } = retrieved;
	const textOf = (id: MemoryId) => memories.get(id)?.text;
	const covered = await coverMemories(candidates, memories, reader, embedder);
	const boosted = boostKindAskedFor(boostExactMatches(covered, exact, textOf, embedder.space), holdsKind, textOf, embedder.space);
	trace?.retrieved(boosted);
	return boosted.flatMap((candidate) => {
		const memory = memories.get(candidate.hit.id);
		if (memory === undefined) return [];
		const own = worthOf(memory, ownRelevance(candidate, embedder.space));
		return [{ kind: "memory", score: worthOf(memory, candidate.score), own, memory }];
	});
}

function countTexts(memories: ReadonlyMap<MemoryId, Memory>): number {
	return new Set([...memories.values()].map(keyOf)).size;
}

async function findChunks(
	{ query, scope, limit }: MemoryQuery,
	variants: readonly QueryVariant[],
	{ tenant, embedder }: SearchParts,
	reader: ChunkReader,
	trace?: Trace,
): Promise<readonly FoundPlace[]> {
	const candidates = await retrieveTurns(variants, { ...scope, tagsMatch: "any" }, Math.max(candidatesFor(limit), turnsMin), tenant, embedder.space, limit);
	const exact = exactParts(query);
	if (exact.length > 0) await reader.read(candidates.map(({ hit }) => hit.id));
	const boosted = boostExactMatches(await coverChunks(candidates, reader, embedder), exact, (id) => reader.known(id)?.text, embedder.space);
	trace?.retrieved(boosted);
	return boosted.map((candidate) => {
		const { hit, score } = candidate;
		return { kind: "chunk", id: hit.id, score, own: ownRelevance(candidate, embedder.space) };
	});
}

/** The relevance without the evidence that unrelated texts have as well: many contain a time, and all have texts around them. */
function ownRelevance({ evidence, variant }: Candidate<unknown>, space: EmbeddingSpace): number {
	return variant.trust * relevance({ ...evidence, kind: 0, around: 0 }, space);
}

function scoredItem(item: Pooled & { readonly opinion?: number }, score: number): ScoredItem {
	const opinion = item.opinion ?? null;
	if (item.kind === "chunk") return { id: item.chunk.id, document: item.chunk.document, score, opinion, inference: 1 };
	return { id: item.memory.id, document: null, score, opinion, inference: item.memory.isInference ? inferenceTrust : 1 };
}

function candidatesFor(limit: number): number {
	return Math.min(Math.max(limit * limits.candidatesPerResult, limits.candidatesMin), limits.candidatesMax);
}

/** Reads relatives, documents and chunks, only for the results that are shown. */
async function complete(
	pool: readonly Pooled[],
	{ scope, includeRelatives, includeChunks, includeForgotten, now, asOf, trueAt }: MemoryQuery,
	{ tenant }: SearchParts,
): Promise<readonly FoundItem[]> {
	const memories = pool.flatMap((item) => (item.kind === "memory" ? [item.memory] : []));
	const evidence = memories.flatMap((memory) => memory.evidence);
	const sources = new Set([...evidence.map(({ document }) => document), ...pool.flatMap((item) => (item.kind === "chunk" ? [item.chunk.document] : []))]);
	const ids = memories.map(({ id }) => id);
	const [documents, chunks, relatives] = await Promise.all([
		documentsInScope([...sources], { ...scope, tagsMatch: "any" }, false, tenant),
		includeChunks ? tenant.documents.chunks([...new Set(evidence.map(({ chunk }) => chunk))]) : [],
		includeRelatives ? findRelatives(ids, tenant.memories, { includeForgotten, now, ...momentFilter(momentOf(asOf, trueAt, now)) }) : null,
	]);
	const chunksById = new Map(chunks.filter(({ document }) => documents.has(document)).map((chunk) => [chunk.id, chunk]));
	return pool.flatMap((item): FoundItem[] => {
		if (item.kind === "chunk") {
			const document = documents.get(item.chunk.document);
			return document === undefined ? [] : [{ kind: "chunk", chunk: item.chunk, score: item.score, document }];
		}
		const { memory, score } = item;
		return [
			{
				kind: "memory",
				memory,
				score,
				relatives: relatives?.get(memory.id) ?? noRelatives,
				documents: [...new Set(memory.evidence.map(({ document }) => document))].flatMap((id) => documents.get(id) ?? []),
				chunks: [...new Set(memory.evidence.map(({ chunk }) => chunk))].flatMap((id) => chunksById.get(id) ?? []),
			},
		];
	});
}
