/** Entry point of the thread that takes a backup. SQLite copies the tables in one synchronous call, which would delay requests in the main thread. */

import { parentPort, workerData } from "node:worker_threads";
import { fail } from "../../core/errors/fail.ts";
import { loadConfig } from "../boot/load-config.ts";
import { asStartError } from "../boot/start-error.ts";
import { createWorld } from "../boot/world.ts";
import type { Settings } from "../settings/settings.ts";
import { removeOldBackups } from "./kept-backups.ts";
import type { PlaceLock } from "./place-lock.ts";
import { placeAt } from "./places/locate.ts";
import { storeToolsOf } from "./store-tools.ts";
import { takeBackup } from "./take-backup.ts";

export interface BackupThreadData {
	readonly settings: Settings;
}

export type BackupThreadMessage =
	| { readonly kind: "progress"; readonly bytesDone: number; readonly bytesTotal: number }
	/** `notRemoved`: why old backups could not be removed; null if they were. */
	| { readonly kind: "done"; readonly name: string; readonly notRemoved: string | null };

const progressEveryMs = 200;

const { settings }: BackupThreadData = workerData;
const { config } = await loadConfig(settings.config);
const { use, dataDir, backups } = settings;
const store = await storeToolsOf(use, config);
if (store === null || backups === null)
	throw fail("COMMAND_INVALID", `the storage ${use.storage} keeps its data outside the data folder: use the backup tools of its database`);
const place = placeAt(backups.place, settings, createWorld({ log: () => undefined }));
const tell = (message: BackupThreadMessage) => parentPort?.postMessage(message);
let notRemoved: string | null = null;
let toldAt = 0;

async function removeOld(lock: PlaceLock | null): Promise<void> {
	await removeOldBackups(place, backups?.kept ?? Number.POSITIVE_INFINITY, lock).catch((thrown: unknown) => {
		notRemoved = (asStartError(thrown) ?? new Error(String(thrown))).message;
	});
}

const progress = (bytesDone: number, bytesTotal: number) => {
	if (performance.now() - toldAt < progressEveryMs && bytesDone < bytesTotal) return;
	toldAt = performance.now();
	tell({ kind: "progress", bytesDone, bytesTotal });
};
const { name } = await takeBackup(backups.kind, { dataDir, store, place, name: null, now: new Date(), progress }, removeOld);
// An incremental backup has removed old ones already, under its lock.
if (backups.kind === "full") await removeOld(null);
tell({ kind: "done", name, notRemoved });
