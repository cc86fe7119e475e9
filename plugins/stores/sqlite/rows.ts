/** Moves the rows of a folder: read while a server writes to it, or written into a new one. */

import { SQLiteError } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { fail, ServiceError } from "cairn-memory";
import type { RowKey, RowTools } from "cairn-memory/stores";
import type { Connection } from "../sql/bun-connection.ts";
import type { Binding } from "../sql/executor.ts";
import { migrate, migrations } from "../sql/migrations.ts";
import { columnNames } from "../sql/moving/moved-tables.ts";
import { type Ask, bytesPerPage, type Found, type RowEngine, rowSource, rowsPerPage, rowTarget } from "../sql/moving/row-store.ts";
import { openScanner, openWriter } from "./connection.ts";
import { databaseFile, examineDatabase, markCreated } from "./files/database-file.ts";
import { type FolderLock, lockFolder } from "./files/folder-lock.ts";
import { asStorageError } from "./writer/writer-protocol.ts";

/** A server that writes is waited for so long. Its transactions take milliseconds. */
const busyMs = 60_000;
/** From so many pages on the log is copied into the database while a move writes. */
const logPages = 2_000;

export const rowTools: RowTools = {
	storage: "sqlite",
	openSource: async ({ folder }) => {
		if (!existsSync(databaseFile(folder))) throw fail("COMMAND_INVALID", `there is nothing to move in ${folder}`);
		const lock = lockUnlessServed(folder);
		try {
			examineDatabase(folder, { open: openScanner, checksPages: false });
			return await rowSource(engineOn(folder, lock), async () => lock === null);
		} catch (thrown) {
			lock?.release();
			throw asStorageError(thrown);
		}
	},
	openTarget: async ({ folder }) => {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const lock = lockFolder(folder);
		try {
			examineDatabase(folder);
			return await rowTarget(engineOn(folder, lock));
		} catch (thrown) {
			lock.release();
			throw asStorageError(thrown);
		}
	},
};

/** Null if a server has the folder open. */
function lockUnlessServed(folder: string): FolderLock | null {
	try {
		return lockFolder(folder);
	} catch (thrown) {
		if (thrown instanceof ServiceError && thrown.code === "STORAGE_BUSY") return null;
		throw thrown;
	}
}

