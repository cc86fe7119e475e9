/** Search, step two: vectors and words, side by side, for every phrasing. */

import type { ChunkId, MemoryId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import { cosine, type Vector, type VectorSpace } from "../model/vector.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { ChunkHit, Hit, MemoryReach } from "../ports/vector-index.ts";
import type { Sought } from "../ports/word-index.ts";
import { drawNeighbours } from "./draw-neighbours.ts";
import { type Candidate, fuse } from "./fuse.ts";
import { amongTurns, mixNeighbours } from "./mix-neighbours.ts";
import type { Phrasing } from "./phrase.ts";
import type { Evidence } from "./relevance.ts";

export interface Gathered<Found> {
	readonly candidates: readonly Candidate<Found>[];
	/** Whether asking for more could bring more. */
	readonly isExhausted: boolean;
	/** What anything that was not found may say of itself at most. */
	readonly unseen: readonly Unseen[];
}

/** No better than the last that either leg has found for this phrasing. */
export interface Unseen extends Pick<Evidence, "words" | "cosine"> {
	readonly phrasing: Phrasing;
}

/** As they were found: what stands around them is not counted yet. */
export async function gatherChunks(
	phrasings: readonly Phrasing[],
	scope: Scope,
	limit: number,
	rooms: OrganisationRooms,
	space: VectorSpace,
): Promise<Gathered<ChunkHit>> {
	const index = rooms.vectors(space);
	return gather<ChunkId, ChunkHit>(phrasings, limit, space, {
		byVector: (vector) => index.nearestChunks(vector, scope, limit),
		byWords: (words) => rooms.words.matchChunks(words, scope, limit),
		cosinesOf: (vector, ids) => index.chunkCosines(vector, ids),
	});
}

/** Where chunks are the results: those before and after the best `turns` are candidates too, found or not. */
export async function gatherTurns(
	phrasings: readonly Phrasing[],
	scope: Scope,
	limit: number,
	rooms: OrganisationRooms,
	space: VectorSpace,
	turns: number,
): Promise<readonly Candidate<ChunkHit>[]> {
	const { candidates } = await gatherChunks(phrasings, scope, limit, rooms, space);
	const mixed = mixNeighbours(candidates, amongTurns, space);
	const strangers = await drawNeighbours(mixed, turns, rooms, space);
	return strangers.length === 0 ? mixed : mixNeighbours([...candidates, ...strangers], amongTurns, space);
}

export async function gatherMemories(
	phrasings: readonly Phrasing[],
	reach: MemoryReach,
	limit: number,
	rooms: OrganisationRooms,
	space: VectorSpace,
): Promise<Gathered<Hit<MemoryId>>> {
	const index = rooms.vectors(space);
	return gather<MemoryId, Hit<MemoryId>>(phrasings, limit, space, {
		byVector: (vector) => index.nearestMemories(vector, reach, limit),
		byWords: (words) => rooms.words.matchMemories(words, reach, limit),
		cosinesOf: async (vector, ids) => {
			const vectors = await index.memoryVectors(ids);
			return new Map([...vectors].map(([id, stored]) => [id, cosine(vector, stored)]));
		},
	});
}

interface Legs<Id, Found> {
	readonly byVector: (vector: Vector) => Promise<readonly Found[]>;
	readonly byWords: (words: readonly Sought[]) => Promise<readonly Found[]>;
	readonly cosinesOf: (vector: Vector, ids: readonly Id[]) => Promise<ReadonlyMap<Id, number>>;
}

async function gather<Id extends string, Found extends Hit<Id>>(
	phrasings: readonly Phrasing[],
	limit: number,
	space: VectorSpace,
	legs: Legs<Id, Found>,
): Promise<Gathered<Found>> {
	const rankings = await Promise.all(
		phrasings.map(async (phrasing) => {
			// The words first: another thread may look for them while this one compares vectors.
			const [worded, near] = await Promise.all([
				phrasing.words.length > 0 ? legs.byWords(phrasing.words) : [],
				phrasing.vector === null ? [] : legs.byVector(phrasing.vector),
			]);
			const cosines = new Map(near.map(({ id, score }) => [id, score]));
			const wordOnly = worded.map(({ id }) => id).filter((id) => !cosines.has(id));
			if (phrasing.vector !== null && wordOnly.length > 0) {
				for (const [id, similarity] of await legs.cosinesOf(phrasing.vector, wordOnly)) cosines.set(id, similarity);
			}
			return { phrasing, near, worded, cosines };
		}),
	);
	return {
		candidates: fuse(rankings, space),
		isExhausted: rankings.every(({ near, worded }) => near.length < limit && worded.length < limit),
		unseen: rankings.map(({ phrasing, near, worded }) => ({ phrasing, words: least(worded, limit) ?? 0, cosine: least(near, limit) })),
	};
}

/** The score of the last; null where there are no others. */
function least(hits: readonly Hit<string>[], limit: number): number | null {
	return hits.length < limit ? null : (hits.at(-1)?.score ?? null);
}
