/** What `cairn erase` deletes is in no file any more, killed in between or not; and its proof finds what somebody has left behind. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "../../server/commands/run-command.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "erase-test-key-00000001";
const unique = 1_000;
const perDocument = 10;

/** Letters alone, and in no other word: a file that has it was given it. */
const canary = (i: number) => `zqx${[...String(i).padStart(4, "0")].map((digit) => "abcdefghij"[Number(digit)]).join("")}vw`;
const canaries = Array.from({ length: unique }, (_, i) => canary(i));

let folder: string;
let data: string;
let loose: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-erase-"));
	data = join(folder, "data");
	await mkdir(data);
	await writeFile(join(data, "cairn.config.ts"), 'export default { plugins: [["sqlite", { scanMax: 50, rebuildAfter: 50 }]] };\n');
	const server = await startServerProcess(data, { CAIRN_API_KEY: key });
	await fill(server);
	// The log of writes stays as it is, and nothing is tidied up.
	await server.kill("SIGKILL");
	loose = await addLoose();
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function ask(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const answer = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as Record<string, unknown>;
}

/** Ten of them in each document: text, title, names and values of metadata, customId, path, file name and bytes, memories. */
async function fill(server: ServerProcess): Promise<void> {
	const kept = Array.from({ length: 60 }, (_, i) => ({
		content: `Note ${i}: the quagga number ${i} grazes. Ada works at the zoo.`,
		customId: `kept-${i}`,
		containerTag: "kept",
	}));
	await ask(server, "POST", "/v3/documents/batch", { documents: kept });
	for (let from = 0; from < unique; from += perDocument) {
		const [a, b, c, d, e, f, g, h, i, j] = canaries.slice(from, from + perDocument);
		const shared = { containerTag: "gone", metadata: { [`${a}`]: `${b}`, list: [`${c}`], plain: "zoo" }, filepath: `/${d}/x` };
		const content = `# The ${e}\n\nThis tells of ${f} and a tapir. ${"It grazes on. ".repeat(from % 70)}\n\nAda ${g} works at the zoo. Ada ${h} likes okapis.`;
		if (from % 100 === 0) {
			const form = new FormData();
			form.append("containerTag", "gone");
			form.append("filepath", shared.filepath);
			form.append("metadata", JSON.stringify({ ...shared.metadata, [`${i}`]: 1 }));
			form.append("file", new File([content], `${j}.md`));
			const answer = await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
			expect(answer.status).toBe(200);
		} else await ask(server, "POST", "/v3/documents", { ...shared, content, customId: `${i}`, title: `${j}` });
	}
	await until(async () => ((await ask(server, "GET", "/v3/documents/processing")) as { total: number }).total === 0);
	await until(async () => (await ask(server, "GET", "/ready"))["queue"] !== undefined && (await waiting(server)) === 0);
	// Some of it is deleted already and can still be undone; some memories are corrected.
	const { memoryEntries } = (await ask(server, "POST", "/v4/memories/list", { containerTags: ["gone"], limit: 5 })) as {
		memoryEntries: readonly { id: string }[];
	};
	for (const { id } of memoryEntries) await ask(server, "PATCH", "/v4/memories", { containerTag: "gone", id, newContent: `Corrected ${canaries[3]}` });
	const { memories } = (await ask(server, "POST", "/v3/documents/list", { containerTags: ["gone"], limit: 20 })) as { memories: readonly { id: string }[] };
	await ask(server, "DELETE", "/v3/documents/bulk", { ids: memories.map(({ id }) => id) });
}

async function waiting(server: ServerProcess): Promise<number> {
	return ((await ask(server, "GET", "/ready"))["queue"] as { waiting: number }).waiting;
}

/** A copy with one file that nobody knows: a note that holds two of the texts. */
async function addLoose(): Promise<string> {
	const copy = join(folder, "loose");
	await cp(data, copy, { recursive: true });
	await writeFile(join(copy, "sqlite", "forgotten.bak"), `${"\0".repeat(70_000)}zoo and ${canaries[125]?.toUpperCase()}\0`);
	return copy;
}

async function run(dataDir: string, ...words: readonly string[]) {
	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	try {
		const env = { CAIRN_DATA_DIR: dataDir, CAIRN_CONFIG: join(dataDir, "cairn.config.ts") };
		return { code: await runCommand({ args: words, env, write: tell, writeError: tell }), said: printed.join("") };
	} catch (thrown) {
		return { code: null, said: (thrown as Error).message };
	}
}

