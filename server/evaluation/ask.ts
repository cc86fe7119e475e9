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
import type { Filled } from "./laboratory.ts";
import { depth } from "./metrics.ts";

/** Words only, vectors only, both as in the search routes, or with reranking. */
export type Way = "words" | "dense" | "fusion" | "rerank";

export interface Answer {
	/** The collection's id. */
	readonly id: string;
	readonly score: number;
}

type Wanted = Pick<DocumentQuery, "limit" | "rerank">;

/** More chunks than results are requested, because several can be from one document. */
const legHits = 100;

export async function ask(question: Question, way: Way, filled: Filled, parts: Parts, signal: AbortSignal, limit: number = depth): Promise<readonly Answer[]> {
	const step = createStep(parts.world, signal);
	const tenant = parts.storage.organisation(filled.organisation);
	// A search does not wait long for words that are still being read; a figure must.
	const { matchChunks, matchMemories } = tenant.words;
	const words: typeof tenant.words = {
		matchChunks: (words, scope, limit) => matchChunks(words, scope, limit),
		matchMemories: (words, memoryFilter, limit) => matchMemories(words, memoryFilter, limit),
	};
	const search = { ...parts, tenant: { ...tenant, words } };
	const scope: Scope = question.group === null ? wholeOrganisation : { ...wholeOrganisation, containerTags: [question.group] };
	if (way === "words" || way === "dense") return named(await byOneLeg(question, way, scope, search, step), question, filled).slice(0, limit);
	const wanted = { limit, rerank: way === "rerank" };
	return question.group === null ? amongDocuments(question, wanted, scope, filled, search, step) : amongChunks(question, wanted, scope, filled, search, step);
}

async function byOneLeg({ text }: Question, way: "words" | "dense", scope: Scope, { tenant, embedder }: SearchParts, step: Step): Promise<readonly ChunkHit[]> {
	const [variant] = await queryVariants(text, [], embedder, step);
	if (variant === undefined) return [];
	if (way === "words") return (await tenant.words.matchChunks(variant.words, scope, legHits)).hits;
	// A search continues without; a measurement must not.
	if (variant.vector === null) throw fail("EMBEDDER_UNAVAILABLE", embedder.name, "it gave no vector for a question");
	return tenant.vectors(embedder.space).nearestChunks(variant.vector, scope, legHits);
}

/** A document has the rank of its best chunk. */
function named(hits: readonly ChunkHit[], { group }: Question, { idOf }: Filled): readonly Answer[] {
	const seen = new Map<string, number>();
	for (const { id, document, score } of hits) {
		const known = idOf.get(group === null ? document : id);
		if (known !== undefined && !seen.has(known)) seen.set(known, score);
	}
	return [...seen].map(([id, score]) => ({ id, score }));
}

/** `/v3/search`, without thresholds. */
async function amongDocuments(question: Question, wanted: Wanted, scope: Scope, { idOf }: Filled, parts: SearchParts, step: Step): Promise<readonly Answer[]> {
	const plain = { chunkThreshold: 0, documentThreshold: 0, onlyMatchingChunks: true, rewriteQuery: false };
	const found = await searchDocuments({ ...plain, query: cut(question), scope, ...wanted }, parts, step);
	return found.flatMap(({ document, score }) => answer(idOf.get(document.id), score));
}

/** `/v4/search` in its mode for documents, which answers chunks, without a threshold. */
async function amongChunks(question: Question, wanted: Wanted, scope: Scope, { idOf }: Filled, parts: SearchParts, step: Step): Promise<readonly Answer[]> {
	const plain = { mode: "documents", threshold: 0, rewriteQuery: false, includeForgotten: false, includeRelatives: false, includeChunks: false } as const;
	const found = await searchMemories({ ...plain, query: cut(question), scope, ...wanted, now: new Date() }, parts, step);
	return found.flatMap((item) => (item.kind === "chunk" ? answer(idOf.get(item.chunk.id), item.score) : []));
}

function answer(id: string | undefined, score: number): readonly Answer[] {
	return id === undefined ? [] : [{ id, score }];
}

function cut({ text }: Question): string {
	return text.slice(0, limits.queryCharactersMax);
}
