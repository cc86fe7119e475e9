/** Searches a filled store for a question of a collection, in one of several ways, and returns the ranking. */

import { fail } from "../../core/errors/fail.ts";
import { createStep } from "../../core/language/step.ts";
import { limits } from "../../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../../core/model/scope.ts";
import type { Parts } from "../../core/parts.ts";
import type { Step } from "../../core/plugin/contract.ts";
import type { ChunkHit } from "../../core/ports/vector-search.ts";
import { queryVariants } from "../../core/search/query-variants.ts";
import { type DocumentQuery, type SearchParts, searchDocuments } from "../../core/search/search-documents.ts";
import { searchMemories } from "../../core/search/search-memories.ts";
import type { Question } from "./collection.ts";
import type { FilledStore } from "./laboratory.ts";
import { depth } from "./metrics.ts";

/** Words only, vectors only, both as in the search routes, or with reranking. */
export type SearchMethod = "words" | "dense" | "fusion" | "rerank";

export interface RankedResult {
	/** The collection's id. */
	readonly id: string;
	readonly score: number;
}

type SearchOptions = Pick<DocumentQuery, "limit" | "rerank">;

/** More chunks than results are requested, because several can be from one document. */
const hitsPerIndex = 100;

export async function ask(
	question: Question,
	method: SearchMethod,
	store: FilledStore,
	parts: Parts,
	signal: AbortSignal,
	limit: number = depth,
): Promise<readonly RankedResult[]> {
	const step = createStep(parts.world, signal);
	const tenant = parts.storage.organisation(store.organisation);
	// A normal search stops waiting when keyword search is slow; a measurement has to wait for all of its hits.
	const { matchChunks, matchMemories } = tenant.words;
	const words: typeof tenant.words = {
		matchChunks: (words, scope, limit) => matchChunks(words, scope, limit),
		matchMemories: (words, memoryFilter, limit) => matchMemories(words, memoryFilter, limit),
	};
	const search = { ...parts, tenant: { ...tenant, words } };
	const scope: Scope = question.group === null ? wholeOrganisation : { ...wholeOrganisation, containerTags: [question.group] };
	if (method === "words" || method === "dense") return toRanking(await searchOneIndex(question, method, scope, search, step), question, store).slice(0, limit);
	const options = { limit, rerank: method === "rerank" };
	return question.group === null
		? searchAllDocuments(question, options, scope, store, search, step)
		: searchChunksOfGroup(question, options, scope, store, search, step);
}

async function searchOneIndex(
	{ text }: Question,
	method: "words" | "dense",
	scope: Scope,
	{ tenant, embedder }: SearchParts,
	step: Step,
): Promise<readonly ChunkHit[]> {
	const [variant] = await queryVariants(text, [], embedder, step);
	if (variant === undefined) return [];
	if (method === "words") return (await tenant.words.matchChunks(variant.words, scope, hitsPerIndex)).hits;
	// A normal search continues without vectors; a measurement must not.
	if (variant.vector === null) throw fail("EMBEDDER_UNAVAILABLE", embedder.name, "it returned no vector for a question");
	return tenant.vectors(embedder.space).nearestChunks(variant.vector, scope, hitsPerIndex);
}

/** The collection's ids for the chunks that were found. A document has the rank of its best chunk. */
function toRanking(hits: readonly ChunkHit[], { group }: Question, { collectionIds }: FilledStore): readonly RankedResult[] {
	const scores = new Map<string, number>();
	for (const { id, document, score } of hits) {
		const collectionId = collectionIds.get(group === null ? document : id);
		if (collectionId !== undefined && !scores.has(collectionId)) scores.set(collectionId, score);
	}
	return [...scores].map(([id, score]) => ({ id, score }));
}

/** The search of `/v3/search`, without thresholds. */
async function searchAllDocuments(
	question: Question,
	options: SearchOptions,
	scope: Scope,
	{ collectionIds }: FilledStore,
	parts: SearchParts,
	step: Step,
): Promise<readonly RankedResult[]> {
	const fixedOptions = { chunkThreshold: 0, documentThreshold: 0, onlyMatchingChunks: true, rewriteQuery: false };
	const response = await searchDocuments({ ...fixedOptions, query: truncatedQuery(question), scope, ...options }, parts, step);
	return response.flatMap(({ document, score }) => rankedResult(collectionIds.get(document.id), score));
}

/** `/v4/search` in the mode `documents`, which returns chunks, without a threshold. */
async function searchChunksOfGroup(
	question: Question,
	options: SearchOptions,
	scope: Scope,
	{ collectionIds }: FilledStore,
	parts: SearchParts,
	step: Step,
): Promise<readonly RankedResult[]> {
	const fixedOptions = {
		mode: "documents",
		threshold: 0,
		rewriteQuery: false,
		includeForgotten: false,
		includeRelatives: false,
		includeChunks: false,
	} as const;
	const response = await searchMemories({ ...fixedOptions, query: truncatedQuery(question), scope, ...options, now: new Date() }, parts, step);
	return response.flatMap((item) => (item.kind === "chunk" ? rankedResult(collectionIds.get(item.chunk.id), item.score) : []));
}

function rankedResult(id: string | undefined, score: number): readonly RankedResult[] {
	return id === undefined ? [] : [{ id, score }];
}

function truncatedQuery({ text }: Question): string {
	return text.slice(0, limits.queryCharactersMax);
}
