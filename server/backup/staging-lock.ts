/**
 * Locks a folder as long as this process or thread lives. The id of a process would not tell whether a copy is still being made: in two
 * containers it is the same one. It is a lock of SQLite on an empty file, which the system releases.
 */

import { Database, SQLiteError } from "bun:sqlite";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** In the folder that is locked. */
export const stagingLockName = "backup-lock.sqlite";

const tryEveryMs = 50;

/** References to the locks, because Bun closes a database without references. */
const held = new Set<Database>();

/**
 * @returns "taken" if somebody else has it, and "impossible" where it cannot be known: the folder cannot be written to, or the file in it is
 * of another user of the system
 */
export function lockStaging(folder: string): Disposable | "taken" | "impossible" {
	let db: Database | null = null;
	try {
		db = new Database(join(folder, stagingLockName), { create: true, readwrite: true });
		db.run("PRAGMA busy_timeout = 0");
		// Without a file beside it.
		db.run("PRAGMA journal_mode = MEMORY");
		db.run("BEGIN EXCLUSIVE");
		// What can only be read is opened all the same, and then nothing is locked. This fails there, and is never committed elsewhere.
		db.run("PRAGMA user_version = 1");
	} catch (thrown) {
		db?.close();
		return thrown instanceof SQLiteError && thrown.code === "SQLITE_BUSY" ? "taken" : "impossible";
	}
	const locked = db;
	held.add(locked);
	return {
		[Symbol.dispose]: () => {
			held.delete(locked);
			locked.close();
		},
	};
}

/** Removes a copy, and its file of the lock last: without it a copy that was removed halfway when the process was killed would be left for a day. */
export async function removeStaged(path: string): Promise<void> {
	const names = await readdir(path).catch(() => []);
	for (const name of names) if (name !== stagingLockName) await rm(join(path, name), { recursive: true, force: true });
	await rm(path, { recursive: true, force: true });
}

/** Tries again and again, for so long at most. */
export async function waitForStaging(folder: string, waitMs: number): Promise<ReturnType<typeof lockStaging>> {
	for (const startedAt = performance.now(); ; await setTimeout(tryEveryMs)) {
		const lock = lockStaging(folder);
		if (lock !== "taken" || performance.now() - startedAt > waitMs) return lock;
	}
}
