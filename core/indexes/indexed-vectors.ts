/**
 * Vector search through a vector index: the index returns candidates, the store says which of them exist and are in scope,
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
import { allowedIdsMax, changedSince, directTextsMax, firstCandidates, visibleCandidates } from "./candidates.ts";
import type { CollectionAddress, Collections } from "./collections.ts";
import { nearest as nearestOf } from "./direct-search.ts";
import { type ReadContents, readingOnce } from "./read-contents.ts";

export interface IndexedVectorsParts extends Omit<CollectionAddress, "kind"> {
	readonly space: EmbeddingSpace;
	readonly filters: VectorIndex["filters"];
	readonly collections: Collections<VectorCollection>;
	readonly source: VectorSource;
	readonly contents: ReadContents<{ readonly vector: Vector }>;
	/** The storage's own search, used while the index is far behind or fails. */
	readonly fallback: VectorSearch;
	readonly log: Log;
}

/** If the index lacks more texts than this, the storage's own search is faster. */
const unindexedMax = 2_000;

const everyMemory: MemoryFilter = { scope: wholeOrganisation, includeForgotten: true, now: new Date(0) };

interface IdentifiedVector {
	readonly id: string;
	readonly vector: Vector;
}

interface NearestRequest<Entry extends IdentifiedVector> {
	readonly kind: CollectionAddress["kind"];
	readonly query: Vector;
	readonly scope: Scope;
	readonly limit: number;
	/** The ids of all texts in scope; null if there are more than `most`. */
	readonly list: (most: number) => Promise<readonly string[] | null>;
	/** Returns the texts that exist and are in scope. */
	readonly check: (ids: readonly string[]) => Promise<readonly Entry[]>;
}

type Ranked<Entry> = Entry & { readonly score: number };

export function indexedVectors(parts: IndexedVectorsParts): VectorSearch {
	const { organisation, space, contents, fallback, log } = parts;
	const source = readingOnce(parts.source, contents);

	/** @returns null if the storage's own search should answer. */
	async function nearest<Entry extends IdentifiedVector>(request: NearestRequest<Entry>): Promise<readonly Ranked<Entry>[] | null> {
		const fault = vectorFault(request.query, space);
		if (fault !== null) throw fail("EMBEDDING_MALFORMED", space.name, fault);
		if (request.limit <= 0) return [];
		if (!isUnrestricted(request.scope)) {
			const ids = await request.list(directTextsMax.vectors);
			if (ids !== null) return nearestOf(request.query, await request.check(ids), request.limit);
		}
		return fromIndex(request, parts).catch((thrown: unknown) => {
			log("warn", "a vector index could not answer; the storage answers instead", { reason: String(thrown), organisation });
			return null;
		});
	}

	const nearestMemories: VectorSearch["nearestMemories"] = async (query, within, limit) => {
		const found = await nearest({
			...{ kind: "memory", query, scope: within.scope, limit },
			list: (most) => source.listMemories(within, most),
			check: (ids) => source.memoriesIn(ids as readonly MemoryId[], within),
		});
		if (found === null) return fallback.nearestMemories(query, within, limit);
		return found.map(({ id, score }): Hit<MemoryId> => ({ id, score }));
	};

	return {
		nearestChunks: async (query, scope, limit) => {
			const found = await nearest({
				...{ kind: "chunk", query, scope, limit },
				list: (most) => source.listChunks(scope, most),
				check: (ids) => source.chunksIn(ids as readonly ChunkId[], scope),
			});
			if (found === null) return fallback.nearestChunks(query, scope, limit);
			return found.map(({ id, document, position, score }): ChunkHit => ({ id, document, position, score }));
		},
		nearestMemories,
		nearestMemoriesOfEach: (queries, within, limit) => Promise.all(queries.map((query) => nearestMemories(query, within, limit))),
		chunkCosines: async (query, ids) => {
			// Where a search asks after the store has said that these chunks exist, those that were read are not looked up.
			const known = contents.of(ids);
			const unread = ids.filter((id) => !known.has(id));
			const read = unread.length === 0 ? [] : await source.chunksIn(unread, wholeOrganisation);
			const vectors = new Map<string, Vector>(read.map(({ id, vector }) => [id, vector]));
			return new Map(
				ids.flatMap((id) => {
					const vector = known.get(id)?.vector ?? vectors.get(id);
					return vector === undefined ? [] : [[id, cosine(query, vector)] as const];
				}),
			);
		},
		chunkVectors: async (ids) => new Map((await source.chunksIn(ids, wholeOrganisation)).map(({ id, vector }) => [id, vector])),
		memoryVectors: async (ids) => new Map((await source.memoriesIn(ids, everyMemory)).map(({ id, vector }) => [id, vector])),
	};
}

async function fromIndex<Entry extends IdentifiedVector>(request: NearestRequest<Entry>, parts: IndexedVectorsParts): Promise<readonly Ranked<Entry>[] | null> {
	const { kind, query, scope, limit, list, check } = request;
	const state = await parts.collections.state({ ...parts, kind });
	// Read at the same time, and before the index is asked: it then contains at least all changes up to this position.
	const { position, generation, collection, isBehind } = state;
	if (isBehind) return null;
	const needsIds = parts.filters === "allowed-ids" && !isUnrestricted(scope);
	const indexFilter = {
		containerTags: parts.filters === "payload" ? scope.containerTags : [],
		// A memory is in one container only, so matching all tags would find none.
		tagsMatch: kind === "memory" ? ("any" as const) : scope.tagsMatch,
		allowedIds: needsIds ? await list(allowedIdsMax) : null,
	};
	const ask = async (count: number) => (collection === null ? [] : collection.nearest(query, count, indexFilter));
	const [unindexed, first] = await Promise.all([changedSince(parts.source, kind, position, unindexedMax), ask(firstCandidates(limit))]);
	if (unindexed === null) return null;
	const unindexedIds = nearestOf(
		query,
		Array.from(unindexed, ([id, { vector }]) => ({ id, vector })),
		unindexed.size,
	).map(({ id }) => id);
	const found = await visibleCandidates({ state, generation, limit, ask, first, unindexed: unindexedIds, check });
	return found === null ? null : nearestOf(query, found, limit);
}
