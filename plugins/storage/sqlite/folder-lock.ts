/** Keeps a second server out of a folder that one already uses. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { fail } from "cairn";

export interface FolderLock {
	readonly release: () => void;
}

/** Bun closes a database that nobody refers to any more, and with it would go the lock. */
const held = new Set<Database>();

/**
 * An open exclusive transaction on a tiny database is a lock that works on every system and that the system itself
 * takes away when the process dies, however it dies. A file with a process id in it would outlive a kill.
 */
export function lockFolder(folder: string): FolderLock {
	const db = new Database(join(folder, "lock.sqlite"), { create: true, readwrite: true });
	try {
		db.run("PRAGMA busy_timeout = 0");
		db.run("PRAGMA journal_mode = DELETE");
		db.run("BEGIN EXCLUSIVE");
	} catch (thrown) {
		db.close();
		throw fail("STORAGE_BUSY", folder).because(thrown);
	}
	held.add(db);
	return {
		release() {
			held.delete(db);
			db.close();
		},
	};
}
