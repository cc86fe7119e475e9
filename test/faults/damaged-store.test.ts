/**
 * The database cut, emptied, overwritten, replaced or gone: a real server ends its start with one sentence and a remedy, and
 * makes nothing in its place; what it comes across later it says, and is not ready from then on.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdir, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endedStart, type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const key = "damaged-store-test-key-1";
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" };
const pageBytes = 8_192;
/** Five seconds on a quiet machine; here others may run. */
const secondsMax = 25;

let folder: string;
/** As a server leaves it that was stopped, and one that was killed. */
let stopped: string;
let killed: string;

/** What the server has printed that says this. */
const linesOf = (server: ServerProcess, words: string) =>
	server
		.printed()
		.split("\n")
		.filter((line) => line.includes(words));

const databaseOf = (data: string) => join(data, "sqlite", "cairn.sqlite");

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-damage-"));
	stopped = join(folder, "stopped");
	killed = join(folder, "killed");
	await mkdir(stopped);
	const server = await startServerProcess(stopped, env);
	await fill(server);
	await cp(stopped, killed, { recursive: true });
	expect(await server.kill("SIGTERM")).toBe(0);
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Harm {
	readonly name: string;
	readonly code: string;
	readonly harm: (database: string) => Promise<unknown>;
	readonly from?: () => string;
	readonly skip?: string | false;
}

const harms: readonly Harm[] = [
	{ name: "emptied", code: "STORAGE_LOST", harm: (file) => truncate(file, 0) },
	{ name: "cut to half", code: "STORAGE_DAMAGED", harm: async (file) => truncate(file, Math.floor((await stat(file)).size / 2)) },
	{
		name: "cut to half in the middle of a page",
		code: "STORAGE_DAMAGED",
		harm: async (file) => truncate(file, Math.floor((await stat(file)).size / 2) + 1_234),
	},
	{ name: "cut to 100 bytes", code: "STORAGE_DAMAGED", harm: (file) => truncate(file, 100) },
	{ name: "cut to 50 bytes", code: "STORAGE_DAMAGED", harm: (file) => truncate(file, 50) },
	{ name: "noise over its header", code: "STORAGE_DAMAGED", harm: (file) => overwrite(file, 0, 100) },
	{ name: "noise over its first page", code: "STORAGE_DAMAGED", harm: (file) => overwrite(file, 100, pageBytes - 100) },
	{ name: "noise over a page in the middle", code: "STORAGE_DAMAGED", harm: async (file) => overwrite(file, await middleOf(file), pageBytes) },
	{ name: "noise over all of it", code: "STORAGE_DAMAGED", harm: async (file) => overwrite(file, 0, (await stat(file)).size) },
	{ name: "gone, with blobs beside it", code: "STORAGE_LOST", harm: (file) => rm(file) },
	{ name: "gone, with nothing but the log of writes beside it", code: "STORAGE_LOST", from: () => killed, harm: (file) => onlyLog(file) },
	{ name: "gone, from a store of texts alone", code: "STORAGE_LOST", harm: (file) => goneFromTexts(file) },
	{ name: "a folder in its place", code: "STORAGE_DAMAGED", harm: (file) => rm(file).then(() => mkdir(file)) },
	{ name: "another program's", code: "STORAGE_FOREIGN", harm: (file) => rm(file).then(() => foreign(file, "CREATE TABLE notes (text)")) },
	{
		name: "another program's, with migrations of its own",
		code: "STORAGE_FOREIGN",
		harm: (file) => rm(file).then(() => foreign(file, "CREATE TABLE migrations (id, hash)")),
	},
	{ name: "of a newer version", code: "STORAGE_NEWER", harm: async (file) => newer(file) },
	{ name: "its log overwritten with noise", code: "STORAGE_DAMAGED", from: () => killed, harm: (file) => overwrite(`${file}-wal`, 0, 4_096) },
	{ name: "a folder in the place of its log", code: "STORAGE_DAMAGED", harm: (file) => mkdir(`${file}-wal`) },
	{ name: "its lock overwritten with noise", code: "STORAGE_DAMAGED", harm: (file) => writeFile(join(file, "../lock.sqlite"), noise(4_096)) },
	{ name: "the key of its secrets cut", code: "STORAGE_DAMAGED", harm: (file) => truncate(join(file, "../../vault-key"), 10) },
	{
		name: "without the right to read it",
		code: "STORAGE_READ_ONLY",
		harm: (file) => chmod(file, 0o000),
		skip: process.getuid?.() === 0 && "nothing is forbidden to root",
	},
];

