/**
 * Copies what the write-ahead log holds into the database file. SQLite would do that inside the commit that makes the log
 * too long, and whoever waits for that commit would wait for the copy and its two waits for the disk as well. Here it is
 * done after the answers are sent, and while writes queue up only when the log gets long.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import { busyMs } from "../connection.ts";

/** 4 MB, copied in about 4 ms. */
const pagesWorthwhile = 500;
/** 16 MB, copied in about 10 ms. A longer log makes every read slower, so beyond this it is copied even while commits wait. */
const pagesMax = 2_000;

interface LogState {
	readonly log: number;
	readonly checkpointed: number;
}

/** A disk that is full or broken fails no write here: all stays in the log, and the next commit says what is wrong. */
export function checkpoint({ statement }: Connection, isQuiet: boolean): void {
	try {
		// NOOP copies nothing and tells how much there is.
		const { log, checkpointed } = statement<LogState>("PRAGMA wal_checkpoint(NOOP)").get() ?? { log: 0, checkpointed: 0 };
		if (log - checkpointed >= (isQuiet ? pagesWorthwhile : pagesMax)) statement("PRAGMA wal_checkpoint(PASSIVE)").get();
	} catch {
		// It is tried again after the next group.
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
