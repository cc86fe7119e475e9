/** Opens connections to the database file: the only one that writes, and those that read. */

import { Database, SQLiteError } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { fail } from "cairn-memory";
import { type Connection, connection } from "../sql/bun-connection.ts";

/** Five vectors of 384 dimensions fill a page of this size. On 4096 bytes only two would fit, and a fifth of the file would be empty. */
const pageBytes = 8192;

/**
 * How much of the file readers map into memory. A search reads a hundred rows from all over the file, and copying a page for each
 * took half of its time. SQLite cannot map more than this; the rest of a larger file is read in the usual way.
 */
const mappedBytesMax = 2 ** 31 - 2 ** 16;

/** How long a connection waits for a lock of another one. */
export const busyMs = 5_000;

/** The one connection that writes. */
export function openWriter(file: string): Connection {
	const db = new Database(file, { create: true, readwrite: true });
	for (const pragma of [
		`busy_timeout = ${busyMs}`,
		// Deleted content is overwritten with zeros, also on pages that become free.
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

/** A connection for searches, in any thread. A reader never waits for the writer, nor the writer for a reader. */
export function openReader(file: string): Connection {
	return openExisting(file, [`busy_timeout = ${busyMs}`, "query_only = ON", "temp_store = MEMORY", "cache_size = -32768", `mmap_size = ${mappedBytesMax}`]);
}

/**
 * A connection for maintenance, which scans tables from one end to the other and reads nothing twice, so that its cache is small. On
 * a connection for searches it would fill the cache of each thread before anybody has searched.
 */
export function openScanner(file: string): Connection {
	return openExisting(file, [`busy_timeout = ${busyMs}`, "query_only = ON", "temp_store = MEMORY", "cache_size = -2048"]);
}

/** SQLite does not say why it cannot open a file. If the file exists and is accessible, the process has no file handles left for it and its log. */
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