function engineOn(folder: string, lock: FolderLock | null): RowEngine {
	const file = databaseFile(folder);
	const writer = openWriter(file);
	writer.db.run(`PRAGMA busy_timeout = ${busyMs}`);
	const reader = openScanner(file);
	const ask = asking(reader);
	return {
		...statements,
		ask,
		write: (run) => transaction(writer, "BEGIN IMMEDIATE", run),
		settled: (run) => transaction(reader, "BEGIN", run),
		migrate: async () => {
			migrate(writer, migrations);
			markCreated(folder);
		},
		tidy: async (isAtEnd) => {
			if (isAtEnd) for (const pragma of ["optimize = 0x10002", "wal_checkpoint(TRUNCATE)"]) writer.db.run(`PRAGMA ${pragma}`);
			else if ((writer.statement<{ log: number }>("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0) > logPages) writer.db.run("PRAGMA wal_checkpoint(RESTART)");
		},
		// A commit does not wait for the disk, and this does.
		flush: async () => void writer.db.run("PRAGMA wal_checkpoint(TRUNCATE)"),
		close: async () => {
			reader.close();
			writer.close();
			lock?.release();
		},
	};
}

function asking({ statement }: Connection): Ask {
	return async (sql, params = []) => statement<Found>(sql).all(...params);
}

async function transaction<Result>(connection: Connection, begin: string, run: (ask: Ask) => Promise<Result>): Promise<Result> {
	connection.db.run(begin);
	try {
		const result = await run(asking(connection));
		connection.db.run("COMMIT");
		return result;
	} catch (thrown) {
		if (connection.db.inTransaction) connection.db.run("ROLLBACK");
		throw thrown instanceof SQLiteError ? asStorageError(thrown) : thrown;
	}
}

/** Everything that is the same in each folder. */
const statements: Omit<RowEngine, "ask" | "write" | "settled" | "migrate" | "tidy" | "flush" | "close"> = {
	migrations,
	numberType: "INTEGER PRIMARY KEY AUTOINCREMENT",
	hasTable: async (ask, name) => (await ask("SELECT 1 AS one FROM sqlite_schema WHERE type = 'table' AND name = ?", [name])).length > 0,
	keyOf: async (ask, table) => (await ask("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [table])).map(({ name }) => String(name)),
	page: async (ask, table, key, after) => {
		const names = key.map((name) => `"${name}"`).join(", ");
		const sizes = table.columns.filter(({ type }) => type === "text" || type === "blob").map(({ name }) => `coalesce(octet_length("${name}"), 0)`);
		const where = after === null ? "" : `WHERE (${names}) > (${after.map(() => "?").join(", ")})`;
		// Sizes are in the heads of the rows, so that long texts are not read before it is clear how many fit.
		const measured = await ask(
			`SELECT ${sizes.length === 0 ? "0" : sizes.join(" + ")} AS bytes FROM ${table.name} ${where} ORDER BY ${names} LIMIT ${rowsPerPage}`,
			after ?? [],
		);
		const count = fitting(measured.map(({ bytes }) => Number(bytes)));
		return count === 0 ? [] : ask(`SELECT ${columnNames(table)} FROM ${table.name} ${where} ORDER BY ${names} LIMIT ${count}`, after ?? []);
	},
	find: (ask, table, keys) => eachKey(keys, (where, params) => ask(`SELECT ${columnNames(table)} FROM ${table.name} WHERE ${where}`, params)),
	insert: async (ask, table, rows) => {
		const sql = `INSERT INTO ${table.name} (${columnNames(table)}) VALUES (${table.columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`;
		for (const row of rows) await ask(sql, row);
	},
	remove: (ask, table, keys) => eachKey(keys, (where, params) => ask(`DELETE FROM ${table.name} WHERE ${where} RETURNING ${columnNames(table)}`, params)),
	lastNumber: async (ask, { name, numbered }) => {
		const sql = numbered === "rowid" ? `SELECT max(rowid) AS last FROM ${name}` : `SELECT seq AS last FROM sqlite_sequence WHERE name = '${name}'`;
		return Number((await ask(sql))[0]?.["last"] ?? 0);
	},
	setNumber: async (ask, { name, numbered }, number) => {
		if (numbered === "rowid") return;
		await ask("INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)", [name, name]);
		await ask("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [number, name]);
	},
	logWrites: ({ name }, key) => {
		const keyIn = (row: string) => `json_object(${key.map((column) => `'${column}', ${row}."${column}"`).join(", ")})`;
		const note = (row: string) => `INSERT INTO move_log (name, row_key) VALUES ('${name}', ${keyIn(row)});`;
		const isOther = key.map((column) => `OLD."${column}" IS NOT NEW."${column}"`).join(" OR ");
		return [
			`CREATE TRIGGER IF NOT EXISTS move_log_${name}_added AFTER INSERT ON ${name} BEGIN ${note("NEW")} END`,
			`CREATE TRIGGER IF NOT EXISTS move_log_${name}_changed AFTER UPDATE ON ${name} BEGIN ${note("NEW")} END`,
			`CREATE TRIGGER IF NOT EXISTS move_log_${name}_renamed AFTER UPDATE ON ${name} WHEN ${isOther} BEGIN ${note("OLD")} END`,
			`CREATE TRIGGER IF NOT EXISTS move_log_${name}_removed AFTER DELETE ON ${name} BEGIN ${note("OLD")} END`,
		];
	},
	stopLogging: ({ name }) => ["added", "changed", "renamed", "removed"].map((what) => `DROP TRIGGER IF EXISTS move_log_${name}_${what}`),
	silence: async (ask) => {
		for (const { name } of await ask("SELECT name FROM sqlite_schema WHERE type = 'trigger'")) await ask(`DROP TRIGGER ${name}`);
	},
	restore: async (ask) => {
		const fresh = openWriter(":memory:");
		try {
			migrate(fresh, migrations);
			for (const { sql } of fresh.statement<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all()) await ask(sql);
		} finally {
			fresh.close();
		}
	},
};

/** How many of the first sizes fit into a page. */
function fitting(sizes: readonly number[]): number {
	let [count, bytes] = [0, 0];
	for (const size of sizes) {
		bytes += size;
		if (bytes > bytesPerPage && count > 0) return count;
		count++;
	}
	return count;
}

async function eachKey(keys: readonly RowKey[], run: (where: string, params: readonly Binding[]) => Promise<readonly Found[]>): Promise<readonly Found[]> {
	const found: Found[] = [];
	for (const key of keys) {
		const where = Object.keys(key).map((name) => `"${name}" = ?`);
		found.push(...(await run(where.join(" AND "), Object.values(key))));
	}
	return found;
}
