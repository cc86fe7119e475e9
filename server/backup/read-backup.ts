/** Restores a backup into a data folder: either completely and verified against its manifest, or not at all. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import { asStartError } from "../boot/start-error.ts";
import { type ByteProgress, byteCounter } from "./byte-counter.ts";
import { eachOf } from "./each-of.ts";
import { type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { writeAll } from "./places/folder-place.ts";
import { type BackupPlace, readText } from "./places/place.ts";
import { syncPath, syncTree } from "./sync-files.ts";
import { objectName, requestsAtOnce } from "./write-objects.ts";

const manifestBytesMax = 1024 ** 3;

export interface BackupSource {
	readonly place: BackupPlace;
	/** An archive, or the manifest of an incremental backup. */
	readonly name: string;
}

/** @param folder a path that does not exist, or an empty folder. @throws ServiceError `BACKUP_INVALID`, `DATA_DIR_UNUSABLE` */
export async function restoreBackup(source: BackupSource, folder: string, progress?: ByteProgress): Promise<Manifest> {
	const entries = await readdir(folder).catch(() => []);
	if (entries.length > 0) throw fail("DATA_DIR_UNUSABLE", folder, "a backup is restored into an empty folder, so that nothing is overwritten");
	await mkdir(dirname(folder), { recursive: true });
	const unfinished = await mkdtemp(`${folder}.unfinished-`);
	try {
		const manifest = await unpackBackup(source, unfinished, progress);
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

/** Compares the checksum of every file with the manifest. @throws ServiceError `BACKUP_INVALID`, and what the place and the disk answer */
export async function unpackBackup({ place, name }: BackupSource, folder: string, progress: ByteProgress = () => undefined): Promise<Manifest> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	try {
		return await (name.endsWith(".json") ? unpackObjects(place, name, folder, progress) : unpackArchive(place, name, folder, progress));
	} catch (thrown) {
		if (thrown instanceof ServiceError) throw thrown;
		throw asStartError(thrown) ?? fail("BACKUP_INVALID", thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
}

async function unpackArchive(place: BackupPlace, name: string, folder: string, progress: ByteProgress): Promise<Manifest> {
	const [archive, total] = [await place.read(name), (await place.list("")).find((file) => file.name === name)?.bytes ?? 0];
	if (archive === null) throw fail("BACKUP_INVALID", `there is no ${name} in ${place.address}`);
	const checksums = new Map<string, string>();
	let manifest: Manifest | null = null;
	const onBytes = byteCounter(total, progress);
	const entries = extract();
	const reading = pipeline(Readable.from(archive), entries);
	// The loop ends with the same error.
	reading.catch(() => undefined);
	for await (const entry of entries) {
		const { name: path, type, size = 0 } = entry.header;
		if (manifest !== null) throw fail("BACKUP_INVALID", `${path} comes after the manifest`);
		if (type !== "file" || !isSafe(path)) throw notOfDataFolder(path);
		if (path === manifestName) manifest = parseManifest(await textOf(entry, size));
		else if (checksums.has(path)) throw fail("BACKUP_INVALID", `it contains ${path} twice`);
		else checksums.set(path, await writeEntry(entry, join(folder, path), onBytes));
	}
	await reading;
	if (manifest === null) throw fail("BACKUP_INVALID", "it is incomplete: there is no manifest at its end");
	checkAgainstManifest(manifest, checksums);
	return manifest;
}

async function unpackObjects(place: BackupPlace, name: string, folder: string, progress: ByteProgress): Promise<Manifest> {
	const text = await readText(place, name);
	if (text === null) throw fail("BACKUP_INVALID", `there is no ${name} in ${place.address}`);
	const manifest = parseManifest(text);
	const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
	const checksums = new Map<string, string>();
	const onBytes = byteCounter(total, progress);
	await eachOf(manifest.files, requestsAtOnce, async ({ path, sha256 }) => {
		if (!isSafe(path)) throw notOfDataFolder(path);
		if (!/^[0-9a-f]{64}$/.test(sha256)) throw fail("BACKUP_INVALID", `its manifest has no checksum for ${path}`);
		const pieces = await place.read(objectName(sha256));
		if (pieces === null) throw fail("BACKUP_INVALID", `${path} is missing: there is no ${objectName(sha256)} in ${place.address}`);
		checksums.set(path, await writeEntry(pieces, join(folder, path), onBytes));
	});
	checkAgainstManifest(manifest, checksums);
	return manifest;
}

function notOfDataFolder(path: string): ServiceError {
	return fail("BACKUP_INVALID", `it contains ${JSON.stringify(path)}, which is not a regular file of a data folder`);
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
async function writeEntry(entry: AsyncIterable<unknown>, path: string, onBytes: (bytes: number) => void): Promise<string> {
	const hash = createHash("sha256");
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await using file = await open(path, "wx", 0o600);
	for await (const chunk of entry) {
		const piece = chunk as Uint8Array;
		hash.update(piece);
		await writeAll(file, piece);
		onBytes(piece.byteLength);
	}
	return hash.digest("hex");
}
