/**
 * Locks a folder as long as this process or thread lives. The id of a process would not tell whether a copy is still being made: in two
 * containers it is the same one. It is a lock of SQLite on an empty file, which the system releases.
 */

import { Database } from "bun:sqlite";
import { join } from "node:path";

/** In the folder that is locked. */
export const stagingLockName = "backup-lock.sqlite";

export interface StagingLock extends Disposable {
	readonly [Symbol.dispose]: () => void;
}

/** References to the locks, because Bun closes a database without references. */
const held = new Set<Database>();

/** @returns null if somebody else has it for that long, or where the folder cannot be written to */
export function lockStaging(folder: string, waitMs: number): StagingLock | null {
	try {
		const db = new Database(join(folder, stagingLockName), { create: true, readwrite: true });
		held.add(db);
		const release = () => {
			held.delete(db);
			db.close();
		};
		try {
			db.run(`PRAGMA busy_timeout = ${waitMs}`);
			// Without a file beside it.
			db.run("PRAGMA journal_mode = MEMORY");
			db.run("BEGIN EXCLUSIVE");
		} catch {
			release();
			return null;
		}
		return { [Symbol.dispose]: release };
	} catch {
		return null;
	}
}
