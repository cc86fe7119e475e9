/** Step two of a search: gets candidates for each query variant from the vector index and the word index, without waiting for texts that are not indexed yet. */

import type { ChunkId, MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Scope } from "../model/scope.ts";
import { cosine, type EmbeddingSpace, type Vector } from "../model/vector.ts";
import type { Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { ChunkHit, Hit, MemoryFilter } from "../ports/vector-search.ts";
import type { Matched, QueryTerm, WordSearch } from "../ports/word-search.ts";
import { amongTurns, type Candidate, fuse, mixNeighbours } from "../ranking/fuse.ts";
import type { QueryVariant } from "../ranking/query-variant.ts";
import type { Evidence } from "../ranking/relevance.ts";
import { addNeighbours } from "./add-neighbours.ts";

export interface Retrieved<AnyHit> {
	readonly candidates: readonly Candidate<AnyHit>[];
	/** Whether a greater limit would find nothing more. */
	readonly isExhausted: boolean;
	/** The greatest possible scores of anything that was not found, by query variant. */
	readonly unseen: readonly Unseen[];
}

/** The scores of the last hits of both indexes for a query variant: what was not found scores no higher. */
export interface Unseen extends Pick<Evidence, "words" | "cosine"> {
	readonly variant: QueryVariant;
}

/** The scores do not include the chunks around each candidate yet, see `mixNeighbours`. */
export async function retrieveChunks(
	variants: readonly QueryVariant[],
	scope: Scope,
	limit: number,
	tenant: TenantStore,
	space: EmbeddingSpace,
): Promise<Retrieved<ChunkHit>> {
	const index = tenant.vectors(space);
	return retrieve<ChunkId, ChunkHit>(variants, limit, space, {
		byVector: (vector) => index.nearestChunks(vector, scope, limit),
		byWords: async (words, onCandidates) => (await tenant.words.matchChunks(words, scope, limit, undefined, onCandidates)).hits,
		cosinesOf: (vector, ids) => index.chunkCosines(vector, ids),
	});
}

/** For searches whose results are chunks. The chunks before and after the best `turns` candidates become candidates too, even if neither index has found them. */
export async function retrieveTurns(
	variants: readonly QueryVariant[],
	scope: Scope,
	limit: number,
	tenant: TenantStore,
	space: EmbeddingSpace,
	turns: number,
): Promise<readonly Candidate<ChunkHit>[]> {
	const { candidates } = await retrieveChunks(variants, scope, limit, tenant, space);
	const mixed = mixNeighbours(candidates, amongTurns, space);
	const beside = await addNeighbours(mixed, turns, tenant, space);
	return beside.length === 0 ? mixed : mixNeighbours([...candidates, ...beside], amongTurns, space);
}

export async function retrieveMemories(
	variants: readonly QueryVariant[],
	memoryFilter: MemoryFilter,
	limit: number,
	tenant: TenantStore,
	space: EmbeddingSpace,
): Promise<Retrieved<Hit<MemoryId>>> {
	const index = tenant.vectors(space);
	return retrieve<MemoryId, Hit<MemoryId>>(variants, limit, space, {
		byVector: (vector) => index.nearestMemories(vector, memoryFilter, limit),
		byWords: async (words) => (await tenant.words.matchMemories(words, memoryFilter, limit)).hits,
		cosinesOf: async (vector, ids) => {
			const vectors = await index.memoryVectors(ids);
			return new Map([...vectors].map(([id, stored]) => [id, cosine(vector, stored)]));
		},
	});
}

interface Legs<Id, AnyHit> {
	readonly byVector: (vector: Vector) => Promise<readonly AnyHit[]>;
	readonly byWords: (words: readonly QueryTerm[], onCandidates: (ids: readonly Id[]) => void) => Promise<readonly AnyHit[]>;
	readonly cosinesOf: (vector: Vector, ids: readonly Id[]) => Promise<ReadonlyMap<Id, number>>;
}

/** Also says of which there is none. */
async function cosinesOrNone<Id extends string, AnyHit>(
	vector: Vector,
	ids: readonly Id[],
	{ cosinesOf }: Legs<Id, AnyHit>,
): Promise<ReadonlyMap<Id, number | null>> {
	const found = await cosinesOf(vector, ids);
	return new Map(ids.map((id) => [id, found.get(id) ?? null]));
}

async function retrieve<Id extends string, AnyHit extends Hit<Id>>(
	variants: readonly QueryVariant[],
	limit: number,
	space: EmbeddingSpace,
	legs: Legs<Id, AnyHit>,
): Promise<Retrieved<AnyHit>> {
	const rankings = await Promise.all(
		variants.map(async (variant) => {
			const { vector, words } = variant;
			let early: Promise<ReadonlyMap<Id, number | null>> | null = null;
			// Of the first candidates alone: of further ones few are found. What fails is asked again once it is known what was found.
			const onCandidates = (ids: readonly Id[]) => {
				if (vector !== null) early ??= cosinesOrNone(vector, ids, legs).catch(() => new Map());
			};
			// The word search begins first, because it runs in another thread while this one compares vectors.
			const [wordHits, vectorHits] = await Promise.all([
				words.length > 0 ? legs.byWords(words, onCandidates) : [],
				vector === null ? [] : legs.byVector(vector),
			]);
			const cosines = new Map(vectorHits.map(({ id, score }) => [id, score]));
			const wordOnly = wordHits.map(({ id }) => id).filter((id) => !cosines.has(id));
			const known: ReadonlyMap<Id, number | null> = wordOnly.length === 0 || early === null ? new Map() : await early;
			const unknown = wordOnly.filter((id) => !known.has(id));
			const late = vector === null || unknown.length === 0 ? null : await legs.cosinesOf(vector, unknown);
			for (const id of wordOnly) {
				const similarity = known.get(id) ?? late?.get(id) ?? null;
				if (similarity !== null) cosines.set(id, similarity);
			}
			return { variant, vectorHits, wordHits, cosines };
		}),
	);
	return {
		candidates: fuse(rankings, space),
		isExhausted: rankings.every(({ vectorHits, wordHits }) => vectorHits.length < limit && wordHits.length < limit),
		unseen: rankings.map(({ variant, vectorHits, wordHits }) => ({ variant, words: least(wordHits, limit) ?? 0, cosine: least(vectorHits, limit) })),
	};
}

/** The score of the last hit; null if there are no further ones. */
function least(hits: readonly Hit<string>[], limit: number): number | null {
	return hits.length < limit ? null : (hits.at(-1)?.score ?? null);
}

/**
 * Runs a search that does not wait until the word index has all texts: it finds the others by their vectors alone. This is reported in the
 * log and in an explanation. A search a moment later finds them by words too.
 */
export async function whileUnread<Found>(
	tenant: TenantStore,
	search: (tenant: TenantStore) => Promise<Found>,
	step: Step,
	onUnread: () => void,
): Promise<Found> {
	let areUnread = false;
	const words = wordsInTime(tenant.words, () => {
		areUnread = true;
	});
	const found = await search({ ...tenant, words });
	if (!areUnread) return found;
	step.log("info", "a search is answered before all words are read: the rest is found by vectors alone");
	onUnread();
	return found;
}

function wordsInTime(inner: WordSearch, onUnread: () => void): WordSearch {
	const noted = async <Found>(matching: Promise<Matched<Found>>): Promise<Matched<Found>> => {
		const matched = await matching;
		if (!matched.isWhole) onUnread();
		return matched;
	};
	return {
		matchChunks: (words, scope, limit, _waitMs, onCandidates) => noted(inner.matchChunks(words, scope, limit, limits.wordSearchTimeoutMs, onCandidates)),
		matchMemories: (words, memoryFilter, limit) => noted(inner.matchMemories(words, memoryFilter, limit, limits.wordSearchTimeoutMs)),
	};
}
