/** Syncs files and folders to disk, so that they survive a loss of power. A new or renamed file is only safe when its folder is synced as well. */

import { chmod, mkdir, open, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

export async function syncPath(path: string): Promise<void> {
	const opened = await open(path, "r").catch((thrown: unknown) => {
		// Windows cannot open a folder, and does not need this.
		if (process.platform === "win32") return null;
		throw thrown;
	});
	try {
		await opened?.sync();
	} finally {
		await opened?.close();
	}
}

/** Makes a folder and all missing folders above it. When this resolves, every new entry is on the disk. */
export async function makeFolder(path: string): Promise<void> {
	const first = await mkdir(path, { recursive: true, mode: 0o700 });
	if (first === undefined) return;
	for (let made = path; made.length >= first.length; made = dirname(made)) await syncPath(dirname(made));
}

/** Syncs a folder and all folders and files below it. Files that pass `isSafe` are on the disk already. */
export async function syncTree(folder: string, isSafe: (path: string) => Promise<boolean> = async () => false): Promise<void> {
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isDirectory() || (entry.isFile() && !(await isSafe(path)))) await syncPath(path);
	}
	await syncPath(folder);
}

/** Writes the file to disk with fsync before it is renamed, so that a crash leaves no incomplete file of this name. */
export async function syncAndRename(unfinished: string, file: string): Promise<void> {
	await syncPath(unfinished);
	await chmod(unfinished, 0o600);
	await rename(unfinished, file);
	await syncPath(dirname(file));
}
