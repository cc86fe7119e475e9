/** The statements about texts and about what has happened to them. The words of a row are those of its indexed text. */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { TextKind, WordAddress } from "./word-address.ts";

type Tables = Pick<Connection, "statement">;

/** One page of long chunks is read and parted into words in about 5 ms; others wait for no more. */
export const pageTexts = 25;
/** Looked up by key: about 2 ms. */
export const pageChanges = 500;

/** Looked up in an index: about 0.3 ms. */
export const pageKeys = 1_000;

const indexed = "coalesce(indexed_text, text)";
const tables = {
	// The condition is that of the index: without it SQLite could not use it.
	chunk: { name: "chunks", first: "INDEXED BY chunks_first_by_key WHERE position < 64 AND" },
	memory: { name: "memories", first: "INDEXED BY memories_by_key WHERE" },
} as const satisfies Record<TextKind, unknown>;

export interface TextRow {
	readonly key: number;
	readonly text: string;
}

/** The next page after a key, by key. */
export function textsAfter({ statement }: Tables, { kind, organisation }: WordAddress, after: number): readonly TextRow[] {
	const { name } = tables[kind];
	// The index is named: by its statistics SQLite may take the organisation for all there is, and walk the table.
	const sql = `SELECT key, ${indexed} AS text FROM ${name} INDEXED BY ${name}_by_key WHERE organisation = ? AND key > ? ORDER BY key LIMIT ?`;
	return statement<TextRow>(sql).all(organisation, after, pageTexts);
}

/** The keys of a page after one, by key. */
export function keysAfter({ statement }: Tables, { kind, organisation }: WordAddress, after: number): readonly number[] {
	const { name } = tables[kind];
	const sql = `SELECT key FROM ${name} INDEXED BY ${name}_by_key WHERE organisation = ? AND key > ? ORDER BY key LIMIT ?`;
	return (statement<unknown>(sql).values(organisation, after, pageKeys) as [number][]).map(([key]) => key);
}

/** The same of the beginnings of documents, and of memories: what is small is all there, whatever else is added at the time. */
export function firstKeysAfter({ statement }: Tables, { kind, organisation }: WordAddress, after: number): readonly number[] {
	const { name, first } = tables[kind];
	const sql = `SELECT key FROM ${name} ${first} organisation = ? AND key > ? ORDER BY key LIMIT ?`;
	return (statement<unknown>(sql).values(organisation, after, pageKeys) as [number][]).map(([key]) => key);
}

/** Those of the keys that are in the tables, regardless of grants. */
export function textsOf({ statement }: Tables, { kind, organisation }: WordAddress, keys: readonly number[]): readonly TextRow[] {
	const { name } = tables[kind];
	const sql = `SELECT t.key AS key, ${indexed} AS text FROM json_each(?) k CROSS JOIN ${name} t ON t.key = k.value WHERE t.organisation = ?`;
	return statement<TextRow>(sql).all(JSON.stringify(keys), organisation);
}

/** The key of the text so many after a key, or null. The cost is theirs: a thousand take 0.1 ms. */
export function textFurther({ statement }: Tables, { kind, organisation }: WordAddress, after: number, count: number): number | null {
	const { name } = tables[kind];
	const sql = `SELECT key FROM ${name} INDEXED BY ${name}_by_key WHERE organisation = ? AND key > ? ORDER BY key LIMIT 1 OFFSET ?`;
	return statement<{ key: number }>(sql).get(organisation, after, count - 1)?.key ?? null;
}

/** The newest key that was ever given out; what claims to know a later one is of another database. */
export function newestTextKey(db: Tables, kind: TextKind): number {
	return lastNumber(db, tables[kind].name);
}

export interface TextChange {
	readonly sequence: number;
	readonly key: number;
}

/** Texts that have gone, or have come back under the key they had. */
export function changesAfter({ statement }: Tables, { kind, organisation }: WordAddress, after: number): readonly TextChange[] {
	const sql = "SELECT sequence, text AS key FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?";
	return statement<TextChange>(sql).all(organisation, kind, after, pageChanges);
}

/** The change so many after one, or null. */
export function changeFurther({ statement }: Tables, { kind, organisation }: WordAddress, after: number, count: number): number | null {
	const sql = "SELECT sequence FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT 1 OFFSET ?";
	return statement<{ sequence: number }>(sql).get(organisation, kind, after, count - 1)?.sequence ?? null;
}

/** The newest change there ever was, of any organisation. */
export function newestChange(db: Tables): number {
	return lastNumber(db, "text_changes");
}

/** Whether all changes after this one are still written down. */
export function areChangesKept(db: Tables, after: number): boolean {
	const oldest = db.statement<{ oldest: number | null }>("SELECT min(sequence) AS oldest FROM text_changes").get()?.oldest;
	return after + 1 >= (oldest ?? newestChange(db) + 1);
}

/** The next organisation that has texts, null at the end. Jumps along the index, so the cost is per organisation. */
export function nextOrganisation({ statement }: Tables, kind: TextKind, after: OrganisationId | null): OrganisationId | null {
	const { name } = tables[kind];
	const sql = `SELECT organisation FROM ${name} INDEXED BY ${name}_by_key WHERE organisation > ? ORDER BY organisation LIMIT 1`;
	return statement<{ organisation: OrganisationId }>(sql).get(after ?? "")?.organisation ?? null;
}

function lastNumber({ statement }: Tables, table: string): number {
	return statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.seq ?? 0;
}
