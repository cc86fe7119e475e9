/** Makes and syncs folders, so that their entries survive a loss of power. */

import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { BoundedMap } from "cairn-memory/words";

/** The entry of one that was forgotten is synced again. */
const foldersMax = 10_000;

/** Makes a folder and all missing folders above it. When it resolves, their entries are on the disk. */
export type FolderMaker = (path: string) => Promise<void>;

/**
 * A folder that is there may have been made by a call that is still syncing, or by a process that was killed before it did. So the entry of
 * each folder below `top` is synced once, whoever made it.
 */
export function folderMaker(top: string, sync: typeof syncFolder = syncFolder): FolderMaker {
	const entries = new BoundedMap<string, Promise<void>>(foldersMax);

	function syncEntry(folder: string): Promise<void> {
		const known = entries.get(folder);
		if (known !== undefined) return known;
		const syncing = sync(dirname(folder));
		entries.set(folder, syncing);
		syncing.catch(() => entries.delete(folder));
		return syncing;
	}

	return async (path) => {
		const first = await mkdir(path, { recursive: true, mode: 0o700 });
		const isNew = (folder: string) => first !== undefined && folder.length >= first.length;
		for (let folder = path; folder.length > top.length || isNew(folder); folder = dirname(folder)) {
			if (isNew(folder)) entries.delete(folder);
			await syncEntry(folder);
		}
	};
}

/** A new or renamed file is only safe when its folder is synced as well. */
export async function syncFolder(path: string): Promise<void> {
	// Windows cannot open a folder, and does not need this.
	if (process.platform === "win32") return;
	const folder = await open(path, "r");
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}
