/** Lists the files in a folder of blobs. Symbolic links are ignored. */

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { asId, type HeldBlob, type OrganisationId } from "cairn-memory";
import { unfinishedFolder } from "./blobs.ts";

/** All blobs. `placedAt` is the ctime, which, unlike the mtime, no program can set. */
export async function* blobsIn(folder: string): AsyncGenerator<HeldBlob> {
	for (const organisation of await names(folder, "folder")) {
		if (organisation === unfinishedFolder) continue;
		for (const prefix of await names(join(folder, organisation), "folder")) {
			for (const key of await names(join(folder, organisation, prefix), "file")) {
				const stats = await lstat(join(folder, organisation, prefix, key)).catch(() => null);
				if (stats !== null)
					yield { organisation: asId<OrganisationId>(organisation), key, writtenAt: stats.mtime, placedAt: stats.ctime, byteLength: stats.size };
			}
		}
	}
}

/** Files whose writing has not ended, or was interrupted. */
export async function* unfinishedIn(folder: string): AsyncGenerator<{ readonly path: string; readonly writtenAt: Date; readonly placedAt: Date }> {
	for (const name of await names(join(folder, unfinishedFolder), "file")) {
		const path = join(folder, unfinishedFolder, name);
		const stats = await lstat(path).catch(() => null);
		if (stats !== null) yield { path, writtenAt: stats.mtime, placedAt: stats.ctime };
	}
}

async function names(folder: string, kind: "file" | "folder"): Promise<readonly string[]> {
	const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => (kind === "file" ? entry.isFile() : entry.isDirectory())).map(({ name }) => name);
}
