/** Takes one backup of a data folder, full or incremental, also while a server writes. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { NeededBlob } from "../../core/plugin/contract/folder-tools.ts";
import { version } from "../version.ts";
import { type ByteProgress, byteCounter } from "./byte-counter.ts";
import { type BackupKind, newName } from "./kept-backups.ts";
import type { Manifest } from "./manifest.ts";
import { lockPlace, type PlaceLock } from "./place-lock.ts";
import type { BackupPlace } from "./places/place.ts";
import { openStaging } from "./staging.ts";
import { copyStore, type StoreTools } from "./store-tools.ts";
import { type ManifestHeader, writeArchive } from "./write-archive.ts";
import { type StoredObjects, storedObjects, writeObjects } from "./write-objects.ts";

/** A file that was not written to for this long belongs to a process that was killed. */
export const unfinishedMsMax = 24 * 60 * 60_000;

export interface BackupPlan {
	readonly dataDir: string;
	readonly store: StoreTools;
	readonly place: BackupPlace;
	/** The name of the file in the place: an archive, or the manifest of an incremental backup. Null to choose one by the time. */
	readonly name: string | null;
	readonly now: Date;
	readonly progress: ByteProgress;
}

export interface TakenBackup {
	/** The name of its file in the place. */
	readonly name: string;
	readonly manifest: Manifest;
	/** The bytes that it has added to its place. */
	readonly added: number;
}

/** @param underLock is called with the lock of an incremental backup, when the backup is complete */
export async function takeBackup(kind: BackupKind, plan: BackupPlan, underLock?: (lock: PlaceLock) => Promise<void>): Promise<TakenBackup> {
	if (kind === "full") return takeFull(plan);
	await using lock = await lockPlace(plan.place);
	const taken = await takeIncremental(plan, lock);
	await underLock?.(lock);
	return taken;
}

async function takeFull({ dataDir, store, place, name: given, now, progress }: BackupPlan): Promise<TakenBackup> {
	const name = given ?? (await newName(place, "full", now));
	await using staging = await openStaging(dataDir, store.folder, place, name);
	await copyStore(store, join(dataDir, store.folder), staging.folders);
	await staging.addOthers();
	const files = await staging.files();
	demandWhole(
		store,
		staging.folders.tables,
		files.map(({ name: path }) => ({ path })),
	);
	const manifest = await writeArchive({ place, name, files, header: headerOf(store, now), onBytes: byteCounter(sizeOf(files), progress) });
	return { name, manifest, added: sizeOf(files) };
}

async function takeIncremental({ dataDir, store, place, name: given, now, progress }: BackupPlan, lock: PlaceLock): Promise<TakenBackup> {
	// Chosen under the lock: one that was taken while this one waited may have the name of the same second.
	const name = given ?? (await newName(place, "incremental", now));
	await place.removeUnfinished(new Date(Date.now() - unfinishedMsMax), true);
	const live = join(dataDir, store.folder);
	const originals = createOriginals(store, live, await storedObjects(place));
	await using staging = await openStaging(dataDir, store.folder, place, name);
	await copyStore(store, live, staging.folders, (blob) => !originals.isStored(blob));
	await staging.addOthers();
	const files = await staging.files();
	const shared = originals.storedOf(staging.folders.tables);
	demandWhole(store, staging.folders.tables, [...files.map(({ name: path }) => ({ path })), ...shared]);
	const onBytes = byteCounter(sizeOf(files), progress);
	// Awaited here, because the copy is removed when this function ends.
	return { name, ...(await writeObjects({ place, lock, name, stored: originals.stored, shared, files, header: headerOf(store, now), onBytes })) };
}

/** The originals that are in the place already, so that they need not be copied. */
function createOriginals({ tables, blobs, folder }: StoreTools, live: string, stored: StoredObjects) {
	const found = new Map<string, Manifest["files"][number]>();
	return {
		stored,
		/** Whether the place has the original: the checksum and the size are compared, because the place may have only a part of it. */
		isStored(blob: NeededBlob): boolean {
			const bytes = stored.get(blob.sha256 ?? "");
			if (blobs === null || blob.sha256 === null || bytes === undefined) return false;
			const path = blobs.path(blob);
			if (statSync(join(live, path), { throwIfNoEntry: false })?.size !== bytes) return false;
			found.set(path, { path: `${folder}/${path}`, bytes, sha256: blob.sha256 });
			return true;
		},
		/** The originals in the place that the copy of the tables needs. Others may have been deleted from the store since. */
		storedOf(copy: string): Manifest["files"] {
			if (blobs === null) return [];
			return [...tables.blobsNeeded(copy)].flatMap((blob) => found.get(blobs.path(blob)) ?? []);
		},
	};
}

/** Whoever removes a part of the copy meanwhile must not make a smaller backup. @throws ServiceError `BACKUP_INCOMPLETE` */
function demandWhole({ tables, blobs, folder }: StoreTools, copy: string, files: readonly { readonly path: string }[]): void {
	const paths = new Set(files.map(({ path }) => path));
	const hasTables = [...paths].some((path) => path.startsWith(`${folder}/`) && path.split("/").length === 2);
	if (!hasTables) throw fail("BACKUP_INCOMPLETE", "the tables");
	if (blobs === null) return;
	const missing = [...tables.blobsNeeded(copy)].map((blob) => `${folder}/${blobs.path(blob)}`).filter((path) => !paths.has(path));
	const [first] = missing;
	if (first !== undefined) throw fail("BACKUP_INCOMPLETE", missing.length === 1 ? first : `${first} and ${missing.length - 1} other original files`);
}

function headerOf({ tables }: StoreTools, now: Date): ManifestHeader {
	return { version, createdAt: now.toISOString(), storage: tables.storage };
}

function sizeOf(files: readonly { readonly bytes: number }[]): number {
	return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
