/** Keeps an ingest thread running: starts it, wakes it, stops it, and starts another should it die. */

import { type Transferable, Worker } from "node:worker_threads";
import { type JobId, newId } from "../../core/model/id.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import type { Settings } from "../settings/settings.ts";
import type { FromIngest, IngestThreadData, ToIngest } from "./ingest-thread.ts";

export interface Ingest {
	readonly wake: () => void;
	/** Lets the jobs in hand stop and gives them back; after the grace time the thread is ended, and their leases run out. */
	readonly stop: () => Promise<void>;
}

const graceMs = 8_000;
/** A thread that dies at once, every time, must not take a core for itself. */
const restartAfterMs = 1_000;

export async function startIngest(settings: Settings, storage: Storage, world: World): Promise<Ingest> {
	let isStopping = false;
	let worker = await start();

	async function start(): Promise<Worker> {
		const { value: inherited, transfer } = storage.share?.() ?? { value: null, transfer: [] };
		const data: IngestThreadData = { settings, inherited };
		const started = new Worker(new URL("./ingest-thread.ts", import.meta.url), { workerData: data, transferList: [...transfer] as Transferable[] });
		started.on("error", (thrown) =>
			world.log("error", "the ingest thread failed", { reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
		);
		await answered(started, "ready");
		started.once("exit", () => void restart());
		return started;
	}

	async function restart(): Promise<void> {
		if (isStopping) return;
		world.log("error", "the ingest thread ended; starting another", {});
		await world.sleep(restartAfterMs, new AbortController().signal);
		await storage.jobs.recover(world.now(), () => newId<JobId>(world.randomBytes));
		worker = await start();
	}

	const tell = (message: ToIngest) => worker.postMessage(message);
	return {
		wake: () => tell("wake"),
		stop: async () => {
			isStopping = true;
			const stopped = answered(worker, "stopped");
			tell("stop");
			const grace = new AbortController();
			await Promise.race([stopped, world.sleep(graceMs, grace.signal)]);
			grace.abort();
			await worker.terminate();
		},
	};
}

/** Resolves when the thread says so, rejects when it ends before. */
function answered(worker: Worker, wanted: FromIngest): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	worker.on("message", (message: FromIngest) => {
		if (message === wanted) resolve();
	});
	worker.once("exit", () => (wanted === "stopped" ? resolve() : reject(new Error("the ingest thread ended before it was ready"))));
	return promise;
}
