/**
 * Nearest neighbours by way of a vector index: the index answers candidates, the store says which of them exist and are in scope,
 * and the scores are computed here. Texts that the index does not contain yet are compared directly, and so is a small scope.
 */

import { fail } from "../errors/fail.ts";
import type { ChunkId, MemoryId } from "../model/id.ts";
import { isUnrestricted, type Scope, wholeOrganisation } from "../model/scope.ts";
import { cosine, type EmbeddingSpace, type Vector, vectorFault } from "../model/vector.ts";
import type { VectorCollection, VectorIndex } from "../plugin/contract.ts";
import type { VectorSource } from "../ports/index-source.ts";
import type { ChunkHit, Hit, MemoryFilter, VectorSearch } from "../ports/vector-search.ts";
import type { Log } from "../ports/world.ts";
import { allowedMax, freshSince, listedMax, visibleCandidates } from "./candidates.ts";
import type { CollectionAddress, Collections } from "./collections.ts";
import { nearest as nearestOf } from "./direct-search.ts";

export interface IndexedVectorsParts extends Omit<CollectionAddress, "kind"> {
	readonly space: EmbeddingSpace;
	readonly filters: VectorIndex["filters"];
	readonly collections: Collections<VectorCollection>;
	readonly source: VectorSource;
	/** Answers while the index is far behind, or fails. */
	readonly own: VectorSearch;
	readonly log: Log;
}

/** With more texts than this that no index holds yet the storage's own search is quicker. */
const freshMax = 2_000;

const everyMemory: MemoryFilter = { scope: wholeOrganisation, includeForgotten: true, now: new Date(0) };

interface Compared {
	readonly id: string;
	readonly vector: Vector;
}

interface Asked<Entry extends Compared> {
	readonly kind: CollectionAddress["kind"];
	readonly query: Vector;
	readonly scope: Scope;
	readonly limit: number;
	readonly list: (most: number) => Promise<readonly string[] | null>;
	/** Those of them that may be seen. */
	readonly check: (ids: readonly string[]) => Promise<readonly Entry[]>;
}

type Ranked<Entry> = Entry & { readonly score: number };

export function indexedVectors(parts: IndexedVectorsParts): VectorSearch {
	const { organisation, space, source, own, log } = parts;

	/** Null where the storage's own search is to answer. */
	async function nearest<Entry extends Compared>(asked: Asked<Entry>): Promise<readonly Ranked<Entry>[] | null> {
		const fault = vectorFault(asked.query, space);
		if (fault !== null) throw fail("EMBEDDING_MALFORMED", space.name, fault);
		if (asked.limit <= 0) return [];
		if (!isUnrestricted(asked.scope)) {
			const few = await asked.list(listedMax.vectors);
			if (few !== null) return nearestOf(asked.query, await asked.check(few), asked.limit);
		}
		return fromIndex(asked, parts).catch((thrown: unknown) => {
			log("warn", "a vector index could not answer; the storage answers in its place", { reason: String(thrown), organisation });
			return null;
		});
	}

	const nearestMemories: VectorSearch["nearestMemories"] = async (query, within, limit) => {
		const found = await nearest({
			...{ kind: "memory", query, scope: within.scope, limit },
			list: (most) => source.listMemories(within, most),
			check: (ids) => source.memoriesIn(ids as readonly MemoryId[], within),
		});
		if (found === null) return own.nearestMemories(query, within, limit);
		return found.map(({ id, score }): Hit<MemoryId> => ({ id, score }));
	};

	return {
		nearestChunks: async (query, scope, limit) => {
			const found = await nearest({
				...{ kind: "chunk", query, scope, limit },
				list: (most) => source.listChunks(scope, most),
				check: (ids) => source.chunksIn(ids as readonly ChunkId[], scope),
			});
			if (found === null) return own.nearestChunks(query, scope, limit);
			return found.map(({ id, document, position, score }): ChunkHit => ({ id, document, position, score }));
		},
		nearestMemories,
		nearestMemoriesOfEach: (queries, within, limit) => Promise.all(queries.map((query) => nearestMemories(query, within, limit))),
		chunkCosines: async (query, ids) => new Map((await source.chunksIn(ids, wholeOrganisation)).map(({ id, vector }) => [id, cosine(query, vector)])),
		chunkVectors: async (ids) => new Map((await source.chunksIn(ids, wholeOrganisation)).map(({ id, vector }) => [id, vector])),
		memoryVectors: async (ids) => new Map((await source.memoriesIn(ids, everyMemory)).map(({ id, vector }) => [id, vector])),
	};
}

async function fromIndex<Entry extends Compared>(asked: Asked<Entry>, parts: IndexedVectorsParts): Promise<readonly Ranked<Entry>[] | null> {
	const { kind, query, scope, limit, list, check } = asked;
	const state = await parts.collections.state({ ...parts, kind });
	// Taken together, and before the index is asked: what it holds then is all up to here, or more.
	const { position, generation, collection, isBehind } = state;
	const fresh = isBehind ? null : await freshSince(parts.source, kind, position, freshMax);
	if (fresh === null) return null;
	const isListed = parts.filters === "allowed-ids" && !isUnrestricted(scope);
	const within = {
		containerTags: parts.filters === "payload" ? scope.containerTags : [],
		// A memory is in one container, so for memories it is always any.
		tagsMatch: kind === "memory" ? ("any" as const) : scope.tagsMatch,
		allowedIds: isListed ? await list(allowedMax) : null,
	};
	const freshest = nearestOf(
		query,
		Array.from(fresh, ([id, { vector }]) => ({ id, vector })),
		fresh.size,
	).map(({ id }) => id);
	const ask = async (count: number) => (collection === null ? [] : collection.nearest(query, count, within));
	const seen = await visibleCandidates({ state, generation, limit, ask, fresh: freshest, check });
	return seen === null ? null : nearestOf(query, seen, limit);
}
