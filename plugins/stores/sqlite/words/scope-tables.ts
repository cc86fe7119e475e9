/** The SQL statements for the texts in a scope, and for the documents whose scopes may have changed. */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import type { TextKind } from "./word-address.ts";

type StatementRunner = Pick<Connection, "statement">;

const aliases = { chunk: "c", memory: "m" } as const satisfies Record<TextKind, string>;

/** The keys of all texts in scope, unsorted; null if there are more than `countMax`. */
export function keysInScope({ statement }: StatementRunner, kind: TextKind, { from, where, params }: ScopedRows, countMax: number): readonly number[] | null {
	const sql = `SELECT ${aliases[kind]}.key FROM ${from} WHERE ${where} LIMIT ?`;
	const limit = Math.min(countMax + 1, Number.MAX_SAFE_INTEGER);
	const keys = firstColumn<number>(statement<unknown>(sql).values(...params, limit));
	return keys.length > countMax ? null : keys;
}

/** The keys of the chunks of these documents that are in scope. */
export function keysInScopeOf({ statement }: StatementRunner, { from, test }: ScopedRows, documents: readonly string[]): readonly number[] {
	// CROSS JOIN fixes the order: from the few documents to their chunks.
	const sql = `SELECT c.key FROM json_each(?) j CROSS JOIN ${from} WHERE d.id = j.value AND d.organisation = c.organisation AND ${test.where}`;
	return firstColumn(statement<unknown>(sql).values(JSON.stringify(documents), ...test.params));
}

/** The keys of memories in scope that were added after this one; null if more than `countMax` were added. */
export function memoriesAdded(
	{ statement }: StatementRunner,
	organisation: OrganisationId,
	{ test }: ScopedRows,
	after: number,
	countMax: number,
): readonly number[] | null {
	// Without the index SQLite would scan all memories of the container.
	const since = "memories m INDEXED BY memories_by_key WHERE m.organisation = ? AND m.key > ?";
	const counted = statement<unknown>(`SELECT count(*) FROM (SELECT 1 FROM ${since} LIMIT ?)`).values(organisation, after, countMax + 1);
	if (Number(counted[0]?.[0] ?? 0) > countMax) return null;
	return firstColumn(statement<unknown>(`SELECT m.key FROM ${since} AND ${test.where}`).values(organisation, after, ...test.params));
}

/** The keys of these memories that are in scope. */
export function memoryKeysOf(
	{ statement }: StatementRunner,
	organisation: OrganisationId,
	{ test }: ScopedRows,
	memories: readonly string[],
): readonly number[] {
	if (memories.length === 0) return [];
	const sql = `SELECT m.key FROM json_each(?) j CROSS JOIN memories m WHERE m.organisation = ? AND m.id = j.value AND ${test.where}`;
	return firstColumn(statement<unknown>(sql).values(JSON.stringify(memories), organisation, ...test.params));
}

/** The keys of all chunks of these documents, in scope or not. */
export function keysOfDocuments({ statement }: StatementRunner, organisation: OrganisationId, documents: readonly string[]): readonly number[] {
	const sql = "SELECT c.key FROM json_each(?) j CROSS JOIN chunks c ON c.organisation = ? AND c.document = j.value";
	return firstColumn(statement<unknown>(sql).values(JSON.stringify(documents), organisation));
}

/** Those of the keys that belong to existing chunks. */
export function storedKeys({ statement }: StatementRunner, keys: readonly number[]): readonly number[] {
	return firstColumn(statement<unknown>("SELECT c.key FROM json_each(?) j CROSS JOIN chunks c ON c.key = j.value").values(JSON.stringify(keys)));
}

/** The documents whose scopes may have changed after this change; null if there are more than `countMax`, or if the log no longer has all changes. */
export function documentsChanged(
	{ statement }: StatementRunner,
	organisation: OrganisationId,
	after: number,
	newest: number,
	countMax: number,
): readonly string[] | null {
	const oldest = statement<{ oldest: number | null }>("SELECT min(sequence) AS oldest FROM scope_changes").get()?.oldest ?? newest + 1;
	if (after + 1 < oldest) return null;
	const sql = "SELECT document FROM scope_changes INDEXED BY scope_changes_in_order WHERE organisation = ? AND sequence > ? LIMIT ?";
	const changed = firstColumn<string>(statement<unknown>(sql).values(organisation, after, countMax + 1));
	return changed.length > countMax ? null : [...new Set(changed)];
}

/** The newest change of any organisation. */
export function newestScopeChange({ statement }: StatementRunner): number {
	return statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'scope_changes'").get()?.seq ?? 0;
}

function firstColumn<Value>(rows: readonly (readonly unknown[])[]): readonly Value[] {
	return rows.map(([value]) => value as Value);
}
