/**
 * Preloaded into the server under test: says what each of its threads holds in JavaScript after a full collection, by type of object.
 * The first thread asks the others, and answers over the process channel.
 */

import { fullGC, heapStats } from "bun:jsc";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { BroadcastChannel, isMainThread, threadId } from "node:worker_threads";

export interface ThreadHeap {
	/** Its number and the name of its file. */
	readonly thread: string;
	/** Live objects, with what they own outside the heap. */
	readonly heapMb: number;
	readonly outsideMb: number;
	readonly objects: Readonly<Record<string, number>>;
}

export interface HeapReport {
	readonly threads: readonly ThreadHeap[];
}

const channelName = "cairn-bench-heap";
/** A busy thread answers when it has time. One that has answered before is waited for; it may have ended. */
const [leastMs, lookMs, patienceMs] = [3_000, 100, 20_000];
const megabyte = 2 ** 20;

const channel = new BroadcastChannel(channelName);
channel.unref();
if (isMainThread) preloadInThreads();
if (!isMainThread) channel.onmessage = ({ data }) => data === "report" && channel.postMessage(ownHeap());
else if (process.send !== undefined) answer();

/** Bun preloads a file in the first thread only, unless a thread is started with an option that says so. */
function preloadInThreads(): void {
	Bun.plugin({
		name: "heap-watch",
		setup: (build) =>
			void build.onLoad({ filter: /\/(asked-thread|ingest|backup-service)\.ts$/ }, ({ path }) => ({
				contents: readFileSync(path, "utf8").replaceAll("{ workerData", `{ preload: [${JSON.stringify(import.meta.path)}], workerData`),
				loader: "ts",
			})),
	});
}

function answer(): void {
	const known = new Set<string>();
	let threads: ThreadHeap[] = [];
	channel.onmessage = ({ data }) => typeof data === "object" && threads.push(data as ThreadHeap);
	process.on("message", async () => {
		threads = [ownHeap()];
		channel.postMessage("report");
		await Bun.sleep(leastMs);
		const isMissing = () => known.difference(new Set(threads.map(({ thread }) => thread))).size > 0;
		for (let ms = leastMs; isMissing() && ms < patienceMs; ms += lookMs) await Bun.sleep(lookMs);
		known.clear();
		for (const { thread } of threads) known.add(thread);
		process.send?.({ threads } satisfies HeapReport);
	});
	process.channel?.unref();
}

function ownHeap(): ThreadHeap {
	fullGC();
	const { heapSize, extraMemorySize, objectTypeCounts } = heapStats();
	return { thread: `${threadId} ${basename(Bun.main)}`, heapMb: heapSize / megabyte, outsideMb: extraMemorySize / megabyte, objects: objectTypeCounts };
}
