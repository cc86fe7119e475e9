/** A copy of the whole store as of one moment, while a server writes: the database by SQLite's own means, then the originals that it names. */

import { copyFile, link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fail } from "cairn-memory";
import { asStorageError } from "../writer/writer-protocol.ts";
import { databaseFile, examineDatabase, named } from "./database-file.ts";
import { neededBlobs, openForInspection } from "./inspect.ts";

/** An original may be removed for good between the copy of the database and its own: then all is copied once more. */
const triesMax = 3;

/** Index files are made anew from the tables. @throws ServiceError */
export async function copyFolder(folder: string, into: string): Promise<void> {
	for (let tries = 1; ; tries++) {
		copyDatabase(folder, into);
		const missing = await copyBlobs(folder, into);
		if (missing === null) return;
		if (tries === triesMax) throw fail("STORAGE_DAMAGED", `${missing} is missing of the original files`);
		await rm(databaseFile(into), { force: true });
	}
}

/** Writes go on meanwhile; the copy has no free pages, and so nothing of what was deleted. */
function copyDatabase(folder: string, into: string): void {
	const file = databaseFile(folder);
	try {
		examineDatabase(folder, { open: openForInspection, looksThrough: false });
		const opened = openForInspection(file);
		try {
			opened.statement("VACUUM INTO ?").run(databaseFile(into));
		} finally {
			opened.close();
		}
	} catch (thrown) {
		throw named(asStorageError(thrown), file);
	}
}

/** @returns the path of the first that is not there, null when all are. */
async function copyBlobs(folder: string, into: string): Promise<string | null> {
	const copy = openForInspection(databaseFile(into));
	try {
		for (const path of neededBlobs(folder, copy.statement)) {
			const target = join(into, relative(folder, path));
			if ((await stat(target).catch(() => null)) !== null) continue;
			await mkdir(dirname(target), { recursive: true });
			if (!(await placed(path, target))) return path;
		}
		return null;
	} finally {
		copy.close();
	}
}

/** A blob never changes, so a second name for it will do where both are on one file system. */
async function placed(path: string, target: string): Promise<boolean> {
	try {
		await link(path, target).catch(() => copyFile(path, target));
		return true;
	} catch (thrown) {
		if ((await stat(path).catch(() => null)) === null) return false;
		throw asStorageError(thrown);
	}
}
