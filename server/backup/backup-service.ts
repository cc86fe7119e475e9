/** The backups that a server takes, on schedule and on request, one at a time. */

import { Worker } from "node:worker_threads";
import { asServiceError, fail, type ServiceError } from "../../core/errors/fail.ts";
import type { World } from "../../core/ports/world.ts";
import { asStartError } from "../boot/start-error.ts";
import type { Settings } from "../settings/settings.ts";
import type { BackupThreadData, BackupThreadMessage } from "./backup-thread.ts";
import { backupsIn, type KeptBackup } from "./kept-backups.ts";
import { placeAt } from "./places/locate.ts";
import type { BackupPlace } from "./places/place.ts";
import { removeLeftovers } from "./staging.ts";

export type BackupSchedule = NonNullable<Settings["backups"]>;

export interface BackupRun {
	readonly id: string;
	status: "running" | "done" | "failed";
	/** The name of its file; null until it is written. */
	name: string | null;
	readonly startedAt: Date;
	endedAt: Date | null;
	bytesDone: number;
	/** 0 until the tables are copied. */
	bytesTotal: number;
	error: ServiceError | null;
}

export interface BackupService {
	/** Null if none is configured. */
	readonly configured: { readonly schedule: BackupSchedule; readonly place: BackupPlace } | null;
	/** Oldest first. @throws ServiceError `BACKUP_TARGET_FAILED`, `STORAGE_UNREACHABLE` */
	readonly list: () => Promise<readonly KeptBackup[]>;
	/** @throws ServiceError `BACKUPS_OFF`, `BACKUP_RUNNING` */
	readonly start: () => { readonly run: BackupRun; readonly ended: Promise<void> };
	/** Runs since the start of the server, the last first. */
	readonly runs: () => readonly BackupRun[];
	/** Ends the running backup, if there is one. */
	readonly stop: () => Promise<void>;
}

/** @returns the name of the file in the place */
export type TakeBackup = (signal: AbortSignal, progress: (bytesDone: number, bytesTotal: number) => void) => Promise<string>;

/** How many runs are kept, to show their progress and results. */
const runsMax = 50;

/** @param take writes one backup and removes old ones; by default in a thread, since copying the tables takes seconds */
export function createBackupService(settings: Settings, world: World, take: TakeBackup = takeInThread(settings, world)): BackupService {
	const { backups: schedule } = settings;
	const configured = schedule === null ? null : { schedule, place: placeAt(schedule.place, settings, world) };
	const runs: BackupRun[] = [];
	const stopping = new AbortController();
	let running: Promise<void> | null = null;

	async function act(run: BackupRun): Promise<void> {
		try {
			run.name = await take(stopping.signal, (bytesDone, bytesTotal) => Object.assign(run, { bytesDone, bytesTotal }));
			Object.assign(run, { status: "done", bytesDone: run.bytesTotal });
			world.log("info", "took a backup", { file: run.name });
		} catch (thrown) {
			run.error = asStartError(thrown) ?? asServiceError(thrown);
			run.status = "failed";
			const { message: reason, cause } = run.error;
			if (!stopping.signal.aborted)
				world.log("error", "a backup could not be taken", { reason, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null });
		} finally {
			run.endedAt = world.now();
			running = null;
		}
	}

	return {
		configured,
		list: async () => {
			if (configured === null) return [];
			return backupsIn(configured.place).catch((thrown: unknown) => Promise.reject(asStartError(thrown) ?? thrown));
		},
		start: () => {
			if (configured === null) throw fail("BACKUPS_OFF");
			if (running !== null) throw fail("BACKUP_RUNNING", configured.place.address, "");
			const id = Buffer.from(world.randomBytes(16)).toString("hex");
			const run: BackupRun = { id, status: "running", name: null, startedAt: world.now(), endedAt: null, bytesDone: 0, bytesTotal: 0, error: null };
			runs.unshift(run);
			runs.splice(runsMax);
			const ended = act(run);
			running = ended;
			return { run, ended };
		},
		runs: () => runs,
		stop: async () => {
			stopping.abort();
			await running;
		},
	};
}

function takeInThread(settings: Settings, world: World): TakeBackup {
	return async (signal, progress) => {
		const workerData: BackupThreadData = { settings };
		const thread = new Worker(new URL("./backup-thread.ts", import.meta.url), { workerData });
		const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
		const terminate = () => void thread.terminate();
		signal.addEventListener("abort", terminate, { once: true });
		thread.once("error", reject);
		thread.on("message", (message: BackupThreadMessage) => {
			if (message.kind === "progress") return progress(message.bytesDone, message.bytesTotal);
			if (message.notRemoved !== null) world.log("warn", "old backups could not be removed", { reason: message.notRemoved });
			resolve(message.name);
		});
		thread.once("exit", () => reject(new Error("the thread ended before the backup was complete")));
		try {
			return await ended;
		} finally {
			signal.removeEventListener("abort", terminate);
			// A thread that was ended leaves its copy.
			if (signal.aborted) await removeLeftovers(settings.dataDir);
		}
	};
}
