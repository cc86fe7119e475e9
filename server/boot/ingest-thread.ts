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
}

/** Messages from the server's thread. */
export type ToIngest = "wake" | "stop";
/** Messages from this thread, each sent once. */
export type FromIngest = "ready" | "stopped";

/** Niceness: competing for a core, the threads that serve and write get three times as much as this one. */
const nice = 5;

const { settings, inherited }: IngestThreadData = workerData;
const stopping = new AbortController();
const notifier = createNotifier();

// Set before anything is awaited: what is posted meanwhile is kept for this listener.
parentPort?.on("message", (message: ToIngest) => {
	if (message === "stop") stopping.abort();
	notifier.notify();
});

makeWay();
const world = createWorld({ log: createLog({ level: settings.logLevel, write: (line) => process.stderr.write(line) }) });
const { config } = await loadConfig(settings.config);
const { parts, stop } = await compose({ settings, config, world, inherited });
answer("ready");
await runWorker(parts, "ingest", settings.documentsAtOnce, notifier, stopping.signal);
await stop();
answer("stopped");

/** On Linux 0 is this very thread; elsewhere it would be the whole process. */
function makeWay(): void {
	if (process.platform !== "linux") return;
	try {
		setPriority(0, nice);
	} catch {
		// Where it is forbidden everything works as well, only without precedence.
	}
}

function answer(message: FromIngest): void {
	parentPort?.postMessage(message);
}
