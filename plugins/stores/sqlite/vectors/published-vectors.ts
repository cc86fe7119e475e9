/** Reads vectors of published chunks, or their cosines with a query, through the partition's cache of keys, which saves two of three look-ups. */

import type { Vector } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import { toUnitVector } from "./matrix/vector-matrix.ts";
import type { PartitionAddress } from "./partition-address.ts";
import type { PartitionContents } from "./partition-contents.ts";
import { existing, type VectorRow } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

type ChunkVector = Pick<VectorRow, "vector"> & { readonly id: string };

/** The vectors of those chunks that are published. */
export function publishedVectors(
	ids: readonly string[],
	contents: PartitionContents,
	address: PartitionAddress,
	context: VectorsContext,
): readonly ChunkVector[] {
	const { found, gone } = byKeys(ids, contents, address, context);
	if (gone.length === 0) return found;
	contents.ownerKeys.lookUp(context.db(), gone);
	return [...found, ...byKeys(gone, contents, address, context).found];
}

/** The cosines of those chunks that are published and are in the matrix already. */
export function publishedCosines(
	query: Vector,
	ids: readonly ChunkId[],
	contents: PartitionContents,
	{ db, epoch }: VectorsContext,
): ReadonlyMap<ChunkId, number> {
	const { matrix, owners, ownerKeys } = contents;
	const version = epoch();
	const connection = db();
	const known = owners.of(connection, [...ownerKeys.of(connection, ids).values()], version);
	const shown = owners.existing(connection, owners.published(connection, known, version), version);
	const unit = toUnitVector(query);
	const cosines = new Map<ChunkId, number>();
	for (const { id, key } of shown) {
		const position = matrix.position(key);
		if (position >= 0) cosines.set(id as ChunkId, matrix.cosine(unit, position));
	}
	return cosines;
}

/** `gone` are the chunks whose vector is no longer under its cached key. */
function byKeys(ids: readonly string[], { owners, ownerKeys }: PartitionContents, address: PartitionAddress, { db, epoch }: VectorsContext) {
	const version = epoch();
	const connection = db();
	const keys = ownerKeys.of(connection, ids);
	const known = owners.of(connection, [...keys.values()], version);
	const shown = new Set(owners.published(connection, known, version).map(({ key }) => key));
	const hidden = new Set(known.flatMap(({ id, key }) => (shown.has(key) ? [] : [id])));
	const vectors = new Map(existing(connection, address, [...shown]).map(({ key, vector }) => [key, vector]));
	const found: ChunkVector[] = [];
	const gone: string[] = [];
	for (const [id, key] of keys) {
		const vector = vectors.get(key);
		if (vector !== undefined) found.push({ id, vector });
		else if (!hidden.has(id)) gone.push(id);
	}
	return { found, gone };
}
