/** A folder with ten thousand ingested notes and their memories, made once a run; how long that took is kept with it. */

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { drained, send, unfinished, until } from "./client.ts";
import type { LoopReport } from "./loop-watch.ts";
import { createWriter } from "./notes.ts";
import { startServer, temporaryFolder } from "./server.ts";

export interface Library extends AsyncDisposable {
	/** A copy of the folder: whoever opens it may change it. */
	readonly copy: () => Promise<string>;
	readonly ingestion: Ingestion;
}

export interface Ingestion {
	readonly notes: number;
	readonly acceptedMs: number;
	/** From the first note sent to the last one done. */
	readonly doneMs: number;
	/** From there until the memories of all are extracted. */
	readonly dreamtMs: number;
	readonly loop: LoopReport;
	readonly loopWhileDreaming: LoopReport;
}

export const notes = 10_000;
const connections = 16;
/** Seeds of other measures differ, or they would send the same notes again. */
const seed = 1;

export async function makeLibrary(): Promise<Library> {
	const folder = await temporaryFolder();
	const path = join(folder.path, "library");
	const ingestion = await ingest(path);
	let copies = 0;
	return {
		ingestion,
		copy: async () => {
			copies += 1;
			const copy = join(folder.path, `copy-${copies}`);
			await cp(path, copy, { recursive: true });
			return copy;
		},
		[Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
	};
}

async function ingest(path: string): Promise<Ingestion> {
	const server = await startServer(path);
	try {
		const writer = createWriter(seed);
		const written = Array.from({ length: notes }, () => writer.note());
		await server.loop();
		const began = performance.now();
		await send(server, written, connections);
		const accepted = performance.now();
		await until(async () => (await unfinished(server)) === 0, 200, 300_000);
		const done = performance.now();
		const loop = await server.loop();
		await drained(server, 600_000);
		const ended = performance.now();
		return { notes, acceptedMs: accepted - began, doneMs: done - began, dreamtMs: ended - done, loop, loopWhileDreaming: await server.loop() };
	} finally {
		await server.stop();
	}
}
