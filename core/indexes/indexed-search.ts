/**
 * Nearest neighbours by way of a vector index: it answers candidates, the store says which of them are there and in scope, and
 * the scores are computed here. What the index does not hold yet is compared directly, and so is a scope that holds little.
 */

import { fail } from "../errors/fail.ts";
import type { ChunkId, MemoryId } from "../model/id.ts";
import { isUnrestricted, type Scope, wholeOrganisation } from "../model/scope.ts";
import { cosine, type Vector, vectorFault } from "../model/vector.ts";
import type { VectorIndex } from "../plugin/contract.ts";
import type { ChunkHit, Hit, MemoryFilter, VectorSearch } from "../ports/vector-search.ts";
import type { VectorSource } from "../ports/vector-source.ts";
import type { Log } from "../ports/world.ts";
import type { CollectionAddress, Collections } from "./collections.ts";

export interface IndexedSearchParts extends Omit<CollectionAddress, "kind"> {
	readonly filters: VectorIndex["filters"];
	readonly collections: Collections;
	readonly source: VectorSource;
	/** Answers while the index is far behind, or fails. */
	readonly own: VectorSearch;
	readonly log: Log;
}

/** A scope with no more texts than this is compared whole: about 10 ms with their vectors read. */
const comparedMax = 2_000;
/** So many ids are handed to an index that filters by them. */
const allowedMax = 50_000;
/** Texts that no index holds yet are read in pages; with more of them the storage's own search is quicker. */
const freshPage = 500;
const freshMax = 2_000;
/** Asked for at first, for each result and at least; then four times as many until enough of them may be seen. */
const candidatesPerResult = 2;
const candidatesMin = 64;
const furtherFactor = 4;

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
	/** Whether the scope is all that narrows the search. */
	readonly list: (most: number) => Promise<readonly string[] | null>;
	/** Those of them that may be seen. */
	readonly check: (ids: readonly string[]) => Promise<readonly Entry[]>;
}

type Ranked<Entry> = Entry & { readonly score: number };

export function indexedSearch(parts: IndexedSearchParts): VectorSearch {
	const { organisation, space, source, own, log } = parts;

	/** Null where the storage's own search is to answer. */
	async function nearest<Entry extends Compared>(asked: Asked<Entry>): Promise<readonly Ranked<Entry>[] | null> {
		const fault = vectorFault(asked.query, space);
		if (fault !== null) throw fail("EMBEDDING_MALFORMED", space.name, fault);
		if (asked.limit <= 0) return [];
		if (!isUnrestricted(asked.scope)) {
			const few = await asked.list(comparedMax);
			if (few !== null) return rank(await asked.check(few), asked.query, asked.limit);
		}
		return fromIndex(asked, parts).catch((thrown: unknown) => {
			log("warn", "a vector index could not answer; the storage answers in its place", { reason: String(thrown), organisation });
			return null;
		});
	}

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
		nearestMemories: async (query, grants, limit) => {
			const found = await nearest({
				...{ kind: "memory", query, scope: grants.scope, limit },
				list: (most) => source.listMemories(grants, most),
				check: (ids) => source.memoriesIn(ids as readonly MemoryId[], grants),
			});
			if (found === null) return own.nearestMemories(query, grants, limit);
			return found.map(({ id, score }): Hit<MemoryId> => ({ id, score }));
		},
		chunkCosines: async (query, ids) => new Map((await source.chunksIn(ids, wholeOrganisation)).map(({ id, vector }) => [id, cosine(query, vector)])),
		chunkVectors: async (ids) => new Map((await source.chunksIn(ids, wholeOrganisation)).map(({ id, vector }) => [id, vector])),
		memoryVectors: async (ids) => new Map((await source.memoriesIn(ids, everyMemory)).map(({ id, vector }) => [id, vector])),
	};
}

async function fromIndex<Entry extends Compared>(asked: Asked<Entry>, parts: IndexedSearchParts): Promise<readonly Ranked<Entry>[] | null> {
	const { kind, query, scope, limit, list, check } = asked;
	const state = await parts.collections.state({ ...parts, kind });
	// Taken together, and before the index is asked: what it holds then is all up to here, or more.
	const { position, generation, collection, isBehind } = state;
	if (isBehind) return null;
	const fresh = await freshSince(parts.source, kind, position);
	if (fresh === null) return null;
	const freshest = rank(fresh, query, fresh.length);
	const isListed = parts.filters === "allowed-ids" && !isUnrestricted(scope);
	// A memory is in one container, so for memories it is always any.
	const tagsMatch = kind === "memory" ? "any" : scope.tagsMatch;
	const within = { containerTags: parts.filters === "payload" ? scope.containerTags : [], tagsMatch, allowedIds: isListed ? await list(allowedMax) : null };
	const seen = new Map<string, Entry>();
	const asks = new Set<string>();
	for (let grants = Math.max(limit * candidatesPerResult, candidatesMin); ; grants *= furtherFactor) {
		const ids = collection === null ? [] : await collection.nearest(query, grants, within);
		if (state.generation !== generation) return null;
		const candidates = [...ids, ...freshest.slice(0, grants).map(({ id }) => id)];
		const unasked = new Set(candidates.filter((id) => !asks.has(id)));
		for (const id of unasked) asks.add(id);
		for (const entry of await check([...unasked])) seen.set(entry.id, entry);
		const isExhausted = ids.length < grants && freshest.length <= grants;
		if (seen.size >= limit || isExhausted) return rank([...seen.values()], query, limit);
	}
}

/** What has been written since, in no order; null when it is a great deal, or no longer known. */
async function freshSince(source: VectorSource, kind: CollectionAddress["kind"], from: string | null): Promise<readonly Compared[] | null> {
	const fresh = new Map<string, Compared>();
	for (let position = from; ; ) {
		const changes = await source.changesSince(kind, position, freshPage);
		if (changes === null) return null;
		for (const entry of changes.put) fresh.set(entry.id, entry);
		if (changes.isAtEnd) return [...fresh.values()];
		if (fresh.size > freshMax) return null;
		position = changes.position;
	}
}

function rank<Entry extends Compared>(entries: readonly Entry[], query: Vector, limit: number): readonly Ranked<Entry>[] {
	return entries
		.map((entry) => ({ ...entry, score: cosine(query, entry.vector) }))
		.sort((a, b) => b.score - a.score)
		.slice(0, limit);
}
