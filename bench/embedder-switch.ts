/**
 * Another embedder on a running server: `bun bench/embedder-switch.ts [documents]`. Searches are asked all the time, the server
 * is killed in the middle, and what was found before is compared with what is found after, and after the way back.
 *
 * The new embedder is a small ONNX graph that this program writes, since no model is downloaded: it shows how the switch goes,
 * not how good a model is.
 */

import { join } from "node:path";
import { type EmbedderStatus, readStatus, writeEmbedderRequest } from "../server/boot/embedder-request.ts";
import { writeEmbedder } from "../test/doubles/onnx-model.ts";
import { send, unfinished, until } from "./client.ts";
import { createWriter } from "./notes.ts";
import { questions } from "./questions.ts";
import { judged, type Row, table, told } from "./row.ts";
import { key, type Server, startServer, temporaryFolder } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const documents = Number(process.argv[2] ?? 20_000);
const settings = { CAIRN_USE_EMBEDDER: "hashing" };
/** A person's pace. */
const everyMs = 25;
const compared = 200;
const patienceMs = 1_800_000;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const asks = questions(compared, 4);

interface Asked {
	readonly ms: readonly number[];
	/** The ids that were found for each question. */
	readonly found: readonly (readonly string[])[];
}

await using folder = await temporaryFolder();
await writeEmbedder(join(folder.path, "models", "small"), { dimensions: 128, words: [...new Set(sampleWords())] });
let server = await startServer(folder.path, [], settings);
try {
	console.log(table(await measure()));
} finally {
	await server.stop();
}

/** Right after so many documents the words of some are still being read, and searches do not wait for them: asked until nothing changes. */
async function settled(): Promise<Asked> {
	for (let last = await ask(asks.length); ; ) {
		const next = await ask(asks.length);
		if (sameIn(last, next) === asks.length) return next;
		last = next;
	}
}

function sameIn(a: Asked, b: Asked): number {
	return asks.filter((_, i) => a.found[i]?.join() === b.found[i]?.join()).length;
}

async function measure(): Promise<readonly Row[]> {
	await fill();
	const before = await settled();
	const making = await beside(async () => {
		writeEmbedderRequest(folder.path, { use: "small", over: "hashing" });
		await until(() => isTrue((status) => (status.next?.share ?? 0) > 0.4 || status.active === "small"), 20, patienceMs);
	});
	const atKill = readStatus(folder.path)?.next?.written ?? 0;
	await server.kill();
	server = await startServer(folder.path, [], settings);
	const going = await beside(() => until(() => isTrue((status) => status.active === "small"), 20, patienceMs));
	const after = await ask(asks.length);
	const back = await beside(async () => {
		writeEmbedderRequest(folder.path, null);
		await until(() => isTrue((status) => status.active === "hashing" && status.next === null), 5, patienceMs);
	});
	const again = await ask(asks.length);
	const empty = [making, going, back].flatMap(({ asked }) => asked.found).filter((found) => found.length === 0).length;
	const busy = timesOf([...making.asked.ms, ...going.asked.ms]);
	const same = sameIn(before, again);
	return [
		told("documents", String(documents)),
		told("vectors made for the other embedder", `in ${((making.tookMs + going.tookMs) / 1_000).toFixed(1)} s, ${atKill} before the server was killed`),
		judged("searches meanwhile", `${busy.count}, none failed, ${empty} without an answer`, "0 without", empty === 0),
		told(
			"search before, and meanwhile",
			`p50 ${shown(timesOf(before.ms).p50)} p99 ${shown(timesOf(before.ms).p99)}; p50 ${shown(busy.p50)} p99 ${shown(busy.p99)} longest ${shown(busy.max)}`,
		),
		told("search after", `p50 ${shown(timesOf(after.ms).p50)} p99 ${shown(timesOf(after.ms).p99)}`),
		told("found after as before, of the first ten", `${Math.round(overlap(before, after) * 100)} %`),
		told("the way back", shown(back.tookMs)),
		judged("questions answered exactly as before, after the way back", `${same} of ${compared}`, `${compared}`, same === compared),
	];
}

async function fill(): Promise<void> {
	const writer = createWriter(5);
	const notes = Array.from({ length: documents }, () => ({ ...writer.note(), taskType: "superrag" }));
	await send(server, notes, 16);
	await until(async () => (await unfinished(server)) === 0, 250, patienceMs);
	// What opens with the first search is not what is measured.
	await ask(20);
}

function sampleWords(): readonly string[] {
	const writer = createWriter(6);
	return Array.from({ length: 500 }, () => writer.note().content).flatMap((text) => text.toLowerCase().match(/[a-z]+/g) ?? []);
}

async function isTrue(holds: (status: EmbedderStatus) => boolean): Promise<boolean> {
	const status = readStatus(folder.path);
	return status !== null && holds(status);
}

/** Searches for as long as something else takes. */
async function beside(work: () => Promise<void>): Promise<{ readonly asked: Asked; readonly tookMs: number }> {
	const began = performance.now();
	let isOver = false;
	const working = work().finally(() => {
		isOver = true;
	});
	const asked = await ask(Number.POSITIVE_INFINITY, () => isOver);
	await working;
	return { asked, tookMs: performance.now() - began };
}

async function ask(count: number, isOver = () => false): Promise<Asked> {
	const ms: number[] = [];
	const found: (readonly string[])[] = [];
	for (let i = 0; i < count && !isOver(); i++) {
		const began = performance.now();
		found.push(await search(server, asks[i % asks.length]?.body));
		const took = performance.now() - began;
		ms.push(took);
		await Bun.sleep(Math.max(0, everyMs - took));
	}
	return { ms, found };
}

async function search({ address }: Server, body: unknown): Promise<readonly string[]> {
	const response = await fetch(`${address}/v3/search`, { method: "POST", headers, body: JSON.stringify(body) });
	if (response.status !== 200) throw new Error(`a search failed: ${response.status} ${await response.text()}`);
	const { results } = (await response.json()) as { results: readonly { documentId: string }[] };
	return results.map(({ documentId }) => documentId);
}

function overlap(a: Asked, b: Asked): number {
	const shares = a.found.map((found, i) => (found.length === 0 ? 1 : found.filter((id) => b.found[i]?.includes(id)).length / found.length));
	return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
