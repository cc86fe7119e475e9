/** Asks a server that was started with `heapWatch` for what its threads hold in JavaScript. */

import { resolve } from "node:path";
import type { Server } from "../server.ts";
import type { HeapReport } from "./heap-watch.ts";

/** Flags for `startServer`. Its event loop is not watched then. */
export const heapWatch = ["--preload", resolve(import.meta.dir, "heap-watch.ts")];

export interface Heaps {
	readonly report: HeapReport;
	/** Live objects of all threads, with what they own outside the heaps. */
	readonly heapMb: number;
	readonly outsideMb: number;
	readonly objects: number;
	/** By thread and type, such as `0 main.ts Map`. */
	readonly byType: Readonly<Record<string, number>>;
}

export async function askHeaps(server: Server): Promise<Heaps> {
	// The channel of the process passes on whatever the preloaded file sends.
	const report = (await server.loop()) as unknown as HeapReport;
	const byType: Record<string, number> = {};
	for (const { thread, objects } of report.threads) for (const [type, count] of Object.entries(objects)) byType[`${thread} ${type}`] = count;
	const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
	return {
		report,
		heapMb: sum(report.threads.map(({ heapMb }) => heapMb)),
		outsideMb: sum(report.threads.map(({ outsideMb }) => outsideMb)),
		objects: sum(Object.values(byType)),
		byType,
	};
}
