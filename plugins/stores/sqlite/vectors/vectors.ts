/**
 * The vector search. The tables are the source of truth. What is in memory and in index files only finds candidates faster, so it may
 * be stale, damaged or missing without making a result wrong.
 *
 * Vectors are grouped in partitions: one per organisation, space and kind. A partition keeps all its vectors in memory as 8-bit
 * numbers, read from an index file or from the tables, and topped up by key before each search. Small partitions and small
 * scopes are scanned exactly; large ones by their signs. See `vectors/nearest.ts` for how one search goes.
 */

import { cosine, type EmbeddingSpace, fail, type MemoryId, type OrganisationId, type Vector } from "cairn-memory";
import {
	type ChunkHit,
	type ChunkId,
	type DocumentId,
	type Hit,
	isUnrestricted,
	type MemoryFilter,
	type VectorSearch,
	vectorFault,
	wholeOrganisation,
} from "cairn-memory/stores";
import { chunkScope, memoryScope } from "../../sql/scopes/scope-sql.ts";
import { soundVector } from "../../sql/vectors.ts";
import { sweepFolder } from "../index-files/index-files.ts";
import { createMaintenance } from "./files/maintain-indexes.ts";
import type { VectorCandidate } from "./nearest.ts";
import { addressKey, type PartitionAddress, type VectorKind } from "./partition-address.ts";
import { containersOnly, type SearchScope } from "./scope-lists.ts";
import { VectorPartition } from "./vector-partition.ts";
import { vectorsOf } from "./vector-tables.ts";
import { createContext, type VectorsContext, type VectorsOptions } from "./vectors-context.ts";

export interface Vectors {
	/** The search in one space of an organisation. This is cheap, and may be called for every request. */
	readonly index: (organisation: OrganisationId, space: EmbeddingSpace) => VectorSearch;
	/** Builds missing and outdated indexes, and removes files that are not needed. There is one run at a time: a second call joins the first. */
	readonly maintain: (signal: AbortSignal) => Promise<void>;
	readonly close: () => Promise<void>;
}

export function openVectors(options: VectorsOptions): Vectors {
	const context = createContext(options);
	const partitions = new Partitions(context);
	const closing = new AbortController();
	let maintenance: Promise<void> | null = null;
	const swept = options.canBuild ? sweepFolder(context.folder, () => true) : Promise.resolve();
	swept.catch((error: unknown) => options.log("warn", "unfinished vector indexes could not be removed", { error: String(error) }));
	const maintain = createMaintenance(context, (address) => partitions.known(address));
	return {
		index: (organisation, space) => indexOf(organisation, space, partitions, context),
		maintain(signal) {
			maintenance ??= swept
				.then(() => maintain(AbortSignal.any([signal, closing.signal])))
				.finally(() => {
					maintenance = null;
				});
			return maintenance;
		},
		async close() {
			closing.abort();
			await swept.catch(() => undefined);
			await maintenance?.catch(() => undefined);
			await partitions.settle();
			context.close();
		},
	};
}

/** Includes forgotten memories, because a caller with the id of a memory may compare it. */
const everyMemory: MemoryFilter = { scope: wholeOrganisation, includeForgotten: true, now: new Date(0) };

