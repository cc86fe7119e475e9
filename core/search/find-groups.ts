/** Steps two to five of a search: retrieve, fuse, rerank, and group by document. Texts are only read if a step needs them. */

import type { DocumentId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Scope } from "../model/scope.ts";
import type { Reranker, Step } from "../plugin/contract.ts";
import type { ChunkHit } from "../ports/vector-search.ts";
import { boostExactMatches, exactParts } from "../ranking/exact.ts";
import type { Candidate } from "../ranking/fuse.ts";
import { amongDocuments, mixNeighbours } from "../ranking/fuse.ts";
import type { QueryVariant } from "../ranking/query-variant.ts";
import { type ChunkReader, createChunkReader } from "./chunk-reader.ts";
import { fewDocuments, uncertainAmong, united } from "./few-documents.ts";
import { rerank } from "./rerank.ts";
import { retrieveChunks } from "./retrieve.ts";
import type { DocumentQuery, SearchParts } from "./search-documents.ts";
import type { Trace } from "./trace.ts";

/** A candidate with its final score. */
export interface ScoredHit {
	readonly hit: ChunkHit;
	readonly score: number;
	/** The reranker's score, if it was asked. */
	readonly opinion?: number;
}

export interface Group {
	readonly id: DocumentId;
	/** Best first; at least one. */
	readonly hits: readonly ScoredHit[];
}

export interface FoundGroups {
	/** Best first. */
	readonly groups: readonly Group[];
	/** The best score of all candidates before the reranker, which moves scores; 0 if nothing was found. */
	readonly bestRelevance: number;
}

/** How many documents are searched one by one at most. A search in one document costs about as much as one in all. */
const oneByOneMax = 8;

/**
 * Retrieves more and more candidates until they are of enough documents, or until there is nothing more to find, because many chunks may be
 * of one document. If few documents are in scope, those whose best chunk is not certain yet are searched one by one instead.
 */
export async function findGroups(query: DocumentQuery, variants: readonly QueryVariant[], parts: SearchParts, step: Step, trace?: Trace): Promise<FoundGroups> {
	const reader = createChunkReader(parts.tenant.documents);
	const exact = exactParts(query.query);
	const answer = async (candidates: readonly Candidate<ChunkHit>[]) => {
		const { scored, bestRelevance } = await judge(mixNeighbours(candidates, amongDocuments, parts.embedder.space), query, exact, reader, parts, step, trace);
		return { groups: group(scored, query), bestRelevance };
	};
	const within = (scope: Scope, limit: number) => retrieveChunks(variants, scope, limit, parts.tenant, parts.embedder.space);
	let few: readonly DocumentId[] | null | undefined;
	for (let reach = query.limit * limits.candidatesPerResult; ; reach *= limits.candidatesPerResult) {
		const limit = Math.min(Math.max(reach, limits.candidatesMin), limits.candidatesMax);
		const retrieved = await within(query.scope, limit);
		const found = await answer(retrieved.candidates);
		const isBelowThreshold = (retrieved.candidates.at(-1)?.score ?? 0) < query.chunkThreshold;
		if (found.groups.length >= query.limit || retrieved.isExhausted || isBelowThreshold || limit >= limits.candidatesMax) return found;
		// If more documents than this are in scope, the next round nearly always finds new ones.
		if (few === undefined) few = await fewDocuments(query.scope, limit, parts.tenant.documents);
		const uncertain = few === null ? null : uncertainAmong(few, retrieved, exact.length > 0, parts.embedder.space);
		if (uncertain === null || uncertain.length > oneByOneMax) continue;
		if (uncertain.length === 0 || query.scope.document !== null) return found;
		const each = await Promise.all(uncertain.map((document) => within({ ...query.scope, document }, limits.candidatesMin)));
		return answer(united([retrieved, ...each].map(({ candidates }) => candidates)));
	}
}

/** Scores the candidates, best first. Texts are read if the query has parts to match exactly, or for the reranker. */
async function judge(
	candidates: readonly Candidate<ChunkHit>[],
	{ query, rerank: isReranked }: DocumentQuery,
	exact: readonly string[],
	reader: ChunkReader,
	{ embedder, reranker }: SearchParts,
	step: Step,
	trace?: Trace,
): Promise<{ readonly scored: readonly ScoredHit[]; readonly bestRelevance: number }> {
	if (exact.length > 0) await reader.read(candidates.map(({ hit }) => hit.id));
	const boosted = boostExactMatches(candidates, exact, (id) => reader.known(id)?.text, embedder.space);
	const scored: readonly ScoredHit[] = isReranked && reranker !== null ? await askReranker(query, boosted, reader, reranker, step) : boosted;
	trace?.retrieved(boosted);
	trace?.scored(scored.map(({ hit, score, opinion = null }) => ({ id: hit.id, document: hit.document, score, opinion, inference: 1 })));
	return { scored, bestRelevance: boosted[0]?.score ?? 0 };
}

/** Candidates beyond the number that the reranker takes keep their score, and their texts are not read. */
async function askReranker(
	query: string,
	candidates: readonly Candidate<ChunkHit>[],
	reader: ChunkReader,
	reranker: Reranker,
	step: Step,
): Promise<readonly ScoredHit[]> {
	const first = candidates.slice(0, reranker.candidatesMax);
	await reader.read(first.map(({ hit }) => hit.id));
	const items = first.flatMap(({ hit, score }) => {
		const text = reader.known(hit.id)?.text;
		return text === undefined ? [] : [{ hit, score, text }];
	});
	const ranked: readonly ScoredHit[] = await rerank(query, items, reranker, step);
	return [...ranked, ...candidates.slice(first.length)].sort((a, b) => b.score - a.score);
}

/** A further chunk of a document is shown if its score is at least this share of the best chunk's score. */
const furtherChunkShare = 0.3;

/** Groups chunks by document, in the order of their best chunks. */
function group(scored: readonly ScoredHit[], { chunkThreshold, documentThreshold, limit }: DocumentQuery): readonly Group[] {
	const groups = new Map<DocumentId, ScoredHit[]>();
	for (const each of scored) {
		if (each.score < chunkThreshold) continue;
		const hits = groups.get(each.hit.document);
		if (hits === undefined) groups.set(each.hit.document, [each]);
		else if (hits.length < limits.chunksPerDocumentReturnedMax && each.score >= furtherChunkShare * (hits[0]?.score ?? 0)) hits.push(each);
	}
	return [...groups]
		.map(([id, hits]) => ({ id, hits }))
		.filter(({ hits }) => (hits[0]?.score ?? 0) >= documentThreshold)
		.slice(0, limit);
}
