/** Restores a backup archive into a data folder: either completely and verified against its manifest, or not at all. */

import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { extract } from "tar-stream";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import { type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { syncPath, syncTree } from "./sync-files.ts";

const manifestBytesMax = 1024 ** 3;

/** @param folder a path that does not exist, or an empty folder. @throws ServiceError `BACKUP_INVALID`, `DATA_DIR_UNUSABLE` */
export async function restoreBackup(file: string, folder: string): Promise<Manifest> {
	const entries = await readdir(folder).catch(() => []);
	if (entries.length > 0) throw fail("DATA_DIR_UNUSABLE", folder, "a backup is restored into an empty folder, so that nothing is overwritten");
	await mkdir(dirname(folder), { recursive: true });
	const unfinished = await mkdtemp(`${folder}.unfinished-`);
	try {
		const manifest = await unpackBackup(file, unfinished);
		await syncTree(unfinished);
		// `rmdir` fails if files have been added to the folder meanwhile.
		if (existsSync(folder)) await rmdir(folder);
		await rename(unfinished, folder);
		await syncPath(dirname(folder));
		return manifest;
	} finally {
		await rm(unfinished, { recursive: true, force: true });
	}
}

/** Compares the checksum of every file with the manifest. @throws ServiceError `BACKUP_INVALID` */
export async function unpackBackup(file: string, folder: string): Promise<Manifest> {
	const checksums = new Map<string, string>();
	let manifest: Manifest | null = null;
	await mkdir(folder, { recursive: true, mode: 0o700 });
	try {
		for await (const entry of createReadStream(file).pipe(extract())) {
			const { name, type, size = 0 } = entry.header;
			if (manifest !== null) throw fail("BACKUP_INVALID", `${name} comes after the manifest`);
			if (type !== "file" || !isSafe(name)) throw fail("BACKUP_INVALID", `it contains ${JSON.stringify(name)}, which is not a regular file of a data folder`);
			if (name === manifestName) manifest = parseManifest(await textOf(entry, size));
			else if (checksums.has(name)) throw fail("BACKUP_INVALID", `it contains ${name} twice`);
			else checksums.set(name, await writeEntry(entry, join(folder, name)));
		}
	} catch (thrown) {
		if (thrown instanceof ServiceError) throw thrown;
		throw fail("BACKUP_INVALID", thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
	if (manifest === null) throw fail("BACKUP_INVALID", "it is incomplete: there is no manifest at its end");
	checkAgainstManifest(manifest, checksums);
	return manifest;
}

function checkAgainstManifest({ files }: Manifest, checksums: ReadonlyMap<string, string>): void {
	const damaged = files.filter(({ path, sha256 }) => checksums.get(path) !== sha256).map(({ path }) => path);
	const listed = new Set(files.map(({ path }) => path));
	const unlisted = [...checksums.keys()].filter((path) => !listed.has(path));
	const [firstMismatch] = [...damaged, ...unlisted];
	if (firstMismatch !== undefined) throw fail("BACKUP_INVALID", `${firstMismatch} does not match the manifest`);
}

/** Whether the path stays inside the folder on every operating system. */
function isSafe(name: string): boolean {
	return name !== "" && !/^[/\\]|^[A-Za-z]:|\\|\0/.test(name) && normalize(name) === name && !name.split("/").includes("..");
}

async function textOf(entry: AsyncIterable<unknown>, size: number): Promise<string> {
	if (size > manifestBytesMax) throw fail("BACKUP_INVALID", "its manifest is too large");
	const pieces: Uint8Array[] = [];
	for await (const piece of entry) pieces.push(piece as Uint8Array);
	return Buffer.concat(pieces).toString("utf8");
}

/** @returns the SHA-256 checksum of the file, in hex */
async function writeEntry(entry: AsyncIterable<unknown>, path: string): Promise<string> {
	const hash = createHash("sha256");
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const file = await open(path, "wx", 0o600);
	try {
		for await (const chunk of entry) {
			const piece = chunk as Uint8Array;
			hash.update(piece);
			await writeAll(file, piece);
		}
	} finally {
		await file.close();
	}
	return hash.digest("hex");
}

/** Calls `write` until everything is written, since one call may write only a part. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
	for (let written = 0; written < piece.byteLength; ) written += (await file.write(piece, written, piece.byteLength - written)).bytesWritten;
}
