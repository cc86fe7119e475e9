/** Puts the package of a single-file executable into the data folder, once for each version of it. */

import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** In the data folder. */
const programs = "program";
/** Of a version that nobody has started for so long another start may remove what is left. */
const unusedMs = 7 * 24 * 3_600_000;
/** A start that ended while it unpacked leaves its folder. */
const unfinishedMs = 3_600_000;

/**
 * Several may start at once: each unpacks for itself, and the first to be done wins.
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
