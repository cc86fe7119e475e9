/**
 * A flood: 50,000 notes wait while `/health` is asked ten times a second, and notes are added behind 400 scans. On a machine that
 * others use as well, what the server computed without a pause tells more than how long an answer took.
 * `bun bench/flood.ts [notes] [files]`. It ends with 1 when a goal is missed.
 */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { queued, upload, waitUntilDone } from "./client.ts";
import { createWriter } from "./notes.ts";
import { judged, type Row, table, told } from "./row.ts";
import { key, type Server, startServer, temporaryFolder } from "./server.ts";
import { median, shown, timesOf } from "./times.ts";

const [notes, files] = [Number(process.argv[2] ?? 50_000), Number(process.argv[3] ?? 400)];
const healthMsMax = 100;
const healthEveryMs = 100;
const watchedMs = 30_000;
const batch = 100;
/** Scans and notes want the same cores. */
const noteTimesMax = 5;
const notesBehind = 5;

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const scan = readFileSync(resolve(import.meta.dir, "../examples/documents/letter-scan.pdf"));

const rows: Row[] = [...(await waitingNotes()), ...(await notesBehindFiles())];
console.log(table(rows));
if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;

async function waitingNotes(): Promise<readonly Row[]> {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path);
	const asking = new AbortController();
	try {
		// What the start computed is no part of it.
		await server.loop();
		const took: Answer[] = [];
		const asked = askHealth(server, asking.signal, took);
		const writer = createWriter(3);
		for (let added = 0; added < notes; added += batch)
			await add(server, "/v3/documents/batch", { documents: Array.from({ length: Math.min(batch, notes - added) }, () => writer.note()) });
		const waiting = await queued(server);
		const adding = took.splice(0);
		const added = await server.loop();
		await Bun.sleep(watchedMs);
		asking.abort();
		await asked;
		const worked = await server.loop();
		const goal = `< ${healthMsMax} ms`;
		return [
			told(`jobs that wait when the last of ${notes} notes is added, and ${watchedMs / 1_000} s later`, `${waiting}, ${await queued(server)}`),
			told("/health while they are added", health(adding)),
			judged("longest that the server computed without a pause meanwhile", shown(added.computedMs), goal, added.computedMs < healthMsMax),
			told("/health while they wait", health(took)),
			told(`answers over ${healthMsMax} ms`, slowest([...adding, ...took])),
			judged("longest that the server computed without a pause meanwhile", shown(worked.computedMs), goal, worked.computedMs < healthMsMax),
		];
	} finally {
		asking.abort();
		await server.kill();
	}
}

/** In milliseconds. */
interface Answer {
	readonly tookMs: number;
	/** What the server's thread computed meanwhile, and how long it waited for a core. */
	readonly ranMs: number;
	readonly waitedMs: number;
}

async function askHealth({ address, pid }: Server, signal: AbortSignal, took: Answer[]): Promise<void> {
	while (!signal.aborted) {
		const [ran, waited] = turnsOf(pid);
		const began = performance.now();
		await (await fetch(`${address}/health`)).arrayBuffer();
		const tookMs = performance.now() - began;
		const [ranBy, waitedBy] = turnsOf(pid);
		took.push({ tookMs, ranMs: ranBy - ran, waitedMs: waitedBy - waited });
		await Bun.sleep(healthEveryMs);
	}
}

/** Of the first thread of a process: how long it has run, and how long it was ready and had no core. Zeros where the system does not say. */
function turnsOf(pid: number): readonly [number, number] {
	const file = `/proc/${pid}/task/${pid}/schedstat`;
	const [ran = 0, waited = 0] = existsSync(file) ? readFileSync(file, "utf8").split(" ").map(Number) : [];
	return [ran / 1e6, waited / 1e6];
}

function health(answers: readonly Answer[]): string {
	const { count, p50, p99, max } = timesOf(answers.map(({ tookMs }) => tookMs));
	return `${count} times: p50 ${shown(p50)}, p99 ${shown(p99)}, most ${shown(max)}`;
}

function slowest(answers: readonly Answer[]): string {
	const slow = answers.filter(({ tookMs }) => tookMs > healthMsMax);
	const sum = (of: (answer: Answer) => number) => shown(slow.reduce((all, answer) => all + of(answer), 0));
	return `${slow.length}, in all ${sum(({ tookMs }) => tookMs)}: the server's thread ran for ${sum(({ ranMs }) => ranMs)} of them, and waited for a core for ${sum(({ waitedMs }) => waitedMs)}`;
}

async function notesBehindFiles(): Promise<readonly Row[]> {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path, [], {}, undefined, false);
	try {
		const writer = createWriter(9);
		const alone = await secondsOf(server, writer.note());
		// One byte more each time, so that none is known from before.
		for (let i = 0; i < files; i++) await upload(server, `scan-${i}.pdf`, new Uint8Array([...scan, ...new TextEncoder().encode(`\n%${i}`)]));
		const behind: number[] = [];
		for (let i = 0; i < notesBehind; i++) behind.push(await secondsOf(server, writer.note()));
		return [
			told("a note until it is done, idle server", `${alone.toFixed(2)} s`),
			judged(
				`${notesBehind} notes, one after the other, behind ${files} scans`,
				behind.map((seconds) => `${seconds.toFixed(2)} s`).join(", "),
				`< ${noteTimesMax} times as long`,
				median(behind) < noteTimesMax * alone && Math.max(...behind) < 2 * noteTimesMax * alone,
			),
			told("jobs that wait by then", String(await queued(server))),
		];
	} finally {
		await server.kill();
	}
}

async function secondsOf(server: Server, note: object): Promise<number> {
	const began = performance.now();
	await waitUntilDone(server, (await add(server, "/v3/documents", note)).id);
	return (performance.now() - began) / 1_000;
}

async function add({ address }: Server, path: string, body: object): Promise<{ readonly id: string }> {
	const response = await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as { id: string };
}