describe("the start ends with one sentence when the database is", () => {
	for (const { name, code, harm, from, skip } of harms) {
		if (typeof skip === "string") console.log(`not tested, ${skip}: ${name}`);
		test.skipIf(typeof skip === "string")(
			name,
			async () => {
				const data = await copied(from?.() ?? stopped);
				await harm(databaseOf(data));
				const before = await filesOf(data);
				const { code: exitCode, printed, seconds } = await endedStart(data, env);
				expectSentence(printed);
				expect(printed).toContain(`(${code})`);
				expect(exitCode).toBe(1);
				expect(seconds).toBeLessThan(secondsMax);
				// Nothing was made in its place: who puts it back has everything as it was.
				expect((await filesOf(data)).filter((file) => !before.includes(file) && !/-(shm|wal|journal)$|lock\.sqlite$/.test(file))).toEqual([]);
				await rm(data, { recursive: true });
			},
			120_000,
		);
	}
});

describe("the start is fine with", () => {
	const fine: readonly (readonly [string, (data: string) => Promise<unknown>, number])[] = [
		["an empty folder", (data) => rm(data, { recursive: true }).then(() => mkdir(data)), 0],
		["a log that was never written", (data) => writeFile(`${databaseOf(data)}-wal`, ""), 20],
		["a first start that was cut off", async (data) => cutOffStart(data), 0],
	];
	for (const [name, prepare, documents] of fine) {
		test(name, async () => {
			const data = await copied(stopped);
			await prepare(data);
			const server = await startServerProcess(data, env);
			expect(await total(server)).toBe(documents);
			expect(await server.kill("SIGTERM")).toBe(0);
			await rm(data, { recursive: true });
		}, 120_000);
	}
});

test("a key of secrets that is gone is made anew, and the log says so", async () => {
	const data = await copied(stopped);
	await rm(join(data, "vault-key"));
	const server = await startServerProcess(data, env);
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(server.printed().match(/vault-key of the data folder is lost/g)?.length).toBe(1);
	const next = await startServerProcess(data, env);
	await next.kill("SIGTERM");
	expect(next.printed()).not.toContain("vault-key");
	await rm(data, { recursive: true });
}, 120_000);

test("a log of writes that is gone is said, and what is left is served", async () => {
	const data = await copied(killed);
	await rm(`${databaseOf(data)}-wal`);
	const server = await startServerProcess(data, env);
	expect((await get(server, "/ready")).status).toBe(200);
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(server.printed().match(/cairn\.sqlite-wal has lost \d+ of the \d+ pages/g)?.length).toBe(1);
	await rm(data, { recursive: true });
}, 120_000);

test("damage that is met while serving has a code, is in the log once, and the server is not ready from then on", async () => {
	const data = await copied(stopped);
	const server = await startServerProcess(data, env);
	expect((await get(server, "/ready")).status).toBe(200);
	await overwrite(databaseOf(data), await pageOfTable(databaseOf(data), "document_tags"), pageBytes);
	for (let i = 0; i < 3; i++) {
		const answer = await post(server, "/v3/documents/list", { containerTags: ["zoo"] });
		expect(answer.status).toBe(503);
		expect(await answer.json()).toMatchObject({ code: "STORAGE_DAMAGED", error: expect.stringContaining("damaged") });
	}
	const ready = await untilStatus(server, 503);
	expect(await ready.json()).toMatchObject({ code: "STORAGE_DAMAGED" });
	// It lives, and answers what does not lie there.
	expect((await get(server, "/health")).status).toBe(200);
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(linesOf(server, "data folder is damaged")).toEqual([expect.any(String)]);
	await rm(data, { recursive: true });
}, 120_000);

