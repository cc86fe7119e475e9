/** What a start does not look at is found in the background: the server says it, is not ready from then on, and goes on answering. */

import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFullCheck } from "../../plugins/stores/sqlite/files/full-check.ts";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "background-check-test-key";
const pageBytes = 8_192;
/** The first byte of such a page. */
const indexLeaf = 10;
const dayMs = 24 * 60 * 60_000;
const folder = await mkdtemp(join(tmpdir(), "cairn-background-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A data folder with a few documents, and a config file that begins the check at once. */
async function made(name: string) {
	const data = join(folder, name);
	await mkdir(data);
	const config = join(folder, `${name}.config.ts`);
	await writeFile(config, 'export default { plugins: [["sqlite", { checkAfterSeconds: 0 }]] };\n');
	const env = { CAIRN_API_KEY: key, CAIRN_CONFIG: config, CAIRN_LOG_LEVEL: "debug" };
	return { data, env, file: join(data, "sqlite/cairn.sqlite") };
}

async function fill(address: string): Promise<void> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	for (let i = 0; i < 20; i++)
		await fetch(`${address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content: `Note ${i}.`, customId: `note-${i}` }) });
	await until(async () => ((await (await fetch(`${address}/v3/documents/processing`, { headers })).json()) as { total: number }).total === 0);
}

/** Changes a key in a leaf of an index, and leaves its table: each page is sound, so that only comparing the two finds it. */
function changeIndex(file: string): void {
	const bytes = readFileSync(file);
	const isIndexLeaf = (at: number) => bytes[Math.floor(at / pageBytes) * pageBytes] === indexLeaf;
	let changed = 0;
	for (let at = bytes.indexOf("note-7"); at >= 0; at = bytes.indexOf("note-7", at + 1)) {
		if (!isIndexLeaf(at)) continue;
		bytes.write("note-x", at);
		changed++;
	}
	expect(changed).toBeGreaterThan(0);
	writeFileSync(file, bytes);
}

test("an index with a wrong key: the start sees nothing wrong, the background does", async () => {
	const { data, env, file } = await made("harmed");
	const first = await startServerProcess(data, { ...env, CAIRN_CONFIG: "" });
	await fill(first.address);
	await first.kill("SIGTERM");
	changeIndex(file);
	const server = await startServerProcess(data, env);
	const answer = await until(async () => {
		const ready = await fetch(`${server.address}/ready`);
		return ready.status === 503 && ((await ready.json()) as { readonly code: string; readonly error: string });
	});
	expect(answer).toMatchObject({ code: "STORAGE_DAMAGED", error: expect.stringMatching(/index/) });
	expect(server.printed()).toContain("the data folder is damaged");
	expect(existsSync(`${file}.checked`)).toBe(false);
	expect((await fetch(`${server.address}/health`)).status).toBe(200);
	const found = await fetch(`${server.address}/v3/documents/note-3`, { headers: { authorization: `Bearer ${key}` } });
	expect([200, 404, 503]).toContain(found.status);
	expect(await server.kill("SIGTERM")).toBe(0);
}, 240_000);

test("a sound one is remembered as such, over restarts, for a day, and not for another file in its place", async () => {
	const { data, env, file } = await made("sound");
	const server = await startServerProcess(data, env);
	await fill(server.address);
	await until(() => existsSync(`${file}.checked`));
	expect((await fetch(`${server.address}/ready`)).status).toBe(200);
	await server.kill("SIGTERM");

	const { at } = JSON.parse(await readFile(`${file}.checked`, "utf8")) as { readonly at: string };
	const begins = async (now: number): Promise<boolean> => {
		const check = createFullCheck({ file, afterMs: 0, log: () => undefined, now: () => new Date(now), onDamage: () => undefined });
		const hasBegun = check.beginIfDue();
		// In the middle of it.
		await check.close();
		return hasBegun;
	};
	expect(await begins(Date.parse(at) + dayMs - 1_000)).toBe(false);
	expect(await begins(Date.parse(at) + dayMs)).toBe(true);
	expect(await begins(Date.parse(at) - 30 * dayMs)).toBe(true);
	expect(JSON.parse(await readFile(`${file}.checked`, "utf8"))).toMatchObject({ at });
	await writeFile(`${file}.checked`, JSON.stringify({ at, inode: 1 }));
	expect(await begins(Date.parse(at))).toBe(true);
}, 240_000);
