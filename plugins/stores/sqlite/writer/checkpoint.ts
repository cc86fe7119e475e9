/**
 * Copies the write-ahead log into the database file. By itself SQLite would do this within the commit that makes the log too long, so
 * that this write would take much longer. Here it is done after the answers are sent; if writes are waiting, only when the log is long.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import { busyMs } from "../connection.ts";

/** From this length on the log is copied if no writes are waiting. 4 MB are copied in about 4 ms. */
const pagesMin = 500;
/** From this length on the log is copied even if writes are waiting, because a long log makes every read slower. 16 MB are copied in about 10 ms. */
const pagesMax = 2_000;

/** Numbers of pages. */
interface LogState {
	readonly log: number;
	readonly checkpointed: number;
}

/**
 * Errors are ignored: everything stays in the log, and the next commit reports a full or broken disk.
 * @param isQuiet whether no writes are waiting.
 */
export function checkpoint({ statement }: Connection, isQuiet: boolean): void {
	try {
		// NOOP copies nothing and returns the length of the log.
		const { log, checkpointed } = statement<LogState>("PRAGMA wal_checkpoint(NOOP)").get() ?? { log: 0, checkpointed: 0 };
		if (log - checkpointed >= (isQuiet ? pagesMin : pagesMax)) statement("PRAGMA wal_checkpoint(PASSIVE)").get();
	} catch {
		// The next group tries again.
	}
}

/** Copies the whole log into the database and truncates it, without waiting for readers. @returns whether that was possible. */
export function emptyLog({ db }: Connection): boolean {
	db.run("PRAGMA busy_timeout = 0");
	try {
		return db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
	} finally {
		db.run(`PRAGMA busy_timeout = ${busyMs}`);
	}
}
