/** The files in a folder of blobs. Links are none of them, and are not followed. */

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { asId, type HeldBlob, type OrganisationId } from "cairn-memory";
import { unfinishedFolder } from "./blobs.ts";

/** When a file came to its place is the system's to say, whatever time was written on it. */
export async function* blobsIn(folder: string): AsyncGenerator<HeldBlob> {
	for (const organisation of await names(folder, "folder")) {
		if (organisation === unfinishedFolder) continue;
		for (const shelf of await names(join(folder, organisation), "folder")) {
			for (const key of await names(join(folder, organisation, shelf), "file")) {
				const stats = await lstat(join(folder, organisation, shelf, key)).catch(() => null);
				if (stats !== null) yield { organisation: asId<OrganisationId>(organisation), key, writtenAt: stats.mtime, placedAt: stats.ctime };
			}
		}
	}
}

export async function* halvesIn(folder: string): AsyncGenerator<{ readonly path: string; readonly writtenAt: Date; readonly placedAt: Date }> {
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
