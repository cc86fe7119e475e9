/** Restores an archive into a data folder: completely and verified against its manifest, or not at all. */

import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { extract } from "tar-stream";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import { type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { syncPath, syncTree } from "./sync-files.ts";

const manifestBytesMax = 1024 ** 3;

/** @param folder a missing or an empty one. @throws ServiceError `BACKUP_INVALID`, `DATA_DIR_UNUSABLE` */
export async function restoreBackup(file: string, folder: string): Promise<Manifest> {
	const entries = await readdir(folder).catch(() => []);
	if (entries.length > 0) throw fail("DATA_DIR_UNUSABLE", folder, "a backup is restored into an empty folder, so that nothing is overwritten");
	await mkdir(dirname(folder), { recursive: true });
	const unfinished = await mkdtemp(`${folder}.unfinished-`);
	try {
		const manifest = await unpackBackup(file, unfinished);
		await syncTree(unfinished);
		// Only an empty folder gives way.
		if (existsSync(folder)) await rmdir(folder);
		await rename(unfinished, folder);
		await syncPath(dirname(folder));
		return manifest;
	} finally {
		await rm(unfinished, { recursive: true, force: true });
	}
}

/** Every file is compared with the manifest. @throws ServiceError `BACKUP_INVALID` */
export async function unpackBackup(file: string, folder: string): Promise<Manifest> {
	const unpacked = new Map<string, string>();
	let manifest: Manifest | null = null;
	await mkdir(folder, { recursive: true, mode: 0o700 });
	try {
		for await (const entry of createReadStream(file).pipe(extract())) {
			const { name, type, size = 0 } = entry.header;
			if (manifest !== null) throw fail("BACKUP_INVALID", `${name} comes behind the manifest`);
			if (type !== "file" || !isSafe(name)) throw fail("BACKUP_INVALID", `it holds ${JSON.stringify(name)}, which is no plain file of a data folder`);
			if (name === manifestName) manifest = parseManifest(await textOf(entry, size));
			else if (unpacked.has(name)) throw fail("BACKUP_INVALID", `${name} is there twice`);
			else unpacked.set(name, await written(entry, join(folder, name)));
		}
	} catch (thrown) {
		if (thrown instanceof ServiceError) throw thrown;
		throw fail("BACKUP_INVALID", thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
	if (manifest === null) throw fail("BACKUP_INVALID", "it is cut off: there is no manifest");
	compare(manifest, unpacked);
	return manifest;
}

function compare({ files }: Manifest, unpacked: ReadonlyMap<string, string>): void {
	const damaged = files.filter(({ path, sha256 }) => unpacked.get(path) !== sha256).map(({ path }) => path);
	const listed = new Set(files.map(({ path }) => path));
	const strange = [...unpacked.keys()].filter((path) => !listed.has(path));
	const [first] = [...damaged, ...strange];
	if (first !== undefined) throw fail("BACKUP_INVALID", `${first} is not what the manifest says`);
}

/** Whether the path stays inside of the folder, on every operating system. */
function isSafe(name: string): boolean {
	return name !== "" && !/^[/\\]|^[A-Za-z]:|\\|\0/.test(name) && normalize(name) === name && !name.split("/").includes("..");
}

async function textOf(entry: AsyncIterable<unknown>, size: number): Promise<string> {
	if (size > manifestBytesMax) throw fail("BACKUP_INVALID", "its manifest is too large");
	const pieces: Uint8Array[] = [];
	for await (const piece of entry) pieces.push(piece as Uint8Array);
	return Buffer.concat(pieces).toString("utf8");
}

/** @returns the checksum of the written file */
async function written(entry: AsyncIterable<unknown>, path: string): Promise<string> {
	const hash = createHash("sha256");
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const file = await open(path, "wx", 0o600);
	try {
		for await (const given of entry) {
			const piece = given as Uint8Array;
			hash.update(piece);
			await writeAll(file, piece);
		}
	} finally {
		await file.close();
	}
	return hash.digest("hex");
}

/** One write may take only a part. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
	for (let done = 0; done < piece.byteLength; ) done += (await file.write(piece, done, piece.byteLength - done)).bytesWritten;
}
