/** `npm run doctor` on a real data folder: whole, damaged, with files gone, beside a running server; it changes nothing. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withChecksum } from "../../plugins/stores/sql/bun-connection.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "doctor-test-key-000000001";
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" };
const script = resolve(import.meta.dir, "../../scripts/doctor.ts");
const pageBytes = 8_192;

let folder: string;
let data: string;
let server: ServerProcess | null = null;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-doctor-test-"));
	data = join(folder, "data");
	await mkdir(data);
});

afterAll(async () => {
	await server?.kill("SIGKILL");
	await rm(folder, { recursive: true, force: true });
});

async function doctor(of: string, ...flags: readonly string[]): Promise<{ readonly code: number; readonly printed: string }> {
	const child = Bun.spawn([process.execPath, script, ...flags], {
		env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", CAIRN_DATA_DIR: of },
		cwd: folder,
		stdout: "pipe",
		stderr: "pipe",
	});
	const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
	return { code, printed: out + err };
}

test("a folder that is not there is fine", async () => {
	expect(await doctor(join(folder, "none"))).toEqual({ code: 0, printed: expect.stringContaining("will be created at the first start") });
}, 60_000);

test("beside a running server, and after it", async () => {
	server = await startServerProcess(data, env);
	const form = new FormData();
	form.append("file", new File(["Ana: I moved to Lisbon with my okapi."], "okapi.txt", { type: "text/plain" }));
	form.append("customId", "okapi-file");
	const uploaded = await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
	expect(uploaded.status).toBe(200);
	await until(async () => (await memoriesOf(server?.address ?? "")) > 0);
	const beside = await doctor(data);
	expect(beside.code).toBe(0);
	expect(beside.printed).toMatch(/pages and indexes\s+sound/);
	expect(beside.printed).toMatch(/chunks, vectors, memories\s+belong together/);
	expect(beside.printed).toMatch(/original files\s+1, all as they were stored/);
	expect(beside.printed).toMatch(/deleted content\s+is overwritten/);
	const ask = (method: string, path: string, sent: object) => send(`${server?.address}${path}`, method, sent);
	const { id } = (await ask("POST", "/v3/documents", { content: "Ben: I sold my boat to the harbour master." })) as { id: string };
	await until(async () => ((await ask("GET", `/v3/documents/${id}`, {})) as { status: string }).status === "done");
	expect(await ask("DELETE", "/v3/documents/bulk", { ids: [id] })).toMatchObject({ deletedCount: 1 });
	// What can be brought back keeps its chunks.
	expect(await doctor(data)).toEqual({ code: 0, printed: expect.stringMatching(/chunks, vectors, memories\s+belong together/) });
	expect(await server.kill("SIGTERM")).toBe(0);
	server = null;
	const before = await listed();
	expect((await doctor(data)).code).toBe(0);
	expect(await listed()).toEqual(before);
}, 120_000);

test("an original that is gone is named", async () => {
	const copy = await copied();
	await rm(join(copy, "sqlite", "blobs"), { recursive: true });
	const { code, printed } = await doctor(copy);
	expect(code).toBe(1);
	expect(printed).toMatch(/original files: .* missing[\s\S]+\(STORAGE_DAMAGED\)/);
}, 60_000);

test("an original whose bytes have changed is named", async () => {
	const copy = await copied();
	const [blob = ""] = await Array.fromAsync(new Bun.Glob("sqlite/blobs/*/*/*").scan(copy));
	await writeFile(join(copy, blob), "Ana: I moved to Lisbon with my oka-i.");
	const { code, printed } = await doctor(copy);
	expect(code).toBe(1);
	expect(printed).toMatch(/not as they were stored[\s\S]+\(STORAGE_DAMAGED\)/);
}, 60_000);

test("a damaged index is found, of which a start does not know", async () => {
	const copy = await copied();
	const file = join(copy, "sqlite", "cairn.sqlite");
	const db = new Database(file, { readonly: true });
	const { page } = db.query<{ page: number }, []>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'documents_by_custom_id'").get() ?? { page: 1 };
	db.close();
	const bytes = await readFile(file);
	bytes.write("q", bytes.indexOf("okapi-file", (page - 1) * pageBytes));
	await writeFile(file, bytes);
	const { code, printed } = await doctor(copy);
	expect(code).toBe(1);
	expect(printed).toMatch(/documents_by_custom_id[\s\S]+\(STORAGE_DAMAGED\)/);
}, 60_000);

test("a key of an organisation that is not there is found, since its holder would see an empty store", async () => {
	const copy = await copied();
	const db = withChecksum(new Database(join(copy, "sqlite", "cairn.sqlite")));
	db.run("UPDATE api_keys SET organisation = organisation || 'x'");
	db.close();
	const { code, printed } = await doctor(copy);
	expect(code).toBe(1);
	expect(printed).toMatch(/rows of api_keys belong to an organisation that is not there[\s\S]+\(STORAGE_DAMAGED\)/);
}, 60_000);

test.each([
	["DELETE FROM chunk_vectors", "[1-9] chunks without a vector"],
	["DELETE FROM chunks", "[1-9] vectors without a chunk"],
	["DELETE FROM documents", "[1-9] chunks without a document"],
	["DELETE FROM memory_vectors", "[1-9] memories without a vector"],
	["DELETE FROM memories", "[1-9] evidence without a memory"],
	["INSERT INTO memory_edges SELECT organisation, id, 'none', 'extends', 1 FROM memories LIMIT 1", "1 edges without both memories"],
])(
	"what belongs to nothing is found: %s",
	async (harm, finding) => {
		const copy = await copied();
		const db = withChecksum(new Database(join(copy, "sqlite", "cairn.sqlite")));
		db.run(harm);
		db.close();
		const { code, printed } = await doctor(copy);
		expect(code).toBe(1);
		expect(printed).toMatch(new RegExp(`${finding}[\\s\\S]+\\(STORAGE_DAMAGED\\)`));
	},
	60_000,
);

test("a damaged page is found", async () => {
	const copy = await copied();
	const file = await open(join(copy, "sqlite", "cairn.sqlite"), "r+");
	const { size } = await file.stat();
	await file.write(new Uint8Array(pageBytes).fill(7), 0, pageBytes, Math.floor(size / pageBytes / 2) * pageBytes);
	await file.close();
	const { code, printed } = await doctor(copy);
	expect(code).toBe(1);
	expect(printed).toContain("(STORAGE_DAMAGED)");
}, 60_000);

test("with --vacuum nothing is left of what an earlier version had deleted, and a running server keeps it from that", async () => {
	const copy = await copied();
	const file = join(copy, "sqlite", "cairn.sqlite");
	const db = new Database(file);
	db.run("PRAGMA secure_delete = OFF");
	db.run("CREATE TABLE old (text)");
	for (let i = 0; i < 200; i++) db.run("INSERT INTO old VALUES (?)", [`zyxwvold ${"words ".repeat(200)}`]);
	db.run("DROP TABLE old");
	db.run("UPDATE upkeep SET is_scrubbed = 0");
	db.close();
	const holds = async () => (await readFile(file, "latin1")).includes("zyxwvold");
	expect(await holds()).toBe(true);
	expect((await doctor(copy)).printed).toMatch(/deleted content\s+may be left from earlier versions/);
	expect((await doctor(copy, "--vacuum")).code).toBe(0);
	expect(await holds()).toBe(false);
	server = await startServerProcess(copy, env);
	expect(await doctor(copy, "--vacuum")).toEqual({ code: 1, printed: expect.stringContaining("(STORAGE_BUSY)") });
	await server.kill("SIGTERM");
	server = null;
}, 120_000);

async function send(url: string, method: string, sent: object): Promise<unknown> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	return (await fetch(url, { method, headers, ...(method === "GET" ? {} : { body: JSON.stringify(sent) }) })).json();
}

async function memoriesOf(address: string): Promise<number> {
	const listed = await send(`${address}/v4/memories/list`, "POST", { containerTags: ["sm_project_default"] });
	return (listed as { memoryEntries: unknown[] }).memoryEntries.length;
}

let copies = 0;
async function copied(): Promise<string> {
	const copy = join(folder, `copy-${++copies}`);
	await cp(data, copy, { recursive: true });
	return copy;
}

async function listed(): Promise<readonly string[]> {
	const names = (await readdir(data, { recursive: true })).toSorted();
	// The doctor reads as a server does, with a log in the folder while it reads: that changes the time of the folder itself.
	const timeOf = async (name: string) => (name === "sqlite" ? "" : (await stat(join(data, name))).mtimeMs);
	return Promise.all(names.map(async (name) => `${name} ${await timeOf(name)}`));
}
