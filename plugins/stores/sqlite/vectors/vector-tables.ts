/** The SQL statements for vectors. Only these decide whether a vector is visible. */

import type { SQLQueryBindings, Statement } from "bun:sqlite";
import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import type { PartitionAddress, VectorKind } from "./partition-address.ts";

/** Vectors per page: about 3 ms. */
export const pageRows = 500;

const tables = {
	chunk: {
		vectors: "chunk_vectors",
		owner: "chunk",
		join: "c.organisation = v.organisation AND c.id = v.chunk",
		columns: "c.id AS id, c.document AS document, c.position AS position",
	},
	memory: {
		vectors: "memory_vectors",
		owner: "memory",
		join: "m.organisation = v.organisation AND m.id = v.memory",
		columns: "m.id AS id, '' AS document, 0 AS position",
	},
} as const satisfies Record<VectorKind, unknown>;

export interface VectorRow {
	readonly key: number;
	readonly vector: Uint8Array;
}

/** A vector with the chunk or memory that it belongs to. For memories `document` is empty and `position` is 0. */
export interface OwnedRow extends VectorRow {
	readonly id: string;
	readonly document: string;
	readonly position: number;
}

/** The next page of vectors after a key, in the order of the keys. */
export function pageAfter(db: Connection, { kind, organisation, space }: PartitionAddress, after: number): readonly VectorRow[] {
	const sql = `SELECT key, vector FROM ${tables[kind].vectors} WHERE organisation = ? AND space = ? AND key > ? ORDER BY key LIMIT ?`;
	return db.statement<VectorRow>(sql).all(organisation, space.name, after, pageRows);
}

/** The next keys after a key, ten pages at a time, without the vectors. */
export function keysAfter(db: Connection, { kind, organisation, space }: PartitionAddress, after: number): readonly number[] {
	const sql = `SELECT key FROM ${tables[kind].vectors} WHERE organisation = ? AND space = ? AND key > ? ORDER BY key LIMIT ?`;
	const rows = db.statement<unknown>(sql).values(organisation, space.name, after, pageRows * 10);
	return rows.map(([key]) => Number(key));
}

/** The vectors with these keys that exist, visible or not. */
export function existing(db: Connection, { kind, organisation, space }: PartitionAddress, keys: readonly number[]): readonly VectorRow[] {
	const sql = `SELECT v.key AS key, v.vector AS vector FROM json_each(?) k CROSS JOIN ${tables[kind].vectors} v ON v.key = k.value
		WHERE v.organisation = ? AND v.space = ?`;
	return db.statement<VectorRow>(sql).all(JSON.stringify(keys), organisation, space.name);
}

/** The vectors with these keys that are visible in a scope, with their owners. */
export function visible(db: Connection, { kind, organisation, space }: PartitionAddress, keys: readonly number[], scope: ScopedRows): readonly OwnedRow[] {
	const { vectors, join, columns } = tables[kind];
	// CROSS JOIN fixes the order of the joins: keys, vectors, owners. Without it SQLite may scan a whole index.
	const sql = `SELECT v.key AS key, v.vector AS vector, ${columns} FROM json_each(?) k CROSS JOIN ${vectors} v ON v.key = k.value CROSS JOIN ${scope.from}
		WHERE v.organisation = ? AND v.space = ? AND ${join} AND ${scope.test.where}`;
	return db.statement<OwnedRow>(sql).all(JSON.stringify(keys), organisation, space.name, ...scope.test.params);
}

/** The owners of the vectors with these keys that are visible in a scope, without the vectors. */
export function visibleOwners(
	db: Connection,
	{ kind, organisation, space }: PartitionAddress,
	keys: readonly number[],
	scope: ScopedRows,
): readonly Omit<OwnedRow, "vector">[] {
	const { vectors, join, columns } = tables[kind];
	const sql = `SELECT v.key AS key, ${columns} FROM json_each(?) k CROSS JOIN ${vectors} v ON v.key = k.value CROSS JOIN ${scope.from}
		WHERE v.organisation = ? AND v.space = ? AND ${join} AND ${scope.test.where}`;
	return db.statement<Omit<OwnedRow, "vector">>(sql).all(JSON.stringify(keys), organisation, space.name, ...scope.test.params);
}

