/** Starts, wakes and stops the ingest thread, and restarts it when it dies. */

import { type Transferable, Worker } from "node:worker_threads";
import { type JobId, newId } from "../../core/model/id.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { createNotifier, notifiedWithin } from "../../core/runtime/notifier.ts";
import type { ThreadReport } from "../observation/measurement.ts";
import type { Settings } from "../settings/settings.ts";
import type { FromIngest, IngestThreadData, ToIngest } from "./ingest-thread.ts";
import { createSearches, search } from "./ingestion/right-of-way.ts";
import { asStartError } from "./start-error.ts";
import { clockOffsetOf, type ServerWorld } from "./world.ts";

export interface Ingest {
	readonly wake: () => void;
	/** Runs a search, for which the thread stops now and then. */
	readonly search: <Result>(run: () => Promise<Result>) => Promise<Result>;
	/** What the thread has measured since the last call; null if it does not answer soon. */
	readonly report: () => Promise<ThreadReport | null>;
	readonly isRunning: () => boolean;
	/** Stops the running jobs and returns them to the queue. After the grace time the thread is terminated, and the leases of its jobs expire. */
	readonly stop: () => Promise<void>;
}

/** The part of `Worker` that is used. */
export type Thread = Pick<Worker, "on" | "once" | "postMessage" | "terminate">;

const graceMs = 8_000;
/** A thread that computes answers later; what it has measured is in its next report. */
const reportMsMax = 500;
/** Delay before a restart, so that a thread that keeps dying does not occupy a core. */
const restartAfterMs = 1_000;

/**
 * Rejects if the first thread does not start, because restarting would not help.
 * @param worker see `workerName`
 */
export async function startIngest(
	settings: Settings,
	storage: Pick<Storage, "jobs" | "share">,
	worker: string | null,
	world: ServerWorld,
	open = openThread,
): Promise<Ingest> {
	let isStopping = false;
	let isAlive = false;
	const searches = createSearches();
	const reports: ThreadReport[] = [];
	const reported = createNotifier();
	let thread = await start();

	async function start(): Promise<Thread> {
		const { value: inherited, transfer } = storage.share?.() ?? { value: null, transfer: [] };
		const newThread = open({ settings, inherited, worker, clockOffsetMs: clockOffsetOf(world), searches }, [...transfer] as Transferable[]);
		newThread.on("error", (thrown) => world.log("error", "the ingest thread failed", { reason: reasonOf(thrown) }));
		newThread.on("message", (message: FromIngest) => {
			if (typeof message === "string") return;
			reports.push(message.report);
			reported.notify();
		});
		await messageFrom(newThread, "ready");
		isAlive = true;
		newThread.once("exit", () => {
			isAlive = false;
			void restart();
		});
		return newThread;
	}

	/** Tries until it succeeds: the reason, such as a full disk, may be transient. */
	async function restart(): Promise<void> {
		while (!isStopping) {
			world.log("error", "the ingest thread ended; starting another", {});
			await world.sleep(restartAfterMs, new AbortController().signal);
			try {
				await storage.jobs.recover(worker, world.steadyNow(), () => newId<JobId>(world.randomBytes));
				thread = await start();
				if (isStopping) await thread.terminate();
				return;
			} catch (thrown) {
				world.log("error", "another ingest thread could not be started", { reason: reasonOf(thrown) });
			}
		}
	}

	const send = (message: ToIngest) => thread.postMessage(message);
	return {
		wake: () => send("wake"),
		search: (run) => search(searches, run),
		isRunning: () => isAlive,
		report: async () => {
			if (!isAlive) return null;
			send("report");
			await notifiedWithin(reported, reportMsMax, world, new AbortController().signal);
			// One that comes later is in the next answer.
			return joined(reports.splice(0));
		},
		stop: async () => {
			isStopping = true;
			// No thread runs between the end of one and the start of the next.
			if (!isAlive) return;
			const stopped = messageFrom(thread, "stopped");
			send("stop");
			const grace = new AbortController();
			await Promise.race([stopped, world.sleep(graceMs, grace.signal)]);
			grace.abort();
			await thread.terminate();
		},
	};
}

function openThread(workerData: IngestThreadData, transferList: Transferable[]): Thread {
	return new Worker(new URL("./ingest-thread.ts", import.meta.url), { workerData, transferList });
}

/** The state is that of the latest report; null for no reports. */
function joined(reports: readonly ThreadReport[]): ThreadReport | null {
	const latest = reports.at(-1);
	return latest === undefined ? null : { ...latest, measurements: reports.flatMap(({ measurements }) => measurements) };
}

/** Resolves when the thread sends the message, rejects when it ends before. */
function messageFrom(thread: Thread, expected: "ready" | "stopped"): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	if (expected === "ready") thread.once("error", (thrown) => reject(asStartError(thrown) ?? thrown));
	thread.on("message", (message: FromIngest) => {
		if (message === expected) resolve();
	});
	thread.once("exit", () => (expected === "stopped" ? resolve() : reject(new Error("the ingest thread ended before it was ready"))));
	return promise;
}

function reasonOf(thrown: unknown): string {
	return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
