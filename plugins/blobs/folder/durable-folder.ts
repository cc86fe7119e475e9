/** Makes and syncs folders, so that their entries survive a loss of power. */

import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder and all missing folders above it. When this resolves, every new entry is on the disk. */
export async function makeFolder(path: string): Promise<void> {
	const first = await mkdir(path, { recursive: true, mode: 0o700 });
	if (first === undefined) return;
	for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
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
