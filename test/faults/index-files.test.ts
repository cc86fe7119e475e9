/**
 * The files of the vector and the word indexes deleted, truncated, emptied, overwritten, bit-flipped: the server starts, answers right meanwhile, and
 * makes them anew. The thresholds are lowered by an option of the storage, so that few documents need an index.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "index-files-test-key-01";
const documents = 1_200;
const sought = [3, 77, 501, 1_199];
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" };

let folder: string;
let whole: string;

/** Of the storage, with one index each: the vectors of all chunks, and their words. */
const kinds = ["indexes", "words"] as const;
const indexFolder = (kind: string) => join(folder, "sqlite", kind);

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-index-"));
	whole = await mkdtemp(join(tmpdir(), "cairn-index-whole-"));
	await writeFile(join(folder, "cairn.config.ts"), 'export default { plugins: [["sqlite", { scanMax: 300, rebuildAfter: 100 }]] };\n');
	await served(async (server) => {
		await fill(server);
		await untilIndexed();
	});
	for (const kind of kinds) await copyAll(indexFolder(kind), join(whole, kind));
}, 600_000);

afterAll(async () => {
	for (const path of [folder, whole]) await rm(path, { recursive: true, force: true });
});

const harms: readonly [string, (path: string) => Promise<void>][] = [
	["deleted", (path) => rm(path)],
	["truncated to half", async (path) => truncate(path, Math.floor((await stat(path)).size / 2))],
	["emptied", (path) => truncate(path, 0)],
	[
		"overwritten with garbage",
		async (path) =>
			writeFile(
				path,
				new Uint8Array((await stat(path)).size).map((_, i) => (i * 31) % 251),
			),
	],
	["bit-flipped at the head", (path) => flip(path, 0.001)],
	["bit-flipped in the middle", (path) => flip(path, 0.5)],
	["bit-flipped at the end", (path) => flip(path, 0.999)],
];

describe("the server starts, answers right and makes the index anew when every index file is", () => {
	for (const [name, harm] of harms) {
		test(name, async () => {
			await restore();
			for (const kind of kinds) for (const file of await readdir(indexFolder(kind))) await harm(join(indexFolder(kind), file));
			await served(async (server) => {
				await answersRight(server);
				await untilIndexed();
				await answersRight(server);
			});
		}, 300_000);
	}

	test("left over from a killed build", async () => {
		await restore();
		for (const kind of kinds) await writeFile(join(indexFolder(kind), "half-written.tmp"), "x".repeat(1_000));
		await served(answersRight);
		for (const kind of kinds) expect(await readdir(indexFolder(kind))).not.toContain("half-written.tmp");
	}, 300_000);
});

/** One server at a time has the folder: it is ended whatever becomes of the use. */
async function served(use: (server: ServerProcess) => Promise<void>): Promise<void> {
	const server = await startServerProcess(folder, env);
	try {
		await use(server);
	} catch (error) {
		await server.kill("SIGKILL");
		throw error;
	}
	expect(await server.kill("SIGTERM")).toBe(0);
}

async function fill(server: ServerProcess): Promise<void> {
	for (let start = 0; start < documents; start += 50) {
		const adding = Array.from({ length: 50 }, (_, i) =>
			request(server, "/v3/documents", { content: textOf(start + i), customId: `d${start + i}`, taskType: "superrag" }),
		);
		for (const response of await Promise.all(adding)) expect(response.status).toBe(200);
	}
	for (let total = 1; total > 0; ) {
		await Bun.sleep(50);
		({ total } = (await (await request(server, "/v3/documents/processing")).json()) as { total: number });
	}
}

/** Words that no other document has, so that there is one right answer; and vectors that are all different. */
function textOf(i: number): string {
	return `Record ${i}: ${Array.from({ length: 12 }, (_, j) => `w${((i * 7_919 + j * 104_729) % 99_991).toString(36)}`).join(" ")}.`;
}

async function answersRight(server: ServerProcess): Promise<void> {
	for (const i of sought) {
		const response = await request(server, "/v3/search", { q: textOf(i), limit: 3 });
		const { results } = (await response.json()) as { results: { customId: string; score: number }[] };
		expect(results.length).toBe(3);
		expect(results[0]?.customId).toBe(`d${i}`);
		expect(results[0]?.score).toBeGreaterThan(0.8); // by vectors alone, as a busy machine answers at first, it is 0.849
	}
}

/** A manifest is written last: where there is one, the index is whole. */
async function untilIndexed(): Promise<void> {
	await until(async () => (await Promise.all(kinds.map((kind) => isWhole(indexFolder(kind))))).every(Boolean));
}

async function isWhole(indexes: string): Promise<boolean> {
	const names = await readdir(indexes).catch(() => []);
	const sizes = await Promise.all(names.map(async (name) => (await stat(join(indexes, name)).catch(() => null))?.size ?? 0));
	return names.length >= 2 && names.some((name) => name.endsWith(".json")) && !names.some((name) => name.endsWith(".tmp")) && sizes.every((size) => size > 0);
}

async function restore(): Promise<void> {
	for (const kind of kinds) {
		await rm(indexFolder(kind), { recursive: true, force: true });
		await copyAll(join(whole, kind), indexFolder(kind));
	}
}

async function copyAll(from: string, to: string): Promise<void> {
	await mkdir(to, { recursive: true });
	for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name));
}

async function flip(path: string, share: number): Promise<void> {
	const bytes = await readFile(path);
	const place = Math.min(bytes.length - 1, Math.floor(bytes.length * share));
	bytes[place] = (bytes[place] ?? 0) ^ 0xff;
	await writeFile(path, bytes);
}

function request(server: ServerProcess, path: string, body?: unknown): Promise<Response> {
	return fetch(`${server.address}${path}`, {
		method: body === undefined ? "GET" : "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
}
