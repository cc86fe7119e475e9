/**
 * Entry of the ingest thread: it runs the pipeline, so that ingestion never blocks a search. It opens the same plugins as the
 * server's thread, and writes through the same writer.
 */

import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { giveWayBy } from "../../core/runtime/yielder.ts";
import { runWorker } from "../../core/service.ts";
import { compose } from "../compose.ts";
import type { ThreadReport } from "../observation/measurement.ts";
import { openObserver } from "../observation/observer.ts";
import { createThreadReport } from "../observation/thread-report.ts";
import type { Settings } from "../settings/settings.ts";
import { createGiveWay, type Searches } from "./ingestion/right-of-way.ts";
import { loadConfig } from "./load-config.ts";
import { createLog } from "./log.ts";
import { lowerThan, niceness } from "./sandbox/niceness.ts";
import { followSharedClock } from "./storage-sharing/shared-clock.ts";
import { createWorld } from "./world.ts";

export interface IngestThreadData {
	readonly settings: Settings;
	readonly inherited: unknown;
	/** Null where it is the only worker of the storage. */
	readonly worker: string | null;
	readonly clockOffsetMs: number;
	readonly searches: Searches;
}

/** Messages from the server's thread. */
export type ToIngest = "wake" | "stop" | "report";
/** Messages from this thread: two that are sent once, and the answer to `report`. */
export type FromIngest = "ready" | "stopped" | { readonly report: ThreadReport };

const { settings, inherited, worker, clockOffsetMs, searches }: IngestThreadData = workerData;
const stopping = new AbortController();
const notifier = createNotifier();

let answerReport = (): void => undefined;

// Set before the first await, so that no message is lost.
parentPort?.on("message", (message: ToIngest) => {
	if (message === "report") return answerReport();
	if (message === "stop") stopping.abort();
	notifier.notify();
});

lowerPriority();
giveWayBy(createGiveWay(searches));
// As in the first thread: if the log cannot be written, the server goes on.
process.stderr.on("error", () => undefined);
const log = createLog({ level: settings.logLevel, format: settings.logFormat, write: (line) => process.stderr.write(line) });
const observer = await openObserver(settings, log);
const world = createWorld({ log, observer, clockOffsetMs });
const { config } = await loadConfig(settings.config);
const { parts, stop, sandboxProcesses } = await compose({ settings, config, world, inherited });
const report = createThreadReport(observer, sandboxProcesses);
answerReport = () => send({ report: report() });
send("ready");
await Promise.all([
	runWorker(parts, worker ?? "ingest", settings.documentsAtOnce, notifier, stopping.signal),
	// Indexes that are not shared are opened and fed by the first thread alone.
	parts.feedIndexes(stopping.signal),
	followSharedClock(parts.storage, world, stopping.signal),
]);
await stop();
await observer.tracing?.close();
send("stopped");

/** The threads that serve and write get three times as much of a contended core as this one. On Linux, pid 0 means the calling thread; elsewhere it would mean the whole process. */
function lowerPriority(): void {
	if (process.platform !== "linux") return;
	try {
		setPriority(0, lowerThan(getPriority(0), niceness.ordinary));
	} catch {
		// If the system forbids it, ingestion works at the same priority as the server.
	}
}

function send(message: FromIngest): void {
	parentPort?.postMessage(message);
}
