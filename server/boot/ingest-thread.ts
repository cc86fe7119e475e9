/**
 * Entry of the ingest thread: it runs the pipeline, so that ingestion never blocks a search. It opens the same plugins as the
 * server's thread, and writes through the same writer.
 */

import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { runWorker } from "../../core/service.ts";
import { compose } from "../compose.ts";
import type { Settings } from "../settings/settings.ts";
import { loadConfig } from "./load-config.ts";
import { createLog } from "./log.ts";
import { createWorld } from "./world.ts";

export interface IngestThreadData {
	readonly settings: Settings;
	readonly inherited: unknown;
	readonly clockOffsetMs: number;
}

/** Messages from the server's thread. */
export type ToIngest = "wake" | "stop";
/** Messages from this thread, each sent once. */
export type FromIngest = "ready" | "stopped";

/** With this niceness, the threads that serve and write get three times as much of a contended core as this one. */
const nice = 5;

const { settings, inherited, clockOffsetMs }: IngestThreadData = workerData;
const stopping = new AbortController();
const notifier = createNotifier();

// Set before the first await, so that no message is lost.
parentPort?.on("message", (message: ToIngest) => {
	if (message === "stop") stopping.abort();
	notifier.notify();
});

lowerPriority();
// As in the first thread: a log that cannot be written ends nothing.
process.stderr.on("error", () => undefined);
const world = createWorld({ log: createLog({ level: settings.logLevel, write: (line) => process.stderr.write(line) }), clockOffsetMs });
const { config } = await loadConfig(settings.config);
const { parts, stop } = await compose({ settings, config, world, inherited });
send("ready");
await runWorker(parts, "ingest", settings.documentsAtOnce, notifier, stopping.signal);
await stop();
send("stopped");

/** On Linux, pid 0 means the calling thread; elsewhere it would mean the whole process. */
function lowerPriority(): void {
	if (process.platform !== "linux") return;
	try {
		setPriority(0, nice);
	} catch {
		// If the system forbids it, ingestion works at the same priority as the server.
	}
}

function send(message: FromIngest): void {
	parentPort?.postMessage(message);
}
