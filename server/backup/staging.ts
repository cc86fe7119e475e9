/** The copy of a store from which a backup is made. It is removed in every case. */

import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rmdir, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { megabytes } from "../commands/progress-bar.ts";
import { unfinishedMark } from "./places/folder-place.ts";
import type { BackupPlace } from "./places/place.ts";
import { lockStaging, removeStaged, stagingLockName, waitForStaging } from "./staging-lock.ts";
import type { CopyFolders } from "./store-tools.ts";
import { makeFolder } from "./sync-files.ts";

/** Files and folders of a data folder that are backed up besides the store. Models are left out, since they can be downloaded again. */
const backedUpBesidesStore = ["vault-key", "link-secret", "embedder"] as const;
/** In the data folder, followed by the id of the process, which is for whoever looks. */
const stagingName = "unfinished-backup-";
/** While a copy is begun, or what is left is looked through. Removing a copy takes seconds. */
const lockWaitMs = 60_000;
/** Versions before this one did not lock their copies. */
const unlockedMsMax = 24 * 60 * 60_000;

export interface Source {
	/** The path in the backup, and below the data folder. */
	readonly name: string;
	readonly path: string;
	readonly bytes: number;
}

export interface Staging extends AsyncDisposable {
	/** The folders with the copy of the store. */
	readonly folders: CopyFolders;
	/** Copies what is backed up besides the store. */
	readonly addOthers: () => Promise<void>;
	/** All files that were copied. */
	readonly files: () => Promise<readonly Source[]>;
}

/**
 * Originals are linked in the data folder. Tables are copied beside a backup that goes to a folder, which has room for them, and otherwise
 * to the data folder.
 * @param storeFolder the name of the store's folder in the data folder
 */
export async function openStaging(dataDir: string, storeFolder: string, place: BackupPlace, name: string): Promise<Staging> {
	await removeLeftovers(dataDir);
	const { links, tables, locks } = await stagingFolders(dataDir, place, name);
	const roots = [...new Set([links, tables])];
	const dispose = async () => {
		for (const root of roots) await removeStaged(root);
		for (const lock of locks) lock?.[Symbol.dispose]();
	};
	try {
		if (tables === links) await demandRoom(join(dataDir, storeFolder), tables);
		for (const root of roots) await mkdir(join(root, storeFolder), { recursive: true, mode: 0o700 });
	} catch (thrown) {
		await dispose();
		throw thrown;
	}
	return {
		folders: { tables: join(tables, storeFolder), originals: join(links, storeFolder) },
		addOthers: async () => {
			for (const { name: file, path } of await filesBesideStore(dataDir)) {
				await mkdir(dirname(join(tables, file)), { recursive: true, mode: 0o700 });
				await copyFile(path, join(tables, file));
			}
		},
		files: async () => (await Promise.all(roots.map((root) => filesBelow(root, root)))).flat().filter((file) => file.name !== stagingLockName),
		[Symbol.asyncDispose]: dispose,
	};
}

interface StagingFolders {
	readonly links: string;
	readonly tables: string;
	/** On both, so that nobody takes them for ones that were left. */
	readonly locks: readonly (Disposable | null)[];
}

async function stagingFolders(dataDir: string, { folder }: BackupPlace, name: string): Promise<StagingFolders> {
	if (folder !== null) await makeFolder(folder);
	const beside = folder === null ? null : await mkdtemp(join(folder, `${name}${unfinishedMark}`));
	const besideLock = beside === null ? null : lockOn(beside);
	try {
		// A data folder that cannot be written to can be backed up too; then originals are copied.
		const beginning = await waitForStaging(dataDir, lockWaitMs);
		using _beginning = typeof beginning === "string" ? null : beginning;
		const links = await mkdtemp(join(dataDir, `${stagingName}${process.pid}-`)).catch(() => beside ?? mkdtemp(join(tmpdir(), stagingName)));
		return { links, tables: beside ?? links, locks: [besideLock, links === beside ? null : lockOn(links)] };
	} catch (thrown) {
		if (beside !== null) await removeStaged(beside);
		besideLock?.[Symbol.dispose]();
		throw thrown;
	}
}

