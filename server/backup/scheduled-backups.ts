/** Backups while the server runs: one whenever the newest is old enough, and as many as are to be kept. Which there are the names of the files tell. */

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { asServiceError } from "../../core/errors/fail.ts";
import type { World } from "../../core/ports/world.ts";
import { asStartError } from "../boot/start-error.ts";
import type { Settings } from "../settings/settings.ts";
import type { BackupThreadData } from "./backup-thread.ts";

export type BackupSchedule = NonNullable<Settings["backups"]>;

/** Colons are no characters of a file name everywhere. */
const namePattern = /^cairn-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.tar$/;
/** What a backup that was killed leaves beside its file. */
const unfinishedPattern = /^cairn-[\dT-]+Z\.tar\.unfinished-\w+$/;
/** After a failure, such as a full disk. */
const retryMs = 10 * 60_000;
/** The wall clock may be set meanwhile. */
const lookEveryMs = 60_000;

type Take = (file: string, signal: AbortSignal) => Promise<void>;

/** Until the signal is aborted. @param take writes one backup; by default in a thread, since copying the tables takes seconds */
export async function runBackups(settings: Settings, world: World, signal: AbortSignal, take: Take = inThread(settings)): Promise<void> {
	const { backups: schedule } = settings;
	if (schedule === null) return;
	let isFirst = true;
	while (!signal.aborted) {
		const waitMs = await attempt(schedule, { world, signal, take, isFirst });
		isFirst = false;
		await world.sleep(waitMs, signal);
	}
}

interface Attempt {
	readonly world: World;
	readonly signal: AbortSignal;
	readonly take: Take;
	readonly isFirst: boolean;
}

/** @returns how long to wait for the next. */
async function attempt({ folder, everyHours, kept }: BackupSchedule, { world, signal, take, isFirst }: Attempt): Promise<number> {
	const everyMs = everyHours * 60 * 60_000;
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		if (isFirst) await removeUnfinished(folder);
		const newest = (await backupsIn(folder)).at(-1);
		const dueInMs = newest === undefined ? 0 : newest.at.getTime() + everyMs - world.now().getTime();
		if (dueInMs > 0) return Math.min(dueInMs, lookEveryMs);
		const name = nameOf(world.now());
		await take(join(folder, name), signal);
		world.log("info", "took a backup", { file: name });
		// Only now: a failure must not cost the older ones.
		for (const { name: old } of (await backupsIn(folder)).slice(0, -kept)) await rm(join(folder, old), { force: true });
		return Math.min(everyMs, lookEveryMs);
	} catch (thrown) {
		if (!signal.aborted)
			world.log("error", "a backup could not be taken; it is tried again in ten minutes", { reason: (asStartError(thrown) ?? asServiceError(thrown)).message });
		return retryMs;
	}
}

function nameOf(at: Date): string {
	return `cairn-${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;
}

/** The oldest first. Whatever else is in the folder is somebody's. */
async function backupsIn(folder: string): Promise<readonly { readonly name: string; readonly at: Date }[]> {
	const found = (await readdir(folder)).flatMap((name) => {
		const [, day, hour, minute, second] = namePattern.exec(name) ?? [];
		const at = new Date(`${day}${hour}:${minute}:${second}Z`);
		return Number.isNaN(at.getTime()) ? [] : [{ name, at }];
	});
	return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

async function removeUnfinished(folder: string): Promise<void> {
	for (const name of await readdir(folder)) if (unfinishedPattern.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

function inThread(settings: Settings): Take {
	return async (file, signal) => {
		const workerData: BackupThreadData = { settings, file };
		const thread = new Worker(new URL("./backup-thread.ts", import.meta.url), { workerData });
		const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
		const stop = () => void thread.terminate();
		signal.addEventListener("abort", stop, { once: true });
		thread.once("error", reject);
		thread.once("message", () => resolve());
		thread.once("exit", () => reject(new Error("the thread ended before the backup was whole")));
		await ended.finally(() => signal.removeEventListener("abort", stop));
	};
}
