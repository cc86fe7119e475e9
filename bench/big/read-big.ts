/**
 * Sends big files of everyday kinds to a real server, one after the other, and tells what becomes of each: seconds, what the
 * reader and the server held at most, and how long the server's thread computed without a pause while a client searched.
 * `bun bench/big/read-big.ts`, or with names of files to send only those.
 */

import { readdirSync, readFileSync } from "node:fs";
import { upload } from "../client.ts";
import { key, type Server, startServer, temporaryFolder } from "../server.ts";
import { bigFiles } from "./big-files.ts";

const lookEveryMs = 50;
const searchEveryMs = 100;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

interface Failure {
	readonly code: string;
	readonly stage: string;
}

interface Seen {
	readonly status: string;
	readonly warnings?: readonly { readonly code: string }[];
	readonly progress?: { readonly done: number; readonly total: number; readonly unit: string } | null;
}

const wanted = process.argv.slice(2);
console.log("| file | what | MB | ends | seconds | reader MB | server MB | server thread | searches p95, longest |");
console.log("|---|---|---|---|---|---|---|---|---|");
for (const { fileName, what, make } of bigFiles) {
	if (wanted.length > 0 && !wanted.includes(fileName)) continue;
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path);
	try {
		console.log(await follow(server, fileName, what, make()));
	} finally {
		await server.kill();
	}
}
process.exit(0);

async function follow(server: Server, fileName: string, what: string, bytes: Uint8Array): Promise<string> {
	await server.loop();
	const peaks = { reader: 0, server: 0 };
	const scales = setInterval(() => weigh(server.pid, peaks), lookEveryMs);
	const began = performance.now();
	const searches: number[] = [];
	const stages = new Map<string, number>();
	const units = new Set<string>();
	const id = await upload(server, fileName, bytes);
	let seen: Seen;
	for (;;) {
		seen = await look(server, id);
		stages.set(seen.status, (performance.now() - began) / 1_000);
		if (seen.progress != null) units.add(seen.progress.unit);
		if (seen.status === "done" || seen.status === "failed") break;
		searches.push(await search(server));
		await Bun.sleep(searchEveryMs);
	}
	clearInterval(scales);
	const { computedMs } = await server.loop();
	const p95 = searches.sort((a, b) => a - b)[Math.floor(searches.length * 0.95)] ?? 0;
	const longest = searches.at(-1) ?? 0;
	console.error([...stages].map(([stage, at]) => `${stage} until ${at.toFixed(1)} s`).join(", "), "progress by", [...units].join(", "));
	const seconds = (performance.now() - began) / 1_000;
	const error = seen.status === "done" ? null : await failureOf(server, id);
	const ends = seen.status === "done" ? ["done", ...(seen.warnings ?? []).map(({ code }) => code)].join(", ") : `${error?.code} while ${error?.stage}`;
	const cells = [
		fileName,
		what,
		(bytes.length / 1e6).toFixed(1),
		ends,
		seconds.toFixed(1),
		Math.round(peaks.reader),
		Math.round(peaks.server),
		`${computedMs.toFixed(0)} ms`,
		`${p95.toFixed(0)} ms, ${longest.toFixed(0)} ms`,
	];
	return `| ${cells.join(" | ")} |`;
}

async function look({ address }: Server, id: string): Promise<Seen> {
	const response = await fetch(`${address}/v3/documents/list`, { method: "POST", headers, body: JSON.stringify({ limit: 1 }) });
	const { memories } = (await response.json()) as { memories: readonly (Seen & { id: string })[] };
	return memories.find((each) => each.id === id) ?? { status: "queued" };
}

async function search({ address }: Server): Promise<number> {
	const began = performance.now();
	await (await fetch(`${address}/v3/search`, { method: "POST", headers, body: JSON.stringify({ q: "valve pressure of Ada in Porto" }) })).text();
	return performance.now() - began;
}

/** Lists leave it out. */
async function failureOf({ address }: Server, id: string): Promise<Failure | null> {
	const response = await fetch(`${address}/v3/documents/${id}`, { headers });
	return ((await response.json()) as { error?: Failure | null }).error ?? null;
}

/** High-water marks, as Linux keeps them. */
function weigh(server: number, peaks: { reader: number; server: number }): void {
	peaks.server = Math.max(peaks.server, peakMb(server));
	for (const pid of readers(server)) peaks.reader = Math.max(peaks.reader, peakMb(pid));
}

function readers(server: number): readonly number[] {
	return readdirSync(`/proc/${server}/task`)
		.flatMap((thread) => read(`/proc/${server}/task/${thread}/children`).split(" "))
		.filter((pid) => pid !== "" && read(`/proc/${pid}/cmdline`).includes("child-entry"))
		.map(Number);
}

function peakMb(pid: number): number {
	return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
}

function read(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return ""; // ended in the meantime
	}
}