/** Read by this test itself, with nothing of what it tests: which of them are in any file or name. */
async function held(dataDir: string): Promise<readonly string[]> {
	const files = [...(await bytesIn(dataDir))];
	const all = files
		.map(([path, bytes]) => `${path}\n${bytes.toString("latin1")}`)
		.join("\n")
		.toLowerCase();
	const found = new Set(all.match(/zqx[a-j]{4}vw/g));
	return canaries.filter((each) => found.has(each));
}

test("a thousand strings are erased, and none is found, by the proof or by hand", async () => {
	expect((await held(data)).length).toBe(unique);
	const one = join(folder, "one");
	await cp(data, one, { recursive: true });
	const { code, said } = await run(one, "erase", "gone", "--prove");
	expect([code, said]).toEqual([0, expect.stringMatching(/gone: \d+ documents and \d+ memories erased\nsearched \d+ files for \d{4,} pieces/)]);
	expect(said).toMatch(/sqlite\/cairn\.sqlite, .* MB: nothing/);
	expect(await held(one)).toEqual([]);

	// What stays is whole, and the index files come back by themselves.
	expect((await run(one, "verify")).code).toBe(0);
	const server = await startServerProcess(one, { CAIRN_API_KEY: key });
	const { pagination } = (await ask(server, "POST", "/v3/documents/list", { limit: 1 })) as { pagination: { totalItems: number } };
	expect(pagination.totalItems).toBe(60);
	expect(((await ask(server, "POST", "/v3/search", { q: "quagga number 7" }))["results"] as readonly unknown[]).length).toBeGreaterThan(0);
	expect(await run(one, "erase", "kept")).toMatchObject({ code: null, said: expect.stringContaining("is in use") });
	await server.kill("SIGTERM");
	expect(await held(one)).toEqual([]);
	expect((await run(one, "erase", "gone")).said).toContain("there is no container or document named gone");
}, 240_000);

test("one document goes alone, and what others say too proves nothing", async () => {
	const alone = join(folder, "alone");
	await cp(data, alone, { recursive: true });
	const { code, said } = await run(alone, "erase", "kept-7", "--prove");
	expect([code, said]).toEqual([0, expect.stringContaining("kept-7: 1 documents")]);
	expect(said).toMatch(/; [1-9]\d* more pieces also occur in the remaining data/);
	expect((await held(alone)).length).toBeGreaterThan(700);
}, 120_000);

test("killed in the middle and started again, none is left", async () => {
	const main = resolve(import.meta.dir, "../../server/main.ts");
	const spawn = (dataDir: string) =>
		Bun.spawn([process.execPath, "--no-install", main, "erase", "gone", "--prove"], {
			env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", CAIRN_DATA_DIR: dataDir, CAIRN_CONFIG: join(dataDir, "cairn.config.ts") },
			cwd: folder,
			stdout: "ignore",
			stderr: "ignore",
		});
	let kills = 0;
	for (const pauseMs of [0, 60, 200]) {
		const copy = join(folder, `killed-${pauseMs}`);
		await cp(data, copy, { recursive: true });
		const child = spawn(copy);
		// It has begun to delete as soon as it says so.
		while (child.exitCode === null && !(await readdir(copy)).includes("erase-unfinished")) await Bun.sleep(1);
		await Bun.sleep(pauseMs);
		child.kill("SIGKILL");
		await child.exited;
		kills += child.signalCode === null ? 0 : 1;
		expect((await run(copy, "erase", "gone", "--prove")).code).toBe(child.signalCode === null ? null : 0);
		expect(await held(copy)).toEqual([]);
		expect(await readdir(copy)).not.toContain("erase-unfinished");
	}
	expect(kills).toBeGreaterThan(0);
}, 240_000);

test("a file that somebody has left in the folder is named, whatever case its letters have", async () => {
	const { code, said } = await run(loose, "erase", "gone", "--prove");
	expect([code, said]).toEqual([1, expect.stringMatching(/sqlite\/forgotten\.bak, .*: 1 found, the first a word at byte 70008\n/)]);
	expect(said).toMatch(/sqlite\/cairn\.sqlite, .* MB: nothing/);
}, 120_000);
