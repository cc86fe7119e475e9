/** The backups of a place by their names, and the removal of old ones. */

import { fail } from "../../core/errors/fail.ts";
import { eachOf } from "./each-of.ts";
import { parseManifest } from "./manifest.ts";
import { lockPlace, type PlaceLock } from "./place-lock.ts";
import { type BackupPlace, readText } from "./places/place.ts";
import { isObject, objectName, objectsFolder, requestsAtOnce } from "./write-objects.ts";

/** A full backup is one archive; incremental ones share the files that have not changed. */
export const backupKinds = ["full", "incremental"] as const;
export type BackupKind = (typeof backupKinds)[number];

const endings: Readonly<Record<BackupKind, string>> = { full: "tar", incremental: "json" };
/** Times are written with hyphens, because some operating systems forbid colons in file names. */
const namePattern = /^cairn-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.(tar|json)$/;

/** A backup may be named up to this far in the future, because clocks are often corrected by a few seconds. */
export const clockToleranceMs = 5 * 60_000;

export interface KeptBackup {
	readonly name: string;
	readonly at: Date;
	readonly kind: BackupKind;
	/** The size of the archive, or of the manifest. */
	readonly bytes: number;
}

/** Oldest first. Other files are left alone. */
export async function backupsIn(place: BackupPlace): Promise<readonly KeptBackup[]> {
	const backups = (await place.list("")).flatMap(({ name, bytes }): readonly KeptBackup[] => {
		const [, day, hour, minute, second, ending] = namePattern.exec(name) ?? [];
		const at = new Date(`${day}${hour}:${minute}:${second}Z`);
		return Number.isNaN(at.getTime()) ? [] : [{ name, at, kind: ending === endings.full ? "full" : "incremental", bytes }];
	});
	return backups.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** A name that no backup of the place has: that of the time, or of the next second that is free. */
export async function newName(place: BackupPlace, kind: BackupKind, at: Date): Promise<string> {
	const taken = new Set((await backupsIn(place)).map(({ at: other }) => other.getTime()));
	let time = Math.floor(at.getTime() / 1_000) * 1_000;
	while (taken.has(time)) time += 1_000;
	return `cairn-${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z.${endings[kind]}`;
}

/** @throws ServiceError `BACKUP_INVALID` */
export async function newestIn(place: BackupPlace): Promise<string> {
	const newest = (await backupsIn(place)).at(-1);
	if (newest === undefined) throw fail("BACKUP_INVALID", `there is none in ${place.address}`);
	return newest.name;
}

/**
 * Keeps the newest backups. Those with a time in the future were named by a wrong clock and are removed first. Manifests are removed before
 * the originals that only they need. So after a kill in between every other backup is complete, and the next removal removes the originals.
 * @param lock the lock of the place, if the caller has it
 */
export async function removeOldBackups(place: BackupPlace, kept: number, lock: PlaceLock | null = null, now = new Date()): Promise<void> {
	const [future, past] = partition(await backupsIn(place), ({ at }) => at.getTime() > now.getTime() + clockToleranceMs);
	const all = [...future, ...past];
	const old = all.slice(0, Math.max(0, all.length - kept));
	for (const { name } of old.filter(({ kind }) => kind === "full")) await place.remove(name);
	const manifests = old.filter(({ kind }) => kind === "incremental");
	if (manifests.length === 0 && lock === null) return;
	await using own = lock === null ? await lockPlace(place) : null;
	const used = lock ?? own;
	if (used === null) return;
	for (const { name } of manifests) {
		await used.confirm();
		await place.remove(name);
	}
	await removeUnneeded(place, used);
}

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
	return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

async function removeUnneeded(place: BackupPlace, lock: PlaceLock): Promise<void> {
	const needed = new Set<string>();
	for (const { name } of (await backupsIn(place)).filter(({ kind }) => kind === "incremental")) {
		// If a manifest cannot be read, no original is removed, because it may need any of them.
		for (const { sha256 } of parseManifest((await readText(place, name)) ?? "").files) needed.add(objectName(sha256));
	}
	await lock.confirm();
	const unneeded = (await place.list(objectsFolder)).filter(({ name }) => !isObject(name) || !needed.has(name));
	await eachOf(unneeded, requestsAtOnce, async ({ name }) => {
		await lock.demand();
		await place.remove(name);
	});
}