function indexOf(organisation: OrganisationId, space: EmbeddingSpace, partitions: Partitions, context: VectorsContext): VectorSearch {
	const address = (kind: VectorKind): PartitionAddress => ({ kind, organisation, space });
	async function chunkVectors(ids: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, Vector>> {
		const [chunk, scope] = [address("chunk"), chunkScope(organisation, wholeOrganisation)];
		return soundVectors(ids, space, (part) => partitions.known(chunk)?.published(part) ?? vectorsOf(context.db(), chunk, part, scope));
	}

	return {
		async nearestChunks(query, scope, limit) {
			refuseInvalid(query, space);
			if (limit <= 0) return [];
			const searchScope = {
				rows: chunkScope(organisation, scope),
				isRestricted: !isUnrestricted(scope),
				name: JSON.stringify(scope),
				now: 0,
				containers: null,
			};
			const found = await partitions.use(address("chunk"), (partition) => partition.nearest({ query, searchScope, limit }));
			return found.map(({ id, document, position, score }): ChunkHit => ({ id: id as ChunkId, document: document as DocumentId, position, score }));
		},
		async nearestMemories(query, within, limit) {
			refuseInvalid(query, space);
			if (limit <= 0) return [];
			const searchScope = memoriesSearched(organisation, within);
			const found = await partitions.use(address("memory"), (partition) => partition.nearest({ query, searchScope, limit }));
			return found.map(memoryHit);
		},
		async nearestMemoriesOfEach(queries, within, limit) {
			for (const query of queries) refuseInvalid(query, space);
			if (limit <= 0) return queries.map(() => []);
			const searchScope = memoriesSearched(organisation, within);
			const found = await partitions.use(address("memory"), (partition) => partition.nearestOfEach({ queries, searchScope, limit }));
			return found.map((candidates) => candidates.map(memoryHit));
		},
		async chunkCosines(query, ids) {
			const cosines = new Map<ChunkId, number>();
			const partition = partitions.known(address("chunk"));
			for (let start = 0; partition !== null && start < ids.length; start += vectorsPerTurn) {
				const part = ids.slice(start, start + vectorsPerTurn);
				for (const [id, known] of partition.cosines(query, part) ?? []) cosines.set(id, known);
				if (part.length === vectorsPerTurn) await new Promise((resolve) => setImmediate(resolve));
			}
			// These are not in the partition yet, or no longer under their cached key.
			const missing = ids.filter((id) => !cosines.has(id));
			if (missing.length > 0) for (const [id, vector] of await chunkVectors(missing)) cosines.set(id, cosine(query, vector));
			return cosines;
		},
		chunkVectors,
		memoryVectors: async (ids) => soundVectors(ids, space, (part) => vectorsOf(context.db(), address("memory"), part, memoryScope(organisation, everyMemory))),
	};
}

function memoriesSearched(organisation: OrganisationId, within: MemoryFilter): SearchScope {
	const { scope, includeForgotten, now, moment } = within;
	const name = JSON.stringify([scope, includeForgotten, ...(moment === undefined ? [] : [moment])]);
	return { rows: memoryScope(organisation, within), isRestricted: !isUnrestricted(scope), name, now: now.getTime(), containers: containersOnly(within) };
}

function memoryHit({ id, score }: VectorCandidate): Hit<MemoryId> {
	return { id: id as MemoryId, score };
}

/** Throws for an invalid query: it could crash the native library, or make the order of results arbitrary. */
function refuseInvalid(query: Vector, space: EmbeddingSpace): void {
	const fault = vectorFault(query, space);
	if (fault !== null) throw fail("EMBEDDING_MALFORMED", space.name, fault);
}

/** Vectors that are read before other work may run, as in `chunks`. */
const vectorsPerTurn = 500;

type ReadVectors = (ids: readonly string[]) => readonly { readonly id: string; readonly vector: Uint8Array }[];

async function soundVectors<Id extends ChunkId | MemoryId>(ids: readonly Id[], space: EmbeddingSpace, read: ReadVectors): Promise<ReadonlyMap<Id, Vector>> {
	const vectors = new Map<Id, Vector>();
	for (let start = 0; start < ids.length; start += vectorsPerTurn) {
		const part = ids.slice(start, start + vectorsPerTurn);
		for (const { id, vector: bytes } of read(part)) {
			const vector = soundVector(bytes, space);
			if (vector) vectors.set(id as Id, vector);
		}
		if (part.length === vectorsPerTurn) await new Promise((resolve) => setImmediate(resolve));
	}
	return vectors;
}

/** The partitions that were searched lately, the least recently used first. */
class Partitions {
	readonly #partitions = new Map<string, VectorPartition>();
	readonly #context: VectorsContext;

	constructor(context: VectorsContext) {
		this.#context = context;
	}

	known(address: PartitionAddress): VectorPartition | null {
		return this.#partitions.get(addressKey(address)) ?? null;
	}

	/** Searches a partition, which is added if it is not known yet. */
	async use<Found>(address: PartitionAddress, search: (partition: VectorPartition) => Promise<Found>): Promise<Found> {
		const key = addressKey(address);
		const partition = this.#partitions.get(key) ?? new VectorPartition(address, this.#context);
		this.#partitions.delete(key);
		this.#partitions.set(key, partition);
		const found = await search(partition);
		this.#dropUnused();
		return found;
	}

	async settle(): Promise<void> {
		await Promise.all([...this.#partitions.values()].map((partition) => partition.settle()));
	}

	/**
	 * Beyond the memory limit drops first the copies of rows of partitions that are not in use, then the least recently used partitions. A
	 * search in progress keeps its partition until it ends.
	 */
	#dropUnused(): void {
		const sizeOfAll = () => this.#partitions.values().reduce((sum, { byteLength }) => sum + byteLength, 0);
		let bytes = sizeOfAll();
		if (bytes <= this.#context.limits.matrixBytesMax) return;
		for (const partition of [...this.#partitions.values()].slice(0, -1)) partition.dropCopies();
		bytes = sizeOfAll();
		for (const [key, partition] of this.#partitions) {
			if (bytes <= this.#context.limits.matrixBytesMax || this.#partitions.size === 1) return;
			bytes -= partition.byteLength;
			this.#partitions.delete(key);
		}
	}
}
