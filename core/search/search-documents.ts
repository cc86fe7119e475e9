/** The search of `/v3/search`: makes query variants, finds groups of chunks, and reads the documents and chunks to show. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { DocumentId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import type { Embedder, QueryRewriter, Reranker, Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import { noiseBelow } from "../ranking/relevance.ts";
import { documentsInScope } from "./documents-in-scope.ts";
import { asksForEverything, firstPage } from "./everything.ts";
import type { Group } from "./find-groups.ts";
import { findGroups } from "./find-groups.ts";
import { queryVariants } from "./query-variants.ts";
import { whileUnread } from "./retrieve.ts";
import type { Trace } from "./trace.ts";

export interface DocumentQuery {
	/** `*` finds all documents that are done, newest first. */
	readonly query: string;
	readonly scope: Scope;
	readonly limit: number;
	readonly chunkThreshold: number;
	readonly documentThreshold: number;
	readonly onlyMatchingChunks: boolean;
	readonly rerank: boolean;
	readonly rewriteQuery: boolean;
	/** Whether the documents are read with their texts; long texts are left out even then. */
	readonly includeContent?: boolean;
}

export interface ShownChunk {
	readonly chunk: Chunk;
	readonly score: number;
	/** False for context, and for everything where nothing that was found answers the query, see `noiseBelow`. */
	readonly isRelevant: boolean;
	/** A neighbour of what was found. */
	readonly isContext: boolean;
}

export interface FoundDocument {
	readonly document: Document;
	/** The score of its best chunk. */
	readonly score: number;
	/** The chunks that were found, best first, and after them the context in reading order. */
	readonly chunks: readonly ShownChunk[];
}

export interface SearchParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly reranker: Reranker | null;
	readonly queryRewriters: readonly QueryRewriter[];
}

export async function searchDocuments(query: DocumentQuery, parts: SearchParts, step: Step, trace?: Trace): Promise<readonly FoundDocument[]> {
	if (asksForEverything(query.query)) return everything(query, parts, trace);
	const variants = await queryVariants(query.query, query.rewriteQuery ? parts.queryRewriters : [], parts.embedder, step);
	trace?.queried(variants);
	// Without vectors or some of the words scores are lower, and say nothing about what is not there.
	let isSure = variants.every(({ vector }) => vector !== null);
	const search = (tenant: TenantStore) => findGroups(query, variants, { ...parts, tenant }, step, trace);
	const { groups, bestRelevance } = await whileUnread(parts.tenant, search, step, () => {
		isSure = false;
		trace?.unread();
	});
	const ids = groups.map(({ id }) => id);
	const shown = await showGroups(groups, isSure && bestRelevance < noiseBelow, query.onlyMatchingChunks, parts.tenant);
	// Only now: what is shown of a document was read before it left its containers.
	const documents = await documentsInScope(ids, query.scope, query.includeContent === true, parts.tenant);
	return groups.flatMap(({ id }) => {
		const document = documents.get(id);
		const chunks = shown.get(id) ?? [];
		const [best] = chunks;
		return document === undefined || best === undefined ? [] : [{ document, score: best.score, chunks }];
	});
}

/** All documents in scope, newest first, each with its first chunk. Nothing is compared, so every score is 1. */
async function everything(
	{ scope, limit, onlyMatchingChunks, includeContent = false }: DocumentQuery,
	{ tenant }: SearchParts,
	trace?: Trace,
): Promise<readonly FoundDocument[]> {
	const ids = (await tenant.documents.list(scope, ["done"], firstPage(limit), false)).documents.map(({ id }) => id);
	const read = await tenant.documents.chunksAt(new Map(ids.map((id) => [id, onlyMatchingChunks ? [0] : [0, 1]])));
	const chunksOf = Map.groupBy(read, ({ document }) => document);
	// Only now: a chunk is as it was before.
	const documents = await documentsInScope(ids, scope, includeContent, tenant);
	trace?.scored(read.filter(isFirst).map(({ id, document }) => ({ id, document, score: 1, opinion: null, inference: 1 })));
	return ids.flatMap((id) => {
		const document = documents.get(id);
		const chunks = (chunksOf.get(id) ?? []).map((chunk) => {
			const [isRelevant, isContext] = [isFirst(chunk), !isFirst(chunk)];
			return { chunk, score: isRelevant ? 1 : 0, isRelevant, isContext };
		});
		return document === undefined ? [] : [{ document, score: 1, chunks }];
	});
}

function isFirst({ position }: Chunk): boolean {
	return position === 0;
}

/**
 * Reads the chunks to show, and the chunks before and after each as context, in one query for all results.
 * @returns by document: the chunks that were found, best first, and after them the context in reading order, with score 0. Chunks that
 * were deleted in the meantime are left out.
 */
async function showGroups(
	groups: readonly Group[],
	isUnanswered: boolean,
	onlyMatchingChunks: boolean,
	{ documents }: TenantStore,
): Promise<ReadonlyMap<DocumentId, readonly ShownChunk[]>> {
	const read = await documents.chunksAt(new Map(groups.map((group) => [group.id, placesOf(group, onlyMatchingChunks)])));
	const byDocument = Map.groupBy(read, ({ document }) => document);
	return new Map(groups.map((group) => [group.id, shownOf(group, byDocument.get(group.id) ?? [], !isUnanswered)]));
}

function placesOf({ hits }: Group, onlyMatchingChunks: boolean): readonly number[] {
	const reach = onlyMatchingChunks ? [0] : [-1, 0, 1];
	return [...new Set(hits.flatMap(({ hit }) => reach.map((away) => hit.position + away)))].filter((position) => position >= 0);
}

/** Empty if another revision of the document was published in the meantime: the chunks that were found are gone, and context alone is no result. */
function shownOf({ hits }: Group, chunks: readonly Chunk[], isAnswered: boolean): readonly ShownChunk[] {
	const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
	const found = hits.flatMap(({ hit, score }) => {
		const chunk = byId.get(hit.id);
		return chunk === undefined ? [] : [{ chunk, score, isRelevant: isAnswered, isContext: false }];
	});
	const foundIds = new Set(found.map(({ chunk }) => chunk.id));
	const context = chunks.filter(({ id }) => !foundIds.has(id)).map((chunk) => ({ chunk, score: 0, isRelevant: false, isContext: true }));
	return found.length === 0 ? [] : [...found, ...context];
}