function lockOn(folder: string): Disposable | null {
	const lock = lockStaging(folder);
	return typeof lock === "string" ? null : lock;
}

/** Removes what killed processes have left in the data folder. What nobody has locked is left, unless somebody is just about to. */
export async function removeLeftovers(dataDir: string): Promise<void> {
	if ((await stagedIn(dataDir)).length === 0) return;
	// Where another user of the system has made the file, the locks of the copies have to do.
	const nobodyBegins = await waitForStaging(dataDir, lockWaitMs);
	if (nobodyBegins === "taken") return;
	using _nobodyBegins = nobodyBegins === "impossible" ? null : nobodyBegins;
	for (const folder of await stagedIn(dataDir)) {
		if (await mayBeUnlocked(folder)) {
			// Nobody is between making a folder and locking it, so an empty one is left from a kill just there.
			if (nobodyBegins !== "impossible") await rmdir(folder).catch(() => undefined);
			continue;
		}
		const lock = lockOn(folder);
		lock?.[Symbol.dispose]();
		if (lock !== null) await removeStaged(folder);
	}
}

/** A copy without a lock may be one that a process of an earlier version is making, or one that is just begun. */
async function mayBeUnlocked(folder: string): Promise<boolean> {
	if (existsSync(join(folder, stagingLockName))) return false;
	const stats = await stat(folder).catch(() => null);
	return stats !== null && Date.now() - stats.mtimeMs < unlockedMsMax;
}

async function stagedIn(dataDir: string): Promise<readonly string[]> {
	return (await readdir(dataDir)).filter((name) => name.startsWith(stagingName)).map((name) => join(dataDir, name));
}

/** The files that are backed up besides the store: secrets, and the name of the embedder. */
export async function filesBesideStore(dataDir: string): Promise<readonly Source[]> {
	return (await Promise.all(backedUpBesidesStore.map((name) => filesBelow(join(dataDir, name), dataDir)))).flat();
}

/** A file, or all files below a folder, sorted by name; none if the path does not exist. */
async function filesBelow(start: string, root: string): Promise<readonly Source[]> {
	const stats = await stat(start).catch(() => null);
	if (stats === null) return [];
	const named = (path: string) => relative(root, path).replaceAll(sep, "/");
	if (stats.isFile()) return [{ name: named(start), path: start, bytes: stats.size }];
	const entries = await readdir(start, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	return Promise.all(paths.toSorted().map(async (path) => ({ name: named(path), path, bytes: (await stat(path)).size })));
}

/** The copy is at most as large as the files of the database. */
export async function roomForCopy(folder: string, into: string): Promise<{ readonly needed: number; readonly free: number }> {
	const { bsize, blocks, bfree, bavail } = await statfs(into);
	const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
	// Some file systems report nothing.
	return { needed: await databaseBytes(folder), free: blocks > 0 ? free : Number.POSITIVE_INFINITY };
}

/** The size of the database in the folder of a store. Files of indexes are in folders, and are not copied. A log that goes meanwhile counts nothing. */
export async function databaseBytes(folder: string): Promise<number> {
	const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
	const sizes = await Promise.all(files.map(({ name }) => stat(join(folder, name)).then(({ size }) => size, sizeOfGone)));
	return sizes.reduce((sum, size) => sum + size, 0);
}

function sizeOfGone(thrown: unknown): 0 {
	if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return 0;
	throw thrown;
}

/** A full data disk would stop the server. */
async function demandRoom(folder: string, into: string): Promise<void> {
	const { needed, free } = await roomForCopy(folder, into);
	if (free < needed) throw fail("BACKUP_ROOM", into, megabytes(needed), megabytes(free));
}