async function fill(server: ServerProcess): Promise<void> {
	const documents = Array.from({ length: 19 }, (_, i) => ({ content: `Note ${i} tells of a quagga. ${"It grazes. ".repeat(300)}`, containerTag: "zoo" }));
	expect((await post(server, "/v3/documents/batch", { documents })).status).toBeLessThan(300);
	const form = new FormData();
	form.append("file", new File(["A file tells of an okapi."], "okapi.txt", { type: "text/plain" }));
	const uploaded = await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
	expect(uploaded.status).toBe(200);
	while (((await (await get(server, "/v3/documents/processing")).json()) as { total: number }).total !== 0) await Bun.sleep(20);
}

async function total(server: ServerProcess): Promise<number> {
	const { pagination } = (await (await post(server, "/v3/documents/list", { limit: 1 })).json()) as { pagination: { totalItems: number } };
	return pagination.totalItems;
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

function get(server: ServerProcess, path: string): Promise<Response> {
	return fetch(`${server.address}${path}`, { headers });
}

function post(server: ServerProcess, path: string, body: unknown): Promise<Response> {
	return fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function untilStatus(server: ServerProcess, status: number): Promise<Response> {
	for (let i = 0; i < 100; i++) {
		const answer = await get(server, "/ready");
		if (answer.status === status) return answer;
		await Bun.sleep(100);
	}
	throw new Error(`/ready never answered ${status}`);
}

let copies = 0;
async function copied(from: string): Promise<string> {
	const data = join(folder, `copy-${++copies}`);
	await cp(from, data, { recursive: true });
	return data;
}

async function filesOf(data: string): Promise<readonly string[]> {
	return (await readdir(data, { recursive: true })).toSorted();
}

/** One sentence, its remedy and its code, and nothing for programmers. */
function expectSentence(printed: string): void {
	expect(printed).toMatch(/^cairn cannot start: .+\n {2}.+\n {2}\([A-Z_]+\)\n$/);
	expect(printed).not.toMatch(/\.ts:|^\s+at |SuppressedError|undefined/m);
}

/** The same in every run. */
function noise(length: number): Uint8Array {
	return new Uint8Array(length).map((_, i) => (i * 7_919 + 13) % 251);
}

async function overwrite(path: string, from: number, length: number): Promise<void> {
	const file = await open(path, "r+");
	await file.write(noise(length), 0, length, from);
	await file.close();
}

async function middleOf(file: string): Promise<number> {
	return Math.floor((await stat(file)).size / pageBytes / 2) * pageBytes;
}

async function onlyLog(file: string): Promise<void> {
	for (const name of await readdir(join(file, ".."))) if (name !== "cairn.sqlite-wal") await rm(join(file, "..", name), { recursive: true });
}

async function goneFromTexts(file: string): Promise<void> {
	for (const name of ["cairn.sqlite", "blobs", "indexes", "words"]) await rm(join(file, "..", name), { recursive: true, force: true });
}

async function foreign(file: string, sql: string): Promise<void> {
	const db = new Database(file, { create: true });
	db.run(sql);
	db.close();
}

function newer(file: string): void {
	const db = new Database(file);
	db.run("INSERT INTO migrations (number, name, checksum, applied_at) VALUES (9999, '9999_later', 'x', 0)");
	db.close();
}

async function cutOffStart(data: string): Promise<void> {
	await rm(data, { recursive: true });
	await mkdir(join(data, "sqlite"), { recursive: true });
	await writeFile(databaseOf(data), "");
}

async function pageOfTable(file: string, table: string): Promise<number> {
	const db = new Database(file, { readonly: true });
	const { page } = db.query<{ page: number }, [string]>("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?").get(table) ?? { page: 0 };
	db.close();
	return (page - 1) * pageBytes;
}
