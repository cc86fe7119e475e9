/** Takes a backup whenever the newest is old enough. Times are read from file names. */

import { asServiceError } from "../../core/errors/fail.ts";
import type { World } from "../../core/ports/world.ts";
import { asStartError } from "../boot/start-error.ts";
import type { BackupService } from "./backup-service.ts";
import { clockToleranceMs } from "./kept-backups.ts";
import { unfinishedMsMax } from "./take-backup.ts";

/** The wait after a failure, such as a full disk. */
const retryMs = 10 * 60_000;
/** The longest wait before the clock is read again, because it may have been set. */
const checkEveryMsMax = 60_000;

/** Runs until the signal is aborted. */
export async function runBackups(service: BackupService, world: World, signal: AbortSignal): Promise<void> {
	if (service.configured === null) return;
	let isFirst = true;
	while (!signal.aborted) {
		const waitMs = await backUpIfDue(service, world, isFirst).catch((thrown: unknown) => {
			if (!signal.aborted) world.log("error", "backups cannot be looked through", { reason: (asStartError(thrown) ?? asServiceError(thrown)).message });
			return retryMs;
		});
		isFirst = false;
		await world.sleep(waitMs, signal);
	}
}

/** Takes a backup if one is due. @returns how long to wait before the next attempt, in milliseconds */
async function backUpIfDue({ configured, list, start, runs }: BackupService, world: World, isFirst: boolean): Promise<number> {
	if (configured === null) return checkEveryMsMax;
	// In a folder it is seen what a command is still making; in a bucket it is not.
	if (isFirst)
		await configured.place.removeUnfinished(configured.place.folder === null ? new Date(world.now().getTime() - unfinishedMsMax) : new Date(), false);
	const everyMs = configured.schedule.everyHours * 60 * 60_000;
	// A backup with a time in the future was named by a wrong clock.
	const latest = world.now().getTime() + clockToleranceMs;
	const newest = (await list()).findLast(({ at }) => at.getTime() <= latest);
	const dueInMs = newest === undefined ? 0 : newest.at.getTime() + everyMs - world.now().getTime();
	if (dueInMs > 0) return Math.min(dueInMs, checkEveryMsMax);
	// One that somebody has asked for will do as well.
	if (runs()[0]?.status === "running") return checkEveryMsMax;
	const { run, ended } = start();
	await ended;
	return run.status === "done" ? Math.min(everyMs, checkEveryMsMax) : retryMs;
}