export interface StateRow {
	readonly key: number;
	readonly id: string;
	readonly container: string;
	readonly isCurrent: number;
	readonly forgetAfter: number | null;
	readonly vector: Uint8Array | null;
}

/** The memories that the vectors with these keys belong to, with what decides whether a search of their container sees them. */
export function memoryStates(db: Connection, { organisation, space }: PartitionAddress, keys: readonly number[], withVectors: boolean): readonly StateRow[] {
	const sql = `SELECT v.key AS key, m.id AS id, m.container_tag AS container, m.is_latest = 1 AND m.is_forgotten = 0 AS isCurrent, m.forget_after AS forgetAfter,
		${withVectors ? "v.vector" : "NULL"} AS vector FROM json_each(?) k CROSS JOIN memory_vectors v ON v.key = k.value
		CROSS JOIN memories m ON m.organisation = v.organisation AND m.id = v.memory WHERE v.organisation = ? AND v.space = ?`;
	return db.statement<StateRow>(sql).all(JSON.stringify(keys), organisation, space.name);
}

/** The keys of these owners' vectors that are visible in a scope. */
export function visibleKeysOf(
	db: Connection,
	{ kind, organisation, space }: PartitionAddress,
	owners: readonly string[],
	scope: ScopedRows,
): readonly number[] {
	if (owners.length === 0) return [];
	const { vectors, owner, join } = tables[kind];
	const sql = `SELECT v.key FROM json_each(?) j CROSS JOIN ${vectors} v ON v.organisation = ? AND v.${owner} = j.value AND v.space = ? CROSS JOIN ${scope.from}
		WHERE ${join} AND ${scope.test.where}`;
	const rows = db.statement<unknown>(sql).values(JSON.stringify(owners), organisation, space.name, ...scope.test.params);
	return rows.map(([key]) => Number(key));
}

/** The documents of the chunks with these vectors. */
export function documentsOf(db: Connection, { organisation, space }: PartitionAddress, keys: readonly number[]): readonly string[] {
	if (keys.length === 0) return [];
	const sql = `SELECT DISTINCT c.document FROM json_each(?) j CROSS JOIN chunk_vectors v ON v.key = j.value AND v.organisation = ? AND v.space = ?
		CROSS JOIN chunks c ON c.organisation = v.organisation AND c.id = v.chunk`;
	return db
		.statement<unknown>(sql)
		.values(JSON.stringify(keys), organisation, space.name)
		.map(([document]) => String(document));
}

/** The keys of the vectors of these documents' chunks, whether any scope has them or not; null if there are more than `countMax`. */
export function keysOfDocuments(
	db: Connection,
	{ organisation, space }: PartitionAddress,
	documents: readonly string[],
	countMax: number,
): readonly number[] | null {
	const sql = `SELECT v.key FROM json_each(?) j CROSS JOIN chunks c ON c.organisation = ? AND c.document = j.value
		CROSS JOIN chunk_vectors v ON v.organisation = c.organisation AND v.chunk = c.id AND v.space = ? LIMIT ?`;
	const keys = db.statement<unknown>(sql).values(JSON.stringify(documents), organisation, space.name, countMax + 1);
	return keys.length > countMax ? null : keys.map(([key]) => Number(key));
}

/** The keys of the vectors of these documents' chunks that are visible in a scope. */
export function visibleKeysOfDocuments(db: Connection, { space }: PartitionAddress, documents: readonly string[], scope: ScopedRows): readonly number[] {
	const sql = `SELECT v.key FROM json_each(?) j CROSS JOIN ${scope.from} CROSS JOIN chunk_vectors v ON v.organisation = c.organisation AND v.chunk = c.id AND v.space = ?
		WHERE d.id = j.value AND d.organisation = c.organisation AND ${scope.test.where}`;
	return db
		.statement<unknown>(sql)
		.values(JSON.stringify(documents), space.name, ...scope.test.params)
		.map(([key]) => Number(key));
}

/** The sequence number of the newest return of a memory, of any organisation. A memory returns when it is restored or moved. */
export function newestReturn(db: Connection): number {
	return db.statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'memory_returns'").get()?.seq ?? 0;
}

/**
 * The memories that were restored, or moved to another container, after a return; null if there are more than `countMax`, or if the log no
 * longer has all.
 */
