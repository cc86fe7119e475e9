/** The files of an index in their folder: a manifest, and the data file of one generation, which the manifest names. */

import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hex } from "./seal.ts";

export interface IndexFiles {
	readonly manifest: string;
	readonly data: string;
}

/** The common beginning of an index's file names. It is a hash, because what an index is of may have any character. */
export function stemOf(kind: string, addressKey: string): string {
	return `${kind}-${hex(Bun.hash.xxHash64(addressKey))}`;
}

/** @param ending of the data file, without the dot */
export function indexFiles(folder: string, stem: string, generation: string, ending: string): IndexFiles {
	return { manifest: join(folder, `${stem}.json`), data: join(folder, `${stem}-${generation}.${ending}`) };
}

export async function readManifestText({ manifest }: IndexFiles): Promise<string | null> {
	return readFile(manifest, "utf8").catch(() => null);
}

/** Makes a newly built file the index in one step, by replacing the manifest, which names it. */
export async function publishFiles(folder: string, { manifest, data }: IndexFiles, manifestText: string): Promise<void> {
	const draft = `${manifest}.tmp`;
	await rename(`${data}.tmp`, data);
	await writeFile(draft, manifestText);
	await syncPath(draft);
	await syncPath(folder);
	await rename(draft, manifest);
	await syncPath(folder);
}

/** Removes all files of an index but those that are named. A thread that has mapped an old file can still use it. */
export function removeFiles(folder: string, stem: string, kept: readonly string[]): Promise<void> {
	return removeWhere(folder, (name) => name.startsWith(stem) && !kept.includes(join(folder, name)));
}

/** Removes what interrupted builds have left, and the files of indexes that are not wanted any more. */
export function sweepFolder(folder: string, isWanted: (stem: string) => boolean): Promise<void> {
	return removeWhere(folder, (name) => name.endsWith(".tmp") || !isWanted(name.split(/[-.]/, 2).join("-")));
}

async function removeWhere(folder: string, isOld: (name: string) => boolean): Promise<void> {
	for (const name of await readdir(folder)) {
		// If a mapped file cannot be removed yet, the next sweep removes it.
		if (isOld(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
	}
}

/** Makes a file or folder durable. Without this a loss of power may leave a manifest that names empty files. */
export async function syncPath(path: string): Promise<void> {
	const file = await open(path, "r");
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}
