/**
 * What a big file does to those who search, from the moment it is `done`: a search that only words can answer, a small note
 * that is found by its word, a search whose results lie in the big file, and its whole text asked for. With each how long the
 * server's thread computed at most without a pause, how long in all, and how long all threads of the server did. Nobody
 * searches before, so nothing has been read for anyone. `bun bench/big/search-big.ts`, or with names of files to send only those.
 */

import { readFileSync } from "node:fs";
import { upload, waitUntilDone } from "../client.ts";
import { key, type Server, startServer, temporaryFolder } from "../server.ts";
import { bigFiles } from "./big-files.ts";

const lookEveryMs = 250;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const usual = ["orders.csv", "orders.xlsx", "records.json"];
/** No vector is near to them. */
const onlyWords = "qwrtzpsd";
const noteWord = "zwkplmtrq";

const wanted = process.argv.slice(2);
console.log("| file | seconds | server MB | only words can answer | the same once more | a note after it, found | results in it | its whole text |");
console.log("|---|---|---|---|---|---|---|---|");
for (const { fileName, make } of bigFiles) {
	if (!(wanted.length > 0 ? wanted : usual).includes(fileName)) continue;
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path);
	try {
		console.log(`| ${fileName} | ${(await follow(server, fileName, make())).join(" | ")} |`);
	} finally {
		await server.kill();
	}
}
process.exit(0);

async function follow(server: Server, fileName: string, bytes: Uint8Array): Promise<readonly string[]> {
	await search(server, "before anything is there");
	const began = performance.now();
	await untilDone(server, await upload(server, fileName, bytes));
	const seconds = (performance.now() - began) / 1_000;
	await server.loop();
	const first = await timed(server, () => search(server, onlyWords));
	const second = await timed(server, () => search(server, onlyWords));
	const note = await timed(server, () => addNote(server));
	const within = await timed(server, () => search(server, "Ada Lovelace Porto paid SKU"));
	const { id } = await newest(server, 1);
	const whole = await timed(server, async () => (await (await fetch(`${server.address}/v3/documents/${id}`, { headers })).arrayBuffer()).byteLength > 1e6);
	return [seconds.toFixed(1), String(Math.round(peakMb(server.pid))), first, second, note, within, whole];
}

async function timed(server: Server, work: () => Promise<boolean>): Promise<string> {
	await server.loop();
	const began = performance.now();
	const isFound = await work();
	const ms = performance.now() - began;
	const { computedMs, threadCpuMs, processCpuMs } = await server.loop();
	const [longest, thread, all] = [computedMs, threadCpuMs, processCpuMs].map((value) => value.toFixed(0));
	return `${ms.toFixed(0)} ms, computed ${longest} of ${thread} of ${all} ms${isFound ? "" : ", nothing"}`;
}

/** A note that is written when the big file is done, as the client sees it: found as soon as it is `done`. */
async function addNote(server: Server): Promise<boolean> {
	const body = JSON.stringify({ content: `The ${noteWord} is in the drawer.` });
	const added = (await (await fetch(`${server.address}/v3/documents`, { method: "POST", headers, body })).json()) as { id: string };
	await waitUntilDone(server, added.id);
	return await search(server, noteWord);
}

/** @returns whether it found something. */
async function search({ address }: Server, q: string): Promise<boolean> {
	const response = await fetch(`${address}/v3/search`, { method: "POST", headers, body: JSON.stringify({ q }) });
	return ((await response.json()) as { results: readonly unknown[] }).results.length > 0;
}

async function untilDone(server: Server, id: string): Promise<void> {
	for (;;) {
		const { status } = await newest(server, 0);
		if (status === "done") return;
		if (status === "failed") throw new Error(`document ${id} has failed`);
		await Bun.sleep(lookEveryMs);
	}
}

/** Lists leave texts out. */
async function newest({ address }: Server, at: number): Promise<{ readonly id: string; readonly status: string }> {
	const response = await fetch(`${address}/v3/documents/list`, { method: "POST", headers, body: JSON.stringify({ limit: 2 }) });
	const { memories } = (await response.json()) as { memories: readonly { id: string; status: string }[] };
	return memories[at] ?? memories[0] ?? { id: "", status: "queued" };
}

function peakMb(pid: number): number {
	return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1_024;
}
