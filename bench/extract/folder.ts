/**
 * A mixed folder dropped in at once: 300 files on a server that answers searches meanwhile. How all ended, how far it was when,
 * and the searches beside those of the idle server. `bun bench/extract/folder.ts --samples FOLDER`
 */

import { loadavg } from "node:os";
import { basename, join } from "node:path";
import { post, send, unfinished, until } from "../client.ts";
import { createWriter } from "../notes.ts";
import { questions } from "../questions.ts";
import { judged, type Row, table, told } from "../row.ts";
import { key, type Server, startServer, temporaryFolder } from "../server.ts";
import { shown, timesOf } from "../times.ts";
import { readSamples, samplesFolder } from "./samples.ts";

const filesMax = 300;
/** There is something to be found before the files come. */
const notes = 500;
const askedIdle = 300;
/** A person's pace: the server is not kept busy by searches alone. */
const everyMs = 25;
const patienceMs = 15 * 60_000;
const timesMax = 2;

interface Shown {
	readonly status: string;
	readonly error: { readonly code: string } | null;
}

const headers = { authorization: `Bearer ${key}` };
const paths = (await readSamples(samplesFolder(), "manifest.json")).slice(0, filesMax).map(({ path }) => path);
await using folder = await temporaryFolder();
const server = await startServer(join(folder.path, "data"));
try {
	const writer = createWriter(1);
	await send(
		server,
		Array.from({ length: notes }, () => writer.note()),
		8,
	);
	await until(async () => (await unfinished(server)) === 0, 250, patienceMs);
	await ask(askedIdle / 3, () => true);
	const idle = await ask(askedIdle, () => true);
	console.log(table(await drop(idle)));
} finally {
	await server.stop();
}

async function drop(idle: readonly number[]): Promise<readonly Row[]> {
	const load = loadavg()[0] ?? 0;
	const began = performance.now();
	let isDone = false;
	const accepting = Promise.all(paths.map((path) => upload(server, path)));
	const asking = ask(Number.POSITIVE_INFINITY, () => !isDone);
	const ids = await accepting;
	const acceptedMs = performance.now() - began;
	await until(async () => (await reported(began)) === 0, 1_000, patienceMs);
	const doneMs = performance.now() - began;
	isDone = true;
	const busy = await asking;
	const [alone, beside] = [p95(idle), p95(busy)];
	const failed = busy.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
	return [
		told(`${ids.length} files at once, all accepted after`, `${(acceptedMs / 1_000).toFixed(1)} s`),
		told("all read after", `${(doneMs / 1_000).toFixed(1)} s`),
		told("how they ended", await endsOf(ids)),
		told(`search on the idle server, ${idle.length} asked`, `p50 ${shown(timesOf(idle).p50)}, p95 ${shown(alone)}`),
		told(`search meanwhile, ${busy.length} asked`, `p50 ${shown(timesOf(busy).p50)}, p95 ${shown(beside)}`),
		judged("searches that failed meanwhile", String(failed), "none", failed === 0),
		judged("ratio of their p95", `${(beside / alone).toFixed(2)}×`, `< ${timesMax}×`, beside < alone * timesMax),
		told("load of the machine when it began", load.toFixed(1)),
	];
}

async function upload({ address }: Server, path: string): Promise<string> {
	const form = new FormData();
	form.append("file", Bun.file(path), basename(path));
	const response = await fetch(`${address}/v3/documents/file`, { method: "POST", headers, body: form });
	if (!response.ok) throw new Error(`${basename(path)}: ${response.status} ${await response.text()}`);
	return ((await response.json()) as { readonly id: string }).id;
}

/** @returns how many are left, and prints it now and then. */
async function reported(began: number): Promise<number> {
	const left = await unfinished(server);
	console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${String(left).padStart(4)} left`);
	return left;
}

async function endsOf(ids: readonly string[]): Promise<string> {
	const ends: string[] = [];
	for (const id of ids) {
		const { status, error } = (await (await fetch(`${server.address}/v3/documents/${id}`, { headers })).json()) as Shown;
		ends.push(error?.code ?? status);
	}
	const counts = [...Map.groupBy(ends, (end) => end)].map(([end, those]) => [end, those.length] as const);
	return counts
		.sort(([, one], [, other]) => other - one)
		.map(([end, count]) => `${count} ${end}`)
		.join(", ");
}

/** @returns how long each took: without end when it failed. */
async function ask(count: number, goesOn: () => boolean): Promise<readonly number[]> {
	const took: number[] = [];
	const asks = questions(askedIdle, 4);
	for (let at = 0; at < count && goesOn(); at++) {
		const ms = await post(server, "/v3/search", asks[at % asks.length]?.body).catch(() => Number.POSITIVE_INFINITY);
		took.push(ms);
		await Bun.sleep(Math.max(1, everyMs - ms));
	}
	return took;
}

function p95(durations: readonly number[]): number {
	const sorted = durations.toSorted((one, other) => one - other);
	return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
