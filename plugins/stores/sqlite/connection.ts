/** Opens connections to the database file: the one that writes, and those that read. */

import { Database, SQLiteError } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { fail } from "cairn-memory";
import { type Connection, connection } from "../sql/bun-connection.ts";

/** Five vectors of 384 dimensions fill such a page; on 4096 bytes two would, and a fifth of the file stood empty. */
const pageBytes = 8192;

/**
 * Readers see the file through its mapping: a search reads a hundred rows that lie all over it, and to copy a page for each
 * took half its time. SQLite maps no more than this; what is beyond is read as ever.
 */
const mappedBytesMax = 2 ** 31 - 2 ** 16;

/** How long a connection waits for another that has what it needs. */
export const busyMs = 5_000;

/** The one connection that writes. */
export function openWriter(file: string): Connection {
	const db = new Database(file, { create: true, readwrite: true });
	for (const pragma of [
		`busy_timeout = ${busyMs}`,
		// What is deleted is overwritten with zeros, on the pages that become free as well.
		"secure_delete = ON",
		`page_size = ${pageBytes}`,
		"journal_mode = WAL",
		"synchronous = NORMAL",
		"temp_store = MEMORY",
		"cache_size = -32768",
		"wal_autocheckpoint = 0", // see `checkpoint`
		"journal_size_limit = 67108864",
	])
		db.run(`PRAGMA ${pragma}`);
	return connection(db);
}

/** For reads only, from any thread. A reader never waits for the writer, nor the writer for a reader. */
export function openReader(file: string): Connection {
	return openExisting(file, [`busy_timeout = ${busyMs}`, "query_only = ON", "temp_store = MEMORY", "cache_size = -32768", `mmap_size = ${mappedBytesMax}`]);
}

/**
 * For upkeep, which goes through tables from one end to the other: nothing it has read is read again soon. On a connection
 * for searches it would fill what memory that one may take, in each thread, before anybody has searched.
 */
export function openScanner(file: string): Connection {
	return openExisting(file, [`busy_timeout = ${busyMs}`, "query_only = ON", "temp_store = MEMORY", "cache_size = -2048"]);
}

/** SQLite does not say why it cannot open a file. Where it is there and may be opened, what lacks are the handles for it and its companions. */
function openExisting(file: string, pragmas: readonly string[]): Connection {
	try {
		const db = new Database(file, { create: false, readwrite: true });
		for (const pragma of pragmas) db.run(`PRAGMA ${pragma}`);
		return connection(db);
	} catch (thrown) {
		if (thrown instanceof SQLiteError && thrown.code === "SQLITE_CANTOPEN" && isAccessible(file)) throw fail("OPEN_FILES_EXHAUSTED").because(thrown);
		throw thrown;
	}
}

function isAccessible(file: string): boolean {
	try {
		accessSync(file, constants.R_OK | constants.W_OK);
		return true;
	} catch {
		return false;
	}
}
