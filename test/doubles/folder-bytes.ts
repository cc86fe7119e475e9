/** Reads every file of a folder, also while a server writes and deletes in it. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A server that deletes without a pause would never leave a folder still. */
const mostPasses = 50;

/**
 * The bytes of all files below the folder, by their paths.
 * If a file goes while it is read, all are listed and read again, since it may only have been renamed.
 */
export async function bytesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
	for (let pass = 1; ; pass++) {
		try {
			const entries = await readdir(folder, { recursive: true, withFileTypes: true });
			const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
			return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
		} catch (error) {
			if (pass === mostPasses || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		}
	}
}
