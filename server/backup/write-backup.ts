/** Writes a data folder into one tar archive: a copy of the store, the server's secrets, and a manifest with the checksum of each file. */

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { version } from "../version.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { copyStore, type StoreTools } from "./store-tools.ts";
import { syncPath } from "./sync-files.ts";

/** Files and folders of a data folder that are backed up besides the store. Models are left out, since they can be downloaded again. */
const backedUpBesidesStore = ["vault-key", "link-secret", "embedder"] as const;

export interface BackupPlan {
	readonly dataDir: string;
	readonly store: StoreTools;
	readonly now: Date;
	/** Called with the bytes written so far and the total. */
	readonly progress: (bytesDone: number, total: number) => void;
}

/** Writes the archive in a temporary folder beside its target, then moves it. @returns the manifest */
export async function writeBackup(file: string, { dataDir, store, now, progress }: BackupPlan): Promise<Manifest> {
	const temporaryFolder = await mkdtemp(`${file}.unfinished-`);
	const [unfinished, copy] = [join(temporaryFolder, "archive"), join(temporaryFolder, "copy")];
	try {
		await mkdir(join(copy, store.folder), { recursive: true, mode: 0o700 });
		await copyStore(store, join(dataDir, store.folder), join(copy, store.folder));
		const files = [...(await filesBelow(join(copy, store.folder), copy)), ...(await filesBesideStore(dataDir))];
		const manifest = await archive(files, unfinished, { version, createdAt: now.toISOString(), storage: store.tables.storage }, progress);
		await syncAndRename(unfinished, file);
		return manifest;
	} finally {
		await rm(temporaryFolder, { recursive: true, force: true });
	}
}

export interface Source {
	/** The path in the archive, and below the data folder. */
	readonly name: string;
	readonly path: string;
	readonly bytes: number;
}

/** What is backed up besides the store: secrets, and which embedder is used. */
export async function filesBesideStore(dataDir: string): Promise<readonly Source[]> {
	return (await Promise.all(backedUpBesidesStore.map((name) => filesBelow(join(dataDir, name), dataDir)))).flat();
}

/** A file, or all files below a folder, sorted by name; empty if the path does not exist. */
async function filesBelow(start: string, root: string): Promise<readonly Source[]> {
	const stats = await stat(start).catch(() => null);
	if (stats === null) return [];
	if (stats.isFile()) return [{ name: relative(root, start), path: start, bytes: stats.size }];
	const entries = await readdir(start, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	return Promise.all(paths.toSorted().map(async (path) => ({ name: relative(root, path), path, bytes: (await stat(path)).size })));
}

type ManifestHeader = Pick<Manifest, "version" | "createdAt" | "storage">;

async function archive(files: readonly Source[], target: string, header: ManifestHeader, progress: BackupPlan["progress"]): Promise<Manifest> {
	const tar = pack();
	const written = pipeline(tar, createWriteStream(target, { mode: 0o600, flags: "wx" }));
	const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
	let bytesDone = 0;
	const manifestFiles: Manifest["files"] = [];
	const appended = (async () => {
		for (const source of files) {
			const sha256 = await append(tar, source, (bytes) => {
				bytesDone += bytes;
				progress(bytesDone, total);
			});
			manifestFiles.push({ path: source.name, bytes: source.bytes, sha256 });
		}
		const manifest: Manifest = { format: 1, ...header, files: manifestFiles };
		tar.entry({ name: manifestName, mode: 0o600 }, JSON.stringify(manifest));
		tar.finalize();
		return manifest;
	})();
	// If reading fails, writing is ended too.
	appended.catch((thrown: unknown) => tar.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
	const [manifest] = await Promise.all([appended, written]);
	return manifest;
}

/** @returns the SHA-256 checksum of the archived bytes, in hex */
async function append(tar: Pack, { name, path, bytes }: Source, onBytes: (bytes: number) => void): Promise<string> {
	const hash = createHash("sha256");
	const entry = tar.entry({ name, size: bytes, mode: 0o600 });
	await pipeline(
		createReadStream(path),
		async function* (pieces: AsyncIterable<Uint8Array>) {
			for await (const piece of pieces) {
				hash.update(piece);
				onBytes(piece.byteLength);
				yield piece;
			}
		},
		entry,
	);
	return hash.digest("hex");
}

/** Writes the file to disk with fsync before it is renamed, so that a crash leaves no incomplete backup. */
export async function syncAndRename(unfinished: string, file: string): Promise<void> {
	await syncPath(unfinished);
	await chmod(unfinished, 0o600);
	await rename(unfinished, file);
	await syncPath(dirname(file));
}
