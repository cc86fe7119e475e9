/** The SQL statements for texts and their changes. The text of a row is its `indexed_text`, if it has one. */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { TextKind, WordAddress } from "./word-address.ts";

type StatementRunner = Pick<Connection, "statement">;

/** Texts per page: long chunks are read and split into words in about 5 ms. */
export const pageTexts = 25;
/** Changes per page: their texts are looked up in about 2 ms. */
export const pageChanges = 500;

/** Keys per page: about 0.3 ms. */
export const pageKeys = 1_000;

const indexed = "coalesce(indexed_text, text)";
const tables = {
	// SQLite can only use this partial index with the same condition.
	chunk: { name: "chunks", first: "INDEXED BY chunks_first_by_key WHERE position < 64 AND" },
	memory: { name: "memories", first: "INDEXED BY memories_by_key WHERE" },
} as const satisfies Record<TextKind, unknown>;

export interface TextRow {
	readonly key: number;
	readonly text: string;
}

/** The next page of texts after a key, in the order of the keys. */
export function textsAfter({ statement }: StatementRunner, { kind, organisation }: WordAddress, after: number): readonly TextRow[] {
	const { name } = tables[kind];
	// The index is named, because SQLite may assume from its statistics that there is one organisation only, and scan the table.
	const sql = `SELECT key, ${indexed} AS text FROM ${name} INDEXED BY ${name}_by_key WHERE organisation = ? AND key > ? ORDER BY key LIMIT ?`;
	return statement<TextRow>(sql).all(organisation, after, pageTexts);
}

/** The next page of keys after a key. */
export function keysAfter({ statement }: StatementRunner, { kind, organisation }: WordAddress, after: number): readonly number[] {
	const { name } = tables[kind];
	const sql = `SELECT key FROM ${name} INDEXED BY ${name}_by_key WHERE organisation = ? AND key > ? ORDER BY key LIMIT ?`;
	return (statement<unknown>(sql).values(organisation, after, pageKeys) as [number][]).map(([key]) => key);
}

/** The next page of keys of memories, or of the first chunks of documents. Small documents are complete with these. */
export function firstKeysAfter({ statement }: StatementRunner, { kind, organisation }: WordAddress, after: number): readonly number[] {
	const { name, first } = tables[kind];
	const sql = `SELECT key FROM ${name} ${first} organisation = ? AND key > ? ORDER BY key LIMIT ?`;
	return (statement<unknown>(sql).values(organisation, after, pageKeys) as [number][]).map(([key]) => key);
}

/** The texts with these keys that exist, visible or not. */
export function textsOf({ statement }: StatementRunner, { kind, organisation }: WordAddress, keys: readonly number[]): readonly TextRow[] {
	const { name } = tables[kind];
	const sql = `SELECT t.key AS key, ${indexed} AS text FROM json_each(?) k CROSS JOIN ${name} t ON t.key = k.value WHERE t.organisation = ?`;
	return statement<TextRow>(sql).all(JSON.stringify(keys), organisation);
}

/** The key of the text that comes `count` after a key, or null. Skipping a thousand takes 0.1 ms. */
export function textFurther({ statement }: StatementRunner, { kind, organisation }: WordAddress, after: number, count: number): number | null {
	const { name } = tables[kind];
	const sql = `SELECT key FROM ${name} INDEXED BY ${name}_by_key WHERE organisation = ? AND key > ? ORDER BY key LIMIT 1 OFFSET ?`;
	return statement<{ key: number }>(sql).get(organisation, after, count - 1)?.key ?? null;
}

/** The newest key that the table has ever given out. A file with a later key belongs to another database. */
export function newestTextKey(db: StatementRunner, kind: TextKind): number {
	return lastNumber(db, tables[kind].name);
}

export interface TextChange {
	readonly sequence: number;
	readonly key: number;
}

/** The next changes: texts that were deleted, or restored under their old key. */
export function changesAfter({ statement }: StatementRunner, { kind, organisation }: WordAddress, after: number): readonly TextChange[] {
	const sql = "SELECT sequence, text AS key FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?";
	return statement<TextChange>(sql).all(organisation, kind, after, pageChanges);
}

/** The change that comes `count` after one, or null. */
export function changeFurther({ statement }: StatementRunner, { kind, organisation }: WordAddress, after: number, count: number): number | null {
	const sql = "SELECT sequence FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT 1 OFFSET ?";
	return statement<{ sequence: number }>(sql).get(organisation, kind, after, count - 1)?.sequence ?? null;
}

/** The newest change of any organisation. */
export function newestChange(db: StatementRunner): number {
	return lastNumber(db, "text_changes");
}

/** Whether the log still has all changes after this one. */
export function areChangesKept(db: StatementRunner, after: number): boolean {
	const oldest = db.statement<{ oldest: number | null }>("SELECT min(sequence) AS oldest FROM text_changes").get()?.oldest;
	return after + 1 >= (oldest ?? newestChange(db) + 1);
}

/** The next organisation with texts; null at the end. The query jumps along the index, so the cost is per organisation. */
export function nextOrganisation({ statement }: StatementRunner, kind: TextKind, after: OrganisationId | null): OrganisationId | null {
	const { name } = tables[kind];
	const sql = `SELECT organisation FROM ${name} INDEXED BY ${name}_by_key WHERE organisation > ? ORDER BY organisation LIMIT 1`;
	return statement<{ organisation: OrganisationId }>(sql).get(after ?? "")?.organisation ?? null;
}

function lastNumber({ statement }: StatementRunner, table: string): number {
	return statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.seq ?? 0;
}
