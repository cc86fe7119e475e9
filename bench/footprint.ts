/** How long the server takes to be ready, and what it holds when nothing happens. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Measure } from "./measure.ts";
import { judged, told } from "./row.ts";
import { type Server, startServer, temporaryFolder } from "./server.ts";
import { median } from "./times.ts";

const starts = 5;
const readyMsMax = 2_000;
const residentMbMax = 200;
/** What starting leaves behind is gone by then. */
const idleMs = 3_000;

export const footprint: Measure = async ({ library }) => {
	await using empty = await temporaryFolder();
	const first = await start(join(empty.path, "data"));
	const full = await start(await (await library()).copy());
	return [
		judged("start to ready, empty folder", `${Math.round(first.readyMs)} ms`, `< ${readyMsMax} ms`, first.readyMs < readyMsMax),
		judged("start to ready, 10,000 documents", `${Math.round(full.readyMs)} ms`, `< ${readyMsMax} ms`, full.readyMs < readyMsMax),
		judged("memory when idle, empty folder", `${Math.round(first.residentMb)} MB`, `< ${residentMbMax} MB`, first.residentMb < residentMbMax),
		judged("memory when idle, 10,000 documents", `${Math.round(full.residentMb)} MB`, `< ${residentMbMax} MB`, full.residentMb < residentMbMax),
		told("processes beside it when idle", String(first.children)),
	];
};

async function start(folder: string) {
	const ready: number[] = [];
	for (let i = 1; i < starts; i++) {
		const server = await startServer(folder);
		ready.push(server.startedMs);
		await server.stop();
	}
	const last = await startServer(folder);
	ready.push(last.startedMs);
	await Bun.sleep(idleMs);
	const held = { readyMs: median(ready), residentMb: (await last.loop()).residentMb, children: await children(last) };
	await last.stop();
	return held;
}

/** As Linux tells; elsewhere none are seen. */
async function children({ pid }: Server): Promise<number> {
	const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
	const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")));
	return lists
		.join(" ")
		.split(/\s+/)
		.filter((child) => child !== "").length;
}
