/**
 * Adds the chunks before and after the best ones as candidates, if neither words nor vectors have found them: in a chat, the answer to a
 * question often shares no word with it.
 */

import type { DocumentId } from "../model/id.ts";
import { cosine, type EmbeddingSpace } from "../model/vector.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { ChunkHit } from "../ports/vector-search.ts";
import type { Candidate } from "../ranking/fuse.ts";
import { relevance } from "../ranking/relevance.ts";

/** @returns only what is new, each compared with the query variant that found its neighbour. */
export async function addNeighbours(
	candidates: readonly Candidate<ChunkHit>[],
	count: number,
	tenant: TenantStore,
	space: EmbeddingSpace,
): Promise<readonly Candidate<ChunkHit>[]> {
	const wanted = wantedPlaces(candidates, count);
	if (wanted.size === 0) return [];
	const chunks = await tenant.documents.chunksAt(new Map([...wanted].map(([document, places]) => [document, [...places.keys()]])));
	if (chunks.length === 0) return [];
	const vectors = await tenant.vectors(space).chunkVectors(chunks.map(({ id }) => id));
	return chunks.flatMap(({ id, document, position }) => {
		const variant = wanted.get(document)?.get(position);
		if (variant === undefined) return [];
		const vector = vectors.get(id);
		const similarity = vector === undefined || variant.vector === null ? null : cosine(variant.vector, vector);
		const evidence = { words: 0, cosine: similarity };
		return [{ hit: { id, document, position, score: similarity ?? 0 }, evidence, variant, score: variant.trust * relevance(evidence, space) }];
	});
}

/** The positions before and after the best chunks, by document, with the query variant that found the chunk. */
function wantedPlaces(candidates: readonly Candidate<ChunkHit>[], count: number): ReadonlyMap<DocumentId, ReadonlyMap<number, Candidate<ChunkHit>["variant"]>> {
	const known = new Set(candidates.map(({ hit }) => placeOf(hit)));
	const wanted = new Map<DocumentId, Map<number, Candidate<ChunkHit>["variant"]>>();
	for (const { hit, variant } of candidates.slice(0, count)) {
		for (const position of [hit.position - 1, hit.position + 1]) {
			if (position < 0 || known.has(placeOf({ document: hit.document, position }))) continue;
			const places = wanted.get(hit.document) ?? new Map<number, Candidate<ChunkHit>["variant"]>();
			if (!places.has(position)) places.set(position, variant);
			wanted.set(hit.document, places);
		}
	}
	return wanted;
}

function placeOf({ document, position }: Pick<ChunkHit, "document" | "position">): string {
	return `${document} ${position}`;
}
