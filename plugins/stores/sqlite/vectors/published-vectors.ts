/** Reads vectors of published chunks, and their cosines to a query, by cached keys. Reading them by chunk id takes three look-ups in the tables. */

import type { Vector } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import { toUnitVector } from "./matrix/vector-matrix.ts";
import type { PartitionContents } from "./partition-contents.ts";
import { existing, keysOf, type VectorRow } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

type Owned = Pick<VectorRow, "vector"> & { readonly id: string };

/** The vectors of the chunks that are published. */
export function publishedVectors(ids: readonly string[], contents: PartitionContents): readonly Owned[] {
	const { found, gone } = byKeys(ids, contents);
	if (gone.length === 0) return found;
	lookUpKeys(gone, contents);
	return [...found, ...byKeys(gone, contents).found];
}

/** The cosines of the chunks that are published. Vectors that are not in the matrix yet are left out. */
export function publishedCosines(query: Vector, ids: readonly ChunkId[], contents: PartitionContents): ReadonlyMap<ChunkId, number> {
	const { matrix, owners, context } = contents;
	const version = context.epoch();
	const shown = owners.shown(context.db(), [...keysOfChunks(ids, contents).values()], version);
	const placed = shown.map(({ id, key }) => ({ id, position: matrix.position(key) })).filter(({ position }) => position >= 0);
	const scores = matrix.cosines(
		toUnitVector(query),
		placed.map(({ position }) => position),
	);
	return new Map(placed.map(({ id }, i) => [id as ChunkId, scores[i] ?? 0]));
}

/** @returns `gone`: the ids whose vectors are no longer under their cached keys. */
function byKeys(ids: readonly string[], contents: PartitionContents) {
	const { owners, address, context } = contents;
	const version = context.epoch();
	const connection = context.db();
	const keys = keysOfChunks(ids, contents);
	const known = owners.of(connection, [...keys.values()], version);
	const shown = new Set(owners.published(connection, known, version).map(({ key }) => key));
	const hidden = new Set(known.flatMap(({ id, key }) => (shown.has(key) ? [] : [id])));
	const vectors = new Map(existing(connection, address, [...shown]).map(({ key, vector }) => [key, vector]));
	const found: Owned[] = [];
	const gone: string[] = [];
	for (const [id, key] of keys) {
		const vector = vectors.get(key);
		if (vector !== undefined) found.push({ id, vector });
		else if (!hidden.has(id)) gone.push(id);
	}
	return { found, gone };
}

/** The parts of the contents that keys are looked up in. */
type KeysKnown = Pick<PartitionContents, "ownerKeys" | "address"> & { readonly context: Pick<VectorsContext, "db"> };

/** About 100 bytes per key. When the cache is full it is emptied, and keys that are still needed are looked up again. */
const keysMax = 200_000;

/**
 * The keys of those of the chunks that have a vector; whether it is still there is for the caller to find out. A chunk's vector never
 * changes under its key, so the key is looked up once.
 */
export function keysOfChunks(ids: readonly string[], known: KeysKnown): ReadonlyMap<string, number> {
	const { ownerKeys } = known;
	const unknown = ids.filter((id) => !ownerKeys.has(id));
	if (ownerKeys.size + unknown.length > keysMax) ownerKeys.clear();
	if (unknown.length > 0) lookUpKeys(ownerKeys.size === 0 ? ids : unknown, known);
	const keys = new Map<string, number>();
	for (const id of ids) {
		const key = ownerKeys.get(id);
		if (key !== undefined) keys.set(id, key);
	}
	return keys;
}

/** Anew: what was removed and put back has another key. */
export function lookUpKeys(ids: readonly string[], { ownerKeys, address, context }: KeysKnown): void {
	for (const id of ids) ownerKeys.delete(id);
	for (const { id, key } of keysOf(context.db(), address, ids)) ownerKeys.set(id, key);
}
