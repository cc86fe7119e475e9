/** The vectors of chunks that a partition knows, and their cosines to a query, by their keys: by text the tables need three look-ups. */

import type { Vector } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import type { Connection } from "../../sql/bun-connection.ts";
import { ofLengthOne } from "./matrix/vector-matrix.ts";
import type { PartitionAddress } from "./partition-address.ts";
import type { PartitionContents } from "./partition-contents.ts";
import { existing, keysOf, type VectorRow } from "./vector-tables.ts";

/** About 100 bytes each. Past this all are forgotten, and those that are still asked for are looked up again. */
const keysMax = 200_000;

/** Under which keys the vectors of chunks are. A chunk's vector never changes under its key, so the key is looked up once. */
export class OwnerKeys {
	readonly #address: PartitionAddress;
	readonly #keys = new Map<string, number>();

	constructor(address: PartitionAddress) {
		this.#address = address;
	}

	/** Of those of the chunks that have a vector. Whether it is still there is for the caller to find out. */
	of(db: Connection, ids: readonly string[]): ReadonlyMap<string, number> {
		const unknown = ids.filter((id) => !this.#keys.has(id));
		if (this.#keys.size + unknown.length > keysMax) this.#keys.clear();
		if (unknown.length > 0) this.lookUp(db, this.#keys.size === 0 ? ids : unknown);
		const keys = new Map<string, number>();
		for (const id of ids) {
			const key = this.#keys.get(id);
			if (key !== undefined) keys.set(id, key);
		}
		return keys;
	}

	/** Anew: what was removed and put back has another key. */
	lookUp(db: Connection, ids: readonly string[]): void {
		for (const id of ids) this.#keys.delete(id);
		for (const { id, key } of keysOf(db, this.#address, ids)) this.#keys.set(id, key);
	}
}

type Owned = Pick<VectorRow, "vector"> & { readonly id: string };

/** Of those of the chunks that are published. */
export function publishedVectors(ids: readonly string[], contents: PartitionContents): readonly Owned[] {
	const { found, gone } = byKeys(ids, contents);
	if (gone.length === 0) return found;
	contents.ownerKeys.lookUp(contents.context.db(), gone);
	return [...found, ...byKeys(gone, contents).found];
}

/** Those of the chunks that are published. What is not in the matrix yet is left out. */
export function publishedCosines(
	query: Vector,
	ids: readonly ChunkId[],
	{ matrix, owners, ownerKeys, context: { db, epoch } }: PartitionContents,
): ReadonlyMap<ChunkId, number> {
	const version = epoch();
	const connection = db();
	const known = owners.of(connection, [...ownerKeys.of(connection, ids).values()], version);
	const shown = owners.held(connection, owners.published(connection, known, version), version);
	const unit = ofLengthOne(query);
	const cosines = new Map<ChunkId, number>();
	for (const { id, key } of shown) {
		const position = matrix.position(key);
		if (position >= 0) cosines.set(id as ChunkId, matrix.cosine(unit, position));
	}
	return cosines;
}

/** `gone` are those that are no longer under the key at which they were. */
function byKeys(ids: readonly string[], { owners, ownerKeys, address, context: { db, epoch } }: PartitionContents) {
	const version = epoch();
	const connection = db();
	const keys = ownerKeys.of(connection, ids);
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
