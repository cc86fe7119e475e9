/** For scopes with few documents: the documents are listed, so that a search need not retrieve more and more chunks to find them all. */

import type { DocumentId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { EmbeddingSpace } from "../model/vector.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { ChunkHit } from "../ports/vector-search.ts";
import { byRelevance, type Candidate } from "../ranking/fuse.ts";
import { relevance } from "../ranking/relevance.ts";
import type { Retrieved } from "./retrieve.ts";

/** The published documents in scope. @returns null if there are more than `fewMax` */
export async function fewDocuments(scope: Scope, fewMax: number, { list }: Pick<DocumentStore, "list">): Promise<readonly DocumentId[] | null> {
	const { documents, total } = await list(scope, documentStatuses, { offset: 0, limit: fewMax, sort: "createdAt", order: "desc" }, false);
	if (total > documents.length) return null;
	return documents.flatMap(({ id, publishedRevision }) => (publishedRevision === null ? [] : [id]));
}

/** The documents whose best chunk may not be among the candidates, because a chunk that was not found may score as high. */
export function uncertainAmong(
	documents: readonly DocumentId[],
	{ candidates, unseen }: Retrieved<ChunkHit>,
	isExact: boolean,
	space: EmbeddingSpace,
): readonly DocumentId[] {
	const most = Math.max(...unseen.map(({ variant, words, cosine }) => variant.trust * relevance({ words, cosine, exact: isExact ? 1 : 0 }, space)));
	const certain = new Set(candidates.flatMap(({ hit, score }) => (score >= most ? [hit.document] : [])));
	return documents.filter((id) => !certain.has(id));
}

/** Joins candidates, best first. A chunk that was found several times is kept once, with its best score. */
export function united(found: readonly (readonly Candidate<ChunkHit>[])[]): readonly Candidate<ChunkHit>[] {
	const best = new Map<string, Candidate<ChunkHit>>();
	for (const candidate of found.flat().sort(byRelevance)) if (!best.has(candidate.hit.id)) best.set(candidate.hit.id, candidate);
	return [...best.values()];
}
