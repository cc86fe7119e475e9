/** Takes backups while the server runs: one whenever the newest is old enough. Older ones are removed. Their times are read from their file names. */

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { asServiceError } from "../../core/errors/fail.ts";
import type { World } from "../../core/ports/world.ts";
import { asStartError } from "../boot/start-error.ts";
import type { Settings } from "../settings/settings.ts";
import type { BackupThreadData } from "./backup-thread.ts";

export type BackupSchedule = NonNullable<Settings["backups"]>;

/** Times are written with hyphens, because some operating systems forbid colons in file names. */
const namePattern = /^cairn-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.tar$/;
/** Folders that are left over if the server is killed during a backup. */
const unfinishedPattern = /^cairn-[\dT-]+Z\.tar\.unfinished-\w+$/;
/** The wait after a failure, such as a full disk. */
const retryMs = 10 * 60_000;
/** The longest wait between two looks at the clock, which may be set meanwhile. */
const checkEveryMsMax = 60_000;

type TakeBackup = (file: string, signal: AbortSignal) => Promise<void>;

/** Runs until the signal is aborted. @param takeBackup writes one backup; by default in a thread, since copying the tables takes seconds */
export async function runBackups(settings: Settings, world: World, signal: AbortSignal, takeBackup: TakeBackup = takeBackupInThread(settings)): Promise<void> {
	const { backups: schedule } = settings;
	if (schedule === null) return;
	let isFirst = true;
	while (!signal.aborted) {
		const waitMs = await backUpIfDue(schedule, { world, signal, takeBackup, isFirst });
		isFirst = false;
		await world.sleep(waitMs, signal);
	}
}

interface BackupContext {
	readonly world: World;
	readonly signal: AbortSignal;
	readonly takeBackup: TakeBackup;
	readonly isFirst: boolean;
}

/** Takes a backup if one is due. @returns how long to wait before the next attempt, in milliseconds */
async function backUpIfDue({ folder, everyHours, kept }: BackupSchedule, { world, signal, takeBackup, isFirst }: BackupContext): Promise<number> {
	const everyMs = everyHours * 60 * 60_000;
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		if (isFirst) await removeUnfinished(folder);
		const newest = (await backupsIn(folder)).at(-1);
		const dueInMs = newest === undefined ? 0 : newest.at.getTime() + everyMs - world.now().getTime();
		if (dueInMs > 0) return Math.min(dueInMs, checkEveryMsMax);
		const name = nameOf(world.now());
		await takeBackup(join(folder, name), signal);
		world.log("info", "took a backup", { file: name });
		// Old backups are removed only after the new one is complete.
		for (const { name: old } of (await backupsIn(folder)).slice(0, -kept)) await rm(join(folder, old), { force: true });
		return Math.min(everyMs, checkEveryMsMax);
	} catch (thrown) {
		if (!signal.aborted)
			world.log("error", "a backup could not be taken; it is tried again in ten minutes", { reason: (asStartError(thrown) ?? asServiceError(thrown)).message });
		return retryMs;
	}
}

function nameOf(at: Date): string {
	return `cairn-${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;
}

/** The backups in a folder, oldest first. Other files in the folder are left alone. */
async function backupsIn(folder: string): Promise<readonly { readonly name: string; readonly at: Date }[]> {
	const backups = (await readdir(folder)).flatMap((name) => {
		const [, day, hour, minute, second] = namePattern.exec(name) ?? [];
		const at = new Date(`${day}${hour}:${minute}:${second}Z`);
		return Number.isNaN(at.getTime()) ? [] : [{ name, at }];
	});
	return backups.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

async function removeUnfinished(folder: string): Promise<void> {
	for (const name of await readdir(folder)) if (unfinishedPattern.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

function takeBackupInThread(settings: Settings): TakeBackup {
	return async (file, signal) => {
		const workerData: BackupThreadData = { settings, file };
		const thread = new Worker(new URL("./backup-thread.ts", import.meta.url), { workerData });
		const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
		const terminate = () => void thread.terminate();
		signal.addEventListener("abort", terminate, { once: true });
		thread.once("error", reject);
		thread.once("message", () => resolve());
		thread.once("exit", () => reject(new Error("the thread ended before the backup was complete")));
		await ended.finally(() => signal.removeEventListener("abort", terminate));
	};
}
