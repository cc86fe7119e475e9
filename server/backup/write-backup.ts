/** Data folder → one archive: a copy of the store, the server's secrets, and a manifest with the checksum of each file. */

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

/** Files and folders of a data folder that are backed up besides the store. Models can be fetched again. */
const beside = ["vault-key", "link-secret", "embedder"] as const;

export interface BackupPlan {
	readonly dataDir: string;
	readonly store: StoreTools;
	readonly now: Date;
	/** Is called with the bytes written so far, and in all. */
	readonly progress: (done: number, total: number) => void;
}

/** The archive is written in a new folder beside its target, then moved. @returns the manifest */
export async function writeBackup(file: string, { dataDir, store, now, progress }: BackupPlan): Promise<Manifest> {
	const workplace = await mkdtemp(`${file}.unfinished-`);
	const [unfinished, copy] = [join(workplace, "archive"), join(workplace, "copy")];
	try {
		await mkdir(join(copy, store.folder), { recursive: true, mode: 0o700 });
		await copyStore(store, join(dataDir, store.folder), join(copy, store.folder));
		const files = [...(await filesBelow(join(copy, store.folder), copy)), ...(await keptBesideStore(dataDir))];
		const manifest = await archive(files, unfinished, { version, createdAt: now.toISOString(), storage: store.tables.storage }, progress);
		await settled(unfinished, file);
		return manifest;
	} finally {
		await rm(workplace, { recursive: true, force: true });
	}
}

export interface Source {
	/** In the archive, and below the data folder. */
	readonly name: string;
	readonly path: string;
	readonly bytes: number;
}

/** What is backed up besides the store: secrets, and which embedder is used. */
export async function keptBesideStore(dataDir: string): Promise<readonly Source[]> {
	return (await Promise.all(beside.map((name) => filesBelow(join(dataDir, name), dataDir)))).flat();
}

/** Sorted by name. Empty for a missing path. */
async function filesBelow(place: string, root: string): Promise<readonly Source[]> {
	const found = await stat(place).catch(() => null);
	if (found === null) return [];
	if (found.isFile()) return [{ name: relative(root, place), path: place, bytes: found.size }];
	const entries = await readdir(place, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	return Promise.all(paths.toSorted().map(async (path) => ({ name: relative(root, path), path, bytes: (await stat(path)).size })));
}

type Facts = Pick<Manifest, "version" | "createdAt" | "storage">;

async function archive(files: readonly Source[], target: string, facts: Facts, progress: BackupPlan["progress"]): Promise<Manifest> {
	const packed = pack();
	const written = pipeline(packed, createWriteStream(target, { mode: 0o600, flags: "wx" }));
	const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
	let done = 0;
	const listed: Manifest["files"] = [];
	const filled = (async () => {
		for (const source of files) {
			const sha256 = await append(packed, source, (bytes) => {
				done += bytes;
				progress(done, total);
			});
			listed.push({ path: source.name, bytes: source.bytes, sha256 });
		}
		const manifest: Manifest = { format: 1, ...facts, files: listed };
		packed.entry({ name: manifestName, mode: 0o600 }, JSON.stringify(manifest));
		packed.finalize();
		return manifest;
	})();
	// Whichever fails first ends the other.
	filled.catch((thrown: unknown) => packed.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
	const [manifest] = await Promise.all([filled, written]);
	return manifest;
}

/** @returns the checksum of what went into the archive */
async function append(packed: Pack, { name, path, bytes }: Source, tell: (bytes: number) => void): Promise<string> {
	const hash = createHash("sha256");
	const entry = packed.entry({ name, size: bytes, mode: 0o600 });
	await pipeline(
		createReadStream(path),
		async function* (pieces: AsyncIterable<Uint8Array>) {
			for await (const piece of pieces) {
				hash.update(piece);
				tell(piece.byteLength);
				yield piece;
			}
		},
		entry,
	);
	return hash.digest("hex");
}

/** Synced to disk before it is renamed. */
export async function settled(unfinished: string, file: string): Promise<void> {
	await syncPath(unfinished);
	await chmod(unfinished, 0o600);
	await rename(unfinished, file);
	await syncPath(dirname(file));
}
