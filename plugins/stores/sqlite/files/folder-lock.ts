/** Locks a folder, so that no second server can use it. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { fail, type ServiceError } from "cairn-memory";
import { asStorageError } from "../writer/writer-protocol.ts";

export interface FolderLock {
	readonly release: () => void;
}

/** References to the locks, because Bun closes a database without references and would release its lock. */
const openLocks = new Set<Database>();

/**
 * The lock is an open exclusive transaction on a tiny database. It works on every system, and the system releases it when the process
 * ends in any way. A file with a process id would outlive a kill.
 */
export function lockFolder(folder: string): FolderLock {
	const file = join(folder, "lock.sqlite");
	const db = new Database(file, { create: true, readwrite: true });
	try {
		db.run("PRAGMA busy_timeout = 0");
		db.run("PRAGMA journal_mode = DELETE");
		db.run("BEGIN EXCLUSIVE");
	} catch (thrown) {
		db.close();
		throw lockError(thrown, file, folder);
	}
	openLocks.add(db);
	return {
		release() {
			openLocks.delete(db);
			db.close();
		},
	};
}

function lockError(thrown: unknown, file: string, folder: string): ServiceError {
	const error = asStorageError(thrown);
	if (error.code === "STORAGE_DAMAGED") return fail("STORAGE_DAMAGED", `${file} is not a lock file; it has no data and may be deleted`).because(thrown);
	const isBusy = thrown instanceof Error && "code" in thrown && /^SQLITE_(BUSY|LOCKED)/.test(String(thrown.code));
	return isBusy ? fail("STORAGE_BUSY", folder).because(thrown) : error;
}
