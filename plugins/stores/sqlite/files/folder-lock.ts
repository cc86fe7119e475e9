/** Keeps a second server out of a folder that one already uses. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { fail, type ServiceError } from "cairn-memory";
import { asStorageError } from "../writer/writer-protocol.ts";

export interface FolderLock {
	readonly release: () => void;
}

/** Bun closes a database without references, and the lock would go with it. */
const held = new Set<Database>();

/**
 * An open exclusive transaction on a tiny database is a lock that works on every system and that the system itself
 * takes away when the process dies, however it dies. A file with a process id in it would outlive a kill.
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
		throw refusal(thrown, file, folder);
	}
	held.add(db);
	return {
		release() {
			held.delete(db);
			db.close();
		},
	};
}

function refusal(thrown: unknown, file: string, folder: string): ServiceError {
	const error = asStorageError(thrown);
	if (error.code === "STORAGE_DAMAGED") return fail("STORAGE_DAMAGED", `${file} is no lock; it holds nothing and may be removed`).because(thrown);
	const isBusy = thrown instanceof Error && "code" in thrown && /^SQLITE_(BUSY|LOCKED)/.test(String(thrown.code));
	return isBusy ? fail("STORAGE_BUSY", folder).because(thrown) : error;
}