export function memoriesReturned(db: Connection, organisation: OrganisationId, after: number, newest: number, countMax: number): readonly string[] | null {
	if (after === newest) return [];
	const oldest = db.statement<{ oldest: number | null }>("SELECT min(sequence) AS oldest FROM memory_returns").get()?.oldest ?? newest + 1;
	if (after + 1 < oldest) return null;
	const sql = "SELECT memory FROM memory_returns INDEXED BY memory_returns_in_order WHERE organisation = ? AND sequence > ? LIMIT ?";
	const rows = db.statement<unknown>(sql).values(organisation, after, countMax + 1);
	return rows.length > countMax ? null : [...new Set(rows.map(([memory]) => String(memory)))];
}

/** A statement for all keys that are visible in a scope, unsorted. It is not cached: the caller steps through it and must finalize it. */
export function scopeKeys(
	db: Connection,
	{ kind, space }: PartitionAddress,
	scope: ScopedRows,
): { readonly statement: Statement; readonly params: SQLQueryBindings[] } {
	const { vectors, join } = tables[kind];
	const statement = db.db.prepare(`SELECT v.key AS key FROM ${scope.from} CROSS JOIN ${vectors} v ON ${join} AND v.space = ? WHERE ${scope.where}`);
	return { statement, params: [space.name, ...scope.params] };
}

/** The vectors of these owners that are visible in a scope. */
export function vectorsOf(
	db: Connection,
	{ kind, organisation, space }: PartitionAddress,
	owners: readonly string[],
	scope: ScopedRows,
): readonly { readonly id: string; readonly vector: Uint8Array }[] {
	const { vectors, owner, join } = tables[kind];
	const sql = `SELECT v.${owner} AS id, v.vector AS vector FROM json_each(?) k CROSS JOIN ${vectors} v ON v.organisation = ? AND v.${owner} = k.value AND v.space = ?
		CROSS JOIN ${scope.from} WHERE ${join} AND ${scope.test.where}`;
	return db.statement<{ id: string; vector: Uint8Array }>(sql).all(JSON.stringify(owners), organisation, space.name, ...scope.test.params);
}

/** The keys of these owners' vectors, visible or not. */
export function keysOf(
	db: Connection,
	{ kind, organisation, space }: PartitionAddress,
	owners: readonly string[],
): readonly { readonly id: string; readonly key: number }[] {
	const { vectors, owner } = tables[kind];
	const sql = `SELECT k.value AS id, v.key AS key FROM json_each(?) k CROSS JOIN ${vectors} v ON v.organisation = ? AND v.${owner} = k.value AND v.space = ?`;
	return db.statement<{ id: string; key: number }>(sql).all(JSON.stringify(owners), organisation, space.name);
}

/** The newest key that the table has ever given out. An index with a later key belongs to another database. */
export function newestKeyEver(db: Connection, kind: VectorKind): number {
	return db.statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(tables[kind].vectors)?.seq ?? 0;
}

export interface StoredPartition {
	readonly organisation: OrganisationId;
	readonly space: string;
}

/**
 * The next partition with vectors after another one; null at the end. The query jumps along the index, so the cost is per partition, not per
 * vector.
 */
export function nextPartition(db: Connection, kind: VectorKind, after: StoredPartition | null): StoredPartition | null {
	const sql = `SELECT organisation, space FROM ${tables[kind].vectors} WHERE (organisation, space) > (?, ?) ORDER BY organisation, space LIMIT 1`;
	return db.statement<StoredPartition>(sql).get(after?.organisation ?? "", after?.space ?? "");
}

/** The dimensions of a partition, from its first vector. */
export function dimensionsOf(db: Connection, kind: VectorKind, { organisation, space }: StoredPartition): number {
	const sql = `SELECT length(vector) / ${Float32Array.BYTES_PER_ELEMENT} AS dimensions FROM ${tables[kind].vectors} WHERE organisation = ? AND space = ? LIMIT 1`;
	return Math.floor(db.statement<{ dimensions: number }>(sql).get(organisation, space)?.dimensions ?? 0);
}

/** A number that changes whenever another connection has committed something. Until then all results stay valid. */
export function dataVersion(db: Pick<Connection, "statement">): number {
	return db.statement<{ data_version: number }>("PRAGMA data_version").get()?.data_version ?? -1;
}
