/** Unpacks the package of a single-file executable into the data folder, once for each version. */

import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** The name of the folder inside the data folder. */
const programsFolderName = "program";
/** A version that was not started for this long may be removed. */
const unusedMs = 7 * 24 * 3_600_000;
/** An unfinished folder, left by a start that was interrupted, may be removed after this long. */
const unfinishedMs = 3_600_000;

/**
 * Several processes may start at the same time: each unpacks separately, and the first one to finish wins.
 * @param archive reads a tar file compressed with zstd
 * @param digest identifies the content of the archive
 * @returns the folder that contains the package
 */
export async function unpackProgram(archive: () => Promise<Uint8Array<ArrayBuffer>>, digest: string, dataFolder: string): Promise<string> {
	const programsFolder = join(dataFolder, programsFolderName);
	const folder = join(programsFolder, digest);
	if (await isFolder(folder)) {
		await utimes(folder, new Date(), new Date()).catch(() => undefined);
		return folder;
	}
	await mkdir(programsFolder, { recursive: true, mode: 0o700 });
	const unfinished = join(programsFolder, `${digest}.${process.pid}.unfinished`);
	await rm(unfinished, { recursive: true, force: true });
	await new Bun.Archive(await Bun.zstdDecompress(await archive())).extract(unfinished);
	await rename(unfinished, folder).catch(async (thrown: unknown) => {
		await rm(unfinished, { recursive: true, force: true });
		if (!(await isFolder(folder))) throw thrown;
	});
	await removeUnused(programsFolder, digest);
	return folder;
}

async function removeUnused(programsFolder: string, digest: string): Promise<void> {
	for (const name of await readdir(programsFolder)) {
		const path = join(programsFolder, name);
		const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
		if (!name.startsWith(digest) && age > (name.endsWith(".unfinished") ? unfinishedMs : unusedMs)) await rm(path, { recursive: true, force: true });
	}
}

async function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}
