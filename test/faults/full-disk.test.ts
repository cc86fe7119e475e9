/**
 * A disk that is full, at the start and later: the start ends with a sentence, a running server refuses writes, answers
 * searches, is not ready, and is ready again when there is space. On a small file system of its own, which only root may make.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, migrations } from "../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../plugins/stores/sqlite/connection.ts";
import { writerClient } from "../../plugins/stores/sqlite/writer/writer-client.ts";
import { startWriter } from "../../plugins/stores/sqlite/writer/writer-thread.ts";
import { discardChunks } from "../doubles/discarded-chunks.ts";
import { endedStart, type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "full-disk-test-key-00001";
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" };
const diskBytes = 16 * 2 ** 20;

const folder = await mkdtemp(join(tmpdir(), "cairn-full-disk-"));
const disk = join(folder, "disk");
await mkdir(disk);
const isMounted = mount();
if (!isMounted) console.log("not tested: this user cannot mount a file system of its own");

function mount(): boolean {
	if (process.platform !== "linux") return false;
	return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", disk], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

afterAll(async () => {
	if (isMounted) Bun.spawnSync(["umount", "-l", disk]);
	await rm(folder, { recursive: true, force: true });
});

test.skipIf(process.platform !== "linux")(
	"a log that cannot be written loses its lines, and the server goes on",
	async () => {
		const data = join(folder, "logged");
		await mkdir(data);
		const child = Bun.spawn([process.execPath, "--no-install", join(import.meta.dir, "../../server/main.ts")], {
			env: { CAIRN_API_KEY: key, CAIRN_DATA_DIR: data, CAIRN_LOG_LEVEL: "debug", PORT: "0" },
			cwd: data,
			stdout: "pipe",
			stderr: Bun.file("/dev/full"),
		});
		let printed = "";
		for await (const part of child.stdout) {
			printed += new TextDecoder().decode(part);
			if (printed.includes("Find it:")) break;
		}
		const address = /listens on (\S+)/.exec(printed)?.[1] ?? "";
		const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
		for (let i = 0; i < 20; i++) {
			const added = await fetch(`${address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content: `Note ${i} tells of a quagga.` }) });
			expect(added.status).toBe(200);
		}
		expect((await fetch(`${address}/v3/no-such-path`, { headers })).status).toBe(404);
		child.kill("SIGTERM");
		expect(await child.exited).toBe(0);
	},
	120_000,
);

describe.skipIf(!isMounted)("a full disk", () => {
	const ballast = join(disk, "ballast");
	const data = join(disk, "data");

	beforeAll(() => mkdir(data));

	test("at the first start ends it, and with space the next one is fine", async () => {
		await fillUp(ballast);
		const { code, printed } = await endedStart(data, env);
		expect(printed).toMatch(/^cairn cannot start: the disk is full\n {2}free some space.*\n {2}\(STORAGE_FULL\)\n$/);
		expect(code).toBe(1);
		await rm(ballast);
		const server = await startServerProcess(data, env);
		expect((await add(server, "A note tells of a quagga.")).status).toBe(200);
		await quiet(server);
		expect(await server.kill("SIGTERM")).toBe(0);
	}, 120_000);

	test("refuses writes and not searches, is not ready, and passes", async () => {
		const server = await startServerProcess(data, env);
		await fillUp(ballast);
		const refused = await untilRefused(server);
		expect(await refused.json()).toMatchObject({ code: "STORAGE_FULL" });
		const ready = await untilReady(server, 503);
		expect(await ready.json()).toMatchObject({ code: "STORAGE_FULL", error: "the disk is full" });
		expect((await ask(server, "/v3/search", { q: "quagga" })).status).toBe(200);
		await rm(ballast);
		await untilReady(server, 200);
		expect((await add(server, "Another tells of an okapi.")).status).toBe(200);
		await quiet(server);
		expect(await server.kill("SIGTERM")).toBe(0);
		// What was accepted is there.
		const next = await startServerProcess(data, env);
		const { results } = (await (await ask(next, "/v3/search", { q: "okapi quagga", limit: 10, chunkThreshold: 0 })).json()) as { results: unknown[] };
		expect(results.length).toBeGreaterThanOrEqual(2);
		expect(await next.kill("SIGTERM")).toBe(0);
	}, 180_000);

	test("at a later start ends it with a sentence or serves what is there, and nothing is lost", async () => {
		await fillUp(ballast);
		const { code, printed } = await endedStart(data, env, 20_000);
		// It may need no space at all: then it serves, and was ended here.
		if (code !== null) expect([code, printed]).toEqual([1, expect.stringMatching(/^cairn cannot start: the disk is full\n.+\n {2}\(STORAGE_FULL\)\n$/)]);
		expect(printed).not.toMatch(/\.ts:|SuppressedError/);
		await rm(ballast);
		const server = await startServerProcess(data, env);
		expect((await ask(server, "/v3/documents/list", {})).status).toBe(200);
		expect(await server.kill("SIGTERM")).toBe(0);
	}, 180_000);
});

test.skipIf(!isMounted)(
	"a full disk while discarded chunks are deleted costs the writer nothing but time",
	async () => {
		const file = join(disk, "discarded.sqlite");
		const connection = openWriter(file);
		migrate(connection, migrations);
		discardChunks(connection, 600);
		connection.close();
		const writer = startWriter({ file });
		const client = writerClient(writer.connect());
		writer.ended.then((why) => client.breakOff(why));
		// It opens the database, and has nothing to do in it.
		await writer.migrate();
		const ballast = join(disk, "ballast");
		await fillUp(ballast);
		for (let i = 0; i < 3; i++) await expect(client.health.ping()).rejects.toMatchObject({ code: "STORAGE_FULL" });
		await rm(ballast);
		await client.health.ping();
		await until(writer.emptyLog);
		await client.drain();
		await writer.close();
	},
	60_000,
);

/** To the last byte: large pieces first. */
async function fillUp(path: string): Promise<void> {
	for (const piece of [2 ** 20, 2 ** 12, 2 ** 6, 1]) {
		const bytes = new Uint8Array(piece).fill(1);
		for (let wrote = true; wrote; )
			wrote = await writeFile(path, bytes, { flag: "a" }).then(
				() => true,
				() => false,
			);
	}
}

function ask(server: ServerProcess, path: string, body: unknown): Promise<Response> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	return fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function add(server: ServerProcess, content: string): Promise<Response> {
	return ask(server, "/v3/documents", { content });
}

/** The log of writes may have some room left in it. */
async function untilRefused(server: ServerProcess): Promise<Response> {
	for (let i = 0; i < 50; i++) {
		const answer = await add(server, `Note ${i}: ${`word${i} `.repeat(20_000)}`);
		if (answer.status !== 200) return answer;
	}
	throw new Error("no write was refused");
}

function untilReady(server: ServerProcess, status: number): Promise<Response> {
	return until(async () => {
		const answer = await fetch(`${server.address}/ready`);
		return answer.status === status && answer;
	});
}

async function quiet(server: ServerProcess): Promise<void> {
	const processing = () => fetch(`${server.address}/v3/documents/processing`, { headers: { authorization: `Bearer ${key}` } });
	while (((await (await processing()).json()) as { total: number }).total !== 0) await Bun.sleep(50);
}
