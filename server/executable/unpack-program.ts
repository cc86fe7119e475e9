/** Unpacks the package of a single-file executable into the data folder, once for each version. */

import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** The name of the folder inside the data folder. */
const programs = "program";
/** A version that was not started for this long may be removed. */
const unusedMs = 7 * 24 * 3_600_000;
/** An unfinished folder, left by a start that was interrupted, may be removed after this long. */
const unfinishedMs = 3_600_000;

/**
 * Several processes may start at the same time: each unpacks separately, and the first one to finish wins.
 * @param archive reads a tar file compressed with zstd
 * @param digest names its content
 * @returns the folder that holds the package
 */
export async function unpackProgram(archive: () => Promise<Uint8Array<ArrayBuffer>>, digest: string, dataFolder: string): Promise<string> {
	const home = join(dataFolder, programs);
	const folder = join(home, digest);
	if (await isThere(folder)) {
		await utimes(folder, new Date(), new Date()).catch(() => undefined);
		return folder;
	}
	await mkdir(home, { recursive: true, mode: 0o700 });
	const unfinished = join(home, `${digest}.${process.pid}.unfinished`);
	await rm(unfinished, { recursive: true, force: true });
	await new Bun.Archive(await Bun.zstdDecompress(await archive())).extract(unfinished);
	await rename(unfinished, folder).catch(async (thrown: unknown) => {
		await rm(unfinished, { recursive: true, force: true });
		if (!(await isThere(folder))) throw thrown;
	});
	await removeUnused(home, digest);
	return folder;
}

async function removeUnused(home: string, digest: string): Promise<void> {
	for (const name of await readdir(home)) {
		const path = join(home, name);
		const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
		if (!name.startsWith(digest) && age > (name.endsWith(".unfinished") ? unfinishedMs : unusedMs)) await rm(path, { recursive: true, force: true });
	}
}

async function isThere(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}
