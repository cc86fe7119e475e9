/** The flow of `/v3/search`: phrase → gather → fuse → rerank → group → widen → fetch. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { ChunkId, DocumentId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Scope } from "../model/scope.ts";
import type { Embedder, QueryRewriter, Reranker, Step } from "../plugin/contract.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { ChunkHit } from "../ports/vector-index.ts";
import { exactParts } from "./exact.ts";
import { byRelevance, type Candidate } from "./fuse.ts";
import { gatherChunks } from "./gather.ts";
import { type Phrasing, phrase } from "./phrase.ts";
import { rerank } from "./rerank.ts";
import { sharpen } from "./sharpen.ts";
import type { Judged, Trace } from "./trace.ts";
import { whileUnread } from "./while-unread.ts";
import { type ShownChunk, widen } from "./widen.ts";

export interface DocumentQuery {
	/** `*` finds everything, newest first. */
	readonly query: string;
	readonly scope: Scope;
	readonly limit: number;
	readonly chunkThreshold: number;
	readonly documentThreshold: number;
	readonly onlyMatchingChunks: boolean;
	readonly rerank: boolean;
	readonly rewriteQuery: boolean;
	/** Whether the documents come with their texts; long ones are left out even then. */
	readonly includeContent?: boolean;
}

export interface FoundDocument {
	readonly document: Document;
	/** That of its best chunk. */
	readonly score: number;
	readonly chunks: readonly ShownChunk[];
}

export interface SearchParts {
	readonly rooms: OrganisationRooms;
	readonly embedder: Embedder;
	readonly reranker: Reranker;
	readonly queryRewriters: readonly QueryRewriter[];
}

export async function searchDocuments(query: DocumentQuery, parts: SearchParts, step: Step, trace?: Trace): Promise<readonly FoundDocument[]> {
	if (query.query.trim() === "*") return everything(query, parts);
	const phrasings = await phrase(query.query, query.rewriteQuery ? parts.queryRewriters : [], parts.embedder, step);
	trace?.phrased(phrasings);
	const groups = await whileUnread(parts.rooms, (rooms) => findGroups(query, phrasings, { ...parts, rooms }, step, trace), step, trace);
	const ids = groups.map(({ id }) => id);
	const documents = new Map((await parts.rooms.documents.getMany(ids, query.includeContent === true)).map((document) => [document.id, document]));
	const found: FoundDocument[] = [];
	for (const { id, chunks } of groups) {
		const document = documents.get(id);
		const score = chunks[0]?.score;
		if (document === undefined || score === undefined) continue;
		found.push({ document, score, chunks: query.onlyMatchingChunks ? chunks : await widen(id, chunks, parts.rooms.documents) });
	}
	return found;
}

interface Group {
	readonly id: DocumentId;
	/** Best first, not empty. */
	readonly chunks: readonly ShownChunk[];
}

/** Widens the search until enough documents are found or there is nothing more to find: many chunks may be of one document. */
async function findGroups(query: DocumentQuery, phrasings: readonly Phrasing[], parts: SearchParts, step: Step, trace?: Trace): Promise<readonly Group[]> {
	const exact = exactParts(query.query);
	const mayRise = query.rerank || exact.length > 0;
	for (let reach = query.limit * limits.candidatesPerResult; ; reach *= limits.candidatesPerResult) {
		const limit = Math.min(Math.max(reach, limits.candidatesMin), limits.candidatesMax);
		const { candidates, isExhausted } = await gatherChunks(phrasings, query.scope, limit, parts.rooms, parts.embedder.space);
		const promising = mayRise ? candidates : candidates.filter(({ score }) => score >= query.chunkThreshold);
		const { chunks, sharpened } = await readChunks(promising, exact, parts);
		const shown = sharpened.flatMap(({ hit, score, evidence: { words } }) => {
			const chunk = chunks.get(hit.id);
			return chunk === undefined ? [] : [{ chunk, text: chunk.text, score, words, isRelevant: true }];
		});
		const ranked = query.rerank ? await rerank(query.query, shown, parts.reranker, step) : shown;
		const compared = mayRise ? sharpened : candidates;
		trace?.gathered(compared);
		trace?.judged(query.rerank ? ranked.map(judgedChunk) : compared.map(({ hit, score }) => ({ ...unranked, id: hit.id, document: hit.document, score })));
		const groups = group(ranked, query);
		const isBelowThreshold = (candidates.at(-1)?.score ?? 0) < query.chunkThreshold;
		if (groups.length >= query.limit || isExhausted || isBelowThreshold || limit >= limits.candidatesMax) return groups;
	}
}

/** Read and compared at once: the store gives way to others in between. Thousands are of one long document. */
const chunksAtOnce = 200;

async function readChunks(candidates: readonly Candidate<ChunkHit>[], exact: readonly string[], { rooms, embedder }: SearchParts) {
	const chunks = new Map<ChunkId, Chunk>();
	const sharpened: Candidate<ChunkHit>[] = [];
	for (let start = 0; start < candidates.length; start += chunksAtOnce) {
		const part = candidates.slice(start, start + chunksAtOnce);
		for (const chunk of await rooms.documents.chunks(part.map(({ hit }) => hit.id))) chunks.set(chunk.id, chunk);
		sharpened.push(...sharpen(part, exact, (id) => chunks.get(id)?.text, embedder.space));
	}
	return { chunks, sharpened: exact.length === 0 ? sharpened : sharpened.sort(byRelevance) };
}

const unranked = { opinion: null, inference: 1 } as const;

function judgedChunk({ chunk, score, opinion }: ShownChunk & { readonly opinion?: number }): Judged {
	return { ...unranked, id: chunk.id, document: chunk.document, score, opinion: opinion ?? null };
}

/** A further chunk of a document is shown when it fits at least so well compared with the best: the rest is merely near. */
const furtherChunkShare = 0.3;

/** Chunks → documents, in the order of their best chunk. */
function group(chunks: readonly ShownChunk[], { chunkThreshold, documentThreshold, limit }: DocumentQuery): readonly Group[] {
	const groups = new Map<DocumentId, ShownChunk[]>();
	for (const { chunk, score, isRelevant } of chunks) {
		if (score < chunkThreshold) continue;
		const group = groups.get(chunk.document);
		if (group === undefined) groups.set(chunk.document, [{ chunk, score, isRelevant }]);
		else if (group.length < limits.chunksPerDocumentShownMax && score >= furtherChunkShare * (group[0]?.score ?? 0)) group.push({ chunk, score, isRelevant });
	}
	return [...groups]
		.map(([id, shown]) => ({ id, chunks: shown }))
		.filter(({ chunks: shown }) => (shown[0]?.score ?? 0) >= documentThreshold)
		.slice(0, limit);
}

/** Everything in scope, newest first, each with its first chunk; nothing was compared, so everything fits. */
async function everything(
	{ scope, limit, onlyMatchingChunks, includeContent = false }: DocumentQuery,
	{ rooms }: SearchParts,
): Promise<readonly FoundDocument[]> {
	const { documents } = await rooms.documents.list(scope, ["done"], { offset: 0, limit, sort: "createdAt", order: "desc" }, includeContent);
	return Promise.all(
		documents.map(async (document) => {
			const chunks = await rooms.documents.chunksAt(document.id, onlyMatchingChunks ? [0] : [0, 1]);
			return { document, score: 1, chunks: chunks.map((chunk) => ({ chunk, score: chunk.position === 0 ? 1 : 0, isRelevant: chunk.position === 0 })) };
		}),
	);
}
