/**
 * The backup that is made before a newer version changes the tables of a data folder. It is a data folder itself, so that the older
 * version can be started with it. Originals in it are hard links, so it takes as much room as the database.
 */

import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { World } from "../../core/ports/world.ts";
import { createSettledClock } from "../../core/runtime/settled-clock.ts";
import { megabytes } from "../commands/progress-bar.ts";
import type { Settings } from "../settings/settings.ts";
import { databaseBytes, filesBesideStore, roomForCopy } from "./staging.ts";
import { copyStore, type StoreTools, storeToolsOf } from "./store-tools.ts";
import { syncPath, syncTree } from "./sync-files.ts";

/** In the data folder. */
const backupsFolder = "backups";
/** The schema and the time of the copy, to the millisecond: a start that is repeated may be in the same second. Other files in the folder are left alone. */
const namePattern = /^schema-(\d+)-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-\d{3}Z$/;
/** A start that is killed while it copies leaves a folder with this suffix. */
const unfinishedSuffix = ".unfinished";
const dayMs = 24 * 60 * 60_000;
const lookEveryMs = 60 * 60_000;

/** Makes the callback of `Storage.migrate`, which throws `UPGRADE_BACKUP_ROOM` if the disk is too full. */
export function upgradeBackup(settings: Settings, config: Config, world: Pick<World, "now" | "log">): (schema: number) => Promise<void> {
	return async (schema) => backUp(schema, { settings, store: await storeToolsOf(settings.use, config), world });
}

interface UpgradeBackupParts {
	readonly settings: Pick<Settings, "dataDir" | "upgradeBackupDays">;
	/** Null for a storage without a folder; its operator makes the backups. */
	readonly store: StoreTools | null;
	readonly world: Pick<World, "now" | "log">;
}

async function backUp(schema: number, { settings, store, world }: UpgradeBackupParts): Promise<void> {
	const { dataDir, upgradeBackupDays } = settings;
	if (store === null || upgradeBackupDays === 0) return world.log("warn", "the tables are upgraded without a backup", { schema });
	await removeUnfinished(dataDir);
	await ensureRoom(dataDir, store.folder, await backupsOf(schema, dataDir));
	const name = `schema-${schema}-${world.now().toISOString().replaceAll(/[:.]/g, "-")}`;
	const folder = join(dataDir, backupsFolder, name);
	const unfinished = `${folder}${unfinishedSuffix}`;
	await mkdir(join(unfinished, store.folder), { recursive: true, mode: 0o700 });
	try {
		const into = join(unfinished, store.folder);
		await copyStore(store, join(dataDir, store.folder), { tables: into, originals: into });
		for (const { name: file, path } of await filesBesideStore(dataDir)) {
			await mkdir(dirname(join(unfinished, file)), { recursive: true, mode: 0o700 });
			await copyFile(path, join(unfinished, file));
		}
		await syncTree(unfinished, isLinked);
		await rename(unfinished, folder);
		await syncPath(dirname(folder));
		await syncPath(dataDir);
	} catch (thrown) {
		await rm(unfinished, { recursive: true, force: true });
		throw thrown;
	}
	world.log("info", "made a backup before the tables are upgraded", { folder, schema, keptDays: upgradeBackupDays });
	for (const other of await backupsOf(schema, dataDir)) if (other !== folder) await rm(other, { recursive: true, force: true });
}

/**
 * Removes backups whose time is over, and what killed starts have left, until the signal is aborted. A clock that is ahead is not believed
 * within the hour: neither one that was set forward, nor one that was wrong when the machine started.
 */
export async function runUpgradeBackupRemoval(settings: Settings, world: World, signal: AbortSignal): Promise<void> {
	const { sleep, log } = world;
	const settledNow = createSettledClock(world);
	for (let isFirst = true; !signal.aborted; isFirst = false) {
		const now = settledNow();
		await removeOld(settings, isFirst ? null : now).catch((thrown: unknown) => log("warn", "an old backup could not be removed", { reason: String(thrown) }));
		await sleep(lookEveryMs, signal);
	}
}

/** @param now null if nothing is old yet */
async function removeOld({ dataDir, upgradeBackupDays }: Pick<Settings, "dataDir" | "upgradeBackupDays">, now: Date | null): Promise<void> {
	await removeUnfinished(dataDir);
	for (const name of await namesIn(dataDir)) {
		const [, , day, hour, minute, second] = namePattern.exec(name) ?? [];
		const isOld = now !== null && now.getTime() - Date.parse(`${day}${hour}:${minute}:${second}Z`) > upgradeBackupDays * dayMs;
		if (isOld) await rm(join(dataDir, backupsFolder, name), { recursive: true, force: true });
	}
}

/** @returns how many there were */
export async function removeUpgradeBackups(dataDir: string): Promise<number> {
	const names = await namesIn(dataDir);
	for (const name of names) await rm(join(dataDir, backupsFolder, name), { recursive: true, force: true });
	return names.length;
}

async function namesIn(dataDir: string): Promise<readonly string[]> {
	const names = await readdir(join(dataDir, backupsFolder)).catch(() => []);
	return names.filter((name) => namePattern.test(name.replace(unfinishedSuffix, "")));
}

/** What killed starts have left. Only one start at a time is at work in a folder. */
async function removeUnfinished(dataDir: string): Promise<void> {
	for (const name of await namesIn(dataDir))
		if (name.endsWith(unfinishedSuffix)) await rm(join(dataDir, backupsFolder, name), { recursive: true, force: true });
}

/** The folders of the backups of a schema: of starts that failed or were killed after their backup, and are now repeated. */
async function backupsOf(schema: number, dataDir: string): Promise<readonly string[]> {
	const names = await namesIn(dataDir);
	return names.filter((name) => name.startsWith(`schema-${schema}-`)).map((name) => join(dataDir, backupsFolder, name));
}

/**
 * Removes the backups that the new one replaces anyway, if there is room for it only without them.
 *
 * @throws ServiceError `UPGRADE_BACKUP_ROOM`
 */
async function ensureRoom(dataDir: string, storeFolder: string, replaced: readonly string[]): Promise<void> {
	const folder = join(dataDir, storeFolder);
	const { needed, free } = await roomForCopy(folder, folder);
	if (free >= needed) return;
	const sizes = await Promise.all(replaced.map((backup) => databaseBytes(join(backup, storeFolder)).catch(() => 0)));
	const freed = sizes.reduce((sum, size) => sum + size, 0);
	if (free + freed < needed) throw fail("UPGRADE_BACKUP_ROOM", megabytes(needed), megabytes(free));
	for (const backup of replaced) await rm(backup, { recursive: true, force: true });
}

/** Hard links are originals, which are on the disk already. */
async function isLinked(path: string): Promise<boolean> {
	return (await stat(path)).nlink > 1;
}
