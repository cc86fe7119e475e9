/** Opens a copy of a damaged database, with which a server would not start. Reading a row on a damaged page throws; other rows can be read. */

import { Database } from "bun:sqlite";
import { closeSync, copyFileSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fail } from "cairn-memory";
import type { DamagedStore } from "cairn-memory/stores";
import { type Connection, connection } from "../../sql/bun-connection.ts";
import { migrate, migrations } from "../../sql/migrations.ts";
import { sqlStorage } from "../../sql/storage.ts";
import { asStorageError } from "../writer/writer-protocol.ts";
import { changedValues } from "./changed-values.ts";
import { attempt, damagedOrganisations } from "./damaged-organisations.ts";
import { databaseFile, withPath } from "./database-file.ts";

/** The most rows that are looked up one by one, between those that were read from both ends. This takes a few seconds. */
const probesMax = 500_000;

/** @param into an empty folder for the copy. @throws ServiceError `STORAGE_DAMAGED` if nothing can be read */
export async function openDamaged(folder: string, into: string): Promise<DamagedStore> {
	const file = databaseFile(folder);
	if (!existsSync(file)) throw fail("STORAGE_LOST", file, "missing");
	const opened = openCopy(file, into);
	try {
		for (const index of rebuiltIndexes(opened)) attempt(() => opened.db.run(`REINDEX ${index}`), null);
		// Before the upgrade, which would make checksums of values as they are now.
		const isChanged = changedValues(opened);
		attempt(() => migrate(opened, migrations), null);
		const storage = sqlStorage({ name: "sqlite", supports: { manyWriters: false, durable: false }, connection: opened, now: () => new Date() });
		const ids = { document: idsIn(opened, "documents"), memory: idsIn(opened, "memories") };
		const { found, removed } = damagedOrganisations(opened, [...ids.document.known.keys(), ...ids.memory.known.keys()]);
		const [first] = found;
		if (first === undefined) throw fail("STORAGE_DAMAGED", "no row of it can be read");
		const isRescued = new Set([...found.map(({ id }) => id as string), ...removed]);
		/** Rows of no organisation: they are looked for in the first one, and missed there. */
		const strays = (kind: "document" | "memory") => [...ids[kind].known].flatMap(([id, rows]) => (isRescued.has(id) ? [] : [...rows]));
		return {
			organisations: found.map((organisation) => ({
				...organisation,
				records: storage.organisation(organisation.id),
				isChanged: (kind, id) => isChanged(organisation.id, kind, id),
				ids: (kind) => new Set([...(ids[kind].known.get(organisation.id) ?? []), ...(organisation === first ? strays(kind) : [])]),
			})),
			isComplete: (kind) => ids[kind].isComplete,
			close: storage.close,
		};
	} catch (thrown) {
		opened.close();
		throw withPath(asStorageError(thrown), file);
	}
}

/**
 * The indexes of an undamaged table are rebuilt. Those of a damaged table stay as they are, because they cannot be rebuilt, and those of
 * checksums because they say what the values were.
 */
function rebuiltIndexes({ statement }: Connection): readonly string[] {
	const tables = ["documents", "chunks", "memories", "document_texts", "memory_evidence", "memory_edges"];
	const named = statement<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN (${tables.map(() => "?").join(", ")})`);
	return attempt(() => named.all(...tables), []).flatMap(({ name }) => (name.endsWith("_checksums") ? [] : [`"${name}"`]));
}

/** Opens the copy with its log, or without it if the log is the reason why it cannot be opened. */
function openCopy(file: string, into: string): Connection {
	const copy = join(into, "cairn.sqlite");
	for (const withLog of [true, false]) {
		copyFileSync(file, copy);
		padToHeader(copy);
		if (withLog && existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
		try {
			const opened = connection(new Database(copy, { create: false, readwrite: true }));
			opened.statement("SELECT count(*) FROM sqlite_schema").get();
			return opened;
		} catch (thrown) {
			if (!withLog) throw withPath(asStorageError(thrown), file);
		}
	}
	throw fail("STORAGE_DAMAGED", file);
}

/** Appends empty pages to a file that is shorter than its header says, because SQLite would not read anything of it. */
function padToHeader(copy: string): void {
	const header = new Uint8Array(100);
	const file = openSync(copy, "r+");
	try {
		if (readSync(file, header) < header.length) return;
		const view = new DataView(header.buffer);
		const bytes = view.getUint16(16) * view.getUint32(28);
		if (fstatSync(file).size < bytes) ftruncateSync(file, bytes);
	} finally {
		closeSync(file);
	}
}

/** The queries that may find ids of rows: in the index of ids, and for documents in the table of tags. Both are read from both ends. */
const idQueries = {
	documents: [
		"SELECT organisation, id FROM documents ORDER BY organisation %s, id %s",
		"SELECT organisation, document AS id FROM document_tags ORDER BY organisation %s, tag %s, document %s",
	],
	memories: ["SELECT organisation, id FROM memories ORDER BY organisation %s, id %s"],
} as const;

/** Ids by organisation. */
type KnownIds = Map<string, Set<string>>;

/** The ids from the indexes and from the table itself, which are read from both ends. Rows between are looked up one by one. */
function idsIn(opened: Connection, table: keyof typeof idQueries): { readonly known: KnownIds; readonly isComplete: boolean } {
	const known: KnownIds = new Map();
	const [identities, ...others] = idQueries[table];
	const ends = ["ASC", "DESC"] as const;
	const faults = ends.map((order) => readUntilFault(opened, identities.replaceAll("%s", order), known));
	for (const sql of others) for (const order of ends) readUntilFault(opened, sql.replaceAll("%s", order), known);
	const fromEnd = (order: "ASC" | "DESC") =>
		readUntilFault(opened, `SELECT rowid AS row, organisation, id FROM ${table} NOT INDEXED ORDER BY rowid ${order}`, known);
	const [first, last] = [fromEnd("ASC"), fromEnd("DESC")];
	if (first !== null && last !== null) probe(opened, table, { first, last, known });
	return { known, isComplete: faults.includes(null) };
}

interface IdRow {
	readonly row?: number;
	readonly organisation: string;
	readonly id: string;
}

function keep({ organisation, id }: IdRow, known: KnownIds): void {
	if (typeof id !== "string" || typeof organisation !== "string") return;
	const ids = known.get(organisation) ?? new Set();
	known.set(organisation, ids.add(id));
}

interface Gap {
	/** The last row that was read from the beginning, and the last from the end; 0 if there was none. */
	readonly first: number;
	readonly last: number;
	readonly known: KnownIds;
}

function probe({ statement }: Connection, table: string, { first, last, known }: Gap): void {
	const given = attempt(() => statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.seq ?? null, null);
	const end = last > 0 ? last : (given ?? first + probesMax);
	const one = statement<IdRow>(`SELECT organisation, id FROM ${table} NOT INDEXED WHERE rowid = ?`);
	for (let row = first + 1; row <= Math.min(end, first + probesMax); row++) {
		const found = attempt(() => one.get(row), null);
		if (found !== null) keep(found, known);
	}
}

/** @returns the last row before the damage, 0 if there was none before it; null if nothing is damaged. */
function readUntilFault({ statement }: Connection, sql: string, known: KnownIds): number | null {
	let last = 0;
	try {
		for (const found of statement<IdRow>(sql).iterate()) {
			keep(found, known);
			last = found.row ?? 0;
		}
		return null;
	} catch {
		return last;
	}
}
