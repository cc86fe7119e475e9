/** Of a damaged folder all that can be read comes into a new one, word for word, and all that cannot is named. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrganisationId } from "cairn-memory";
import { keyRecord, makeKey } from "../../server/auth/keys.ts";
import { runCommand } from "../../server/commands/run-command.ts";
import { seededRandom } from "../contract/samples.ts";
import { startServerProcess } from "../doubles/server-process.ts";
import { startTestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

const key = "salvage-test-key-000001";
const pageBytes = 8_192;

interface Line {
	readonly type: string;
	readonly id: string;
	readonly text: string | null;
	readonly content: { readonly kind: string; readonly text?: string };
	readonly status: string;
	readonly data?: string;
	readonly document?: string;
}

let folder: string;
let sound: string;
let originals: ReadonlyMap<string, Line>;

const databaseOf = (data: string) => join(data, "sqlite", "cairn.sqlite");

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-salvage-"));
	sound = join(folder, "sound");
	await mkdir(sound);
	const server = await startServerProcess(sound, { CAIRN_API_KEY: key });
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const documents = Array.from({ length: 120 }, (_, i) => ({
		content: `Note ${i}: the heron of pond ${i}. Ada${i} works at the zoo. ${"It stood still. ".repeat(10 + i)}`,
		customId: `note-${i}`,
		containerTag: `tag-${i % 3}`,
	}));
	for (const part of [documents.slice(0, 60), documents.slice(60)])
		expect((await fetch(`${server.address}/v3/documents/batch`, { method: "POST", headers, body: JSON.stringify({ documents: part }) })).ok).toBe(true);
	for (let i = 0; i < 10; i++) {
		const form = new FormData();
		form.append("file", new File([`# File ${i}\n\nThe bittern of reed ${i} calls. ${"It calls again. ".repeat(40)}`], `file-${i}.md`));
		expect((await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: headers.authorization }, body: form })).ok).toBe(
			true,
		);
	}
	const queue = async () => ((await (await fetch(`${server.address}/ready`)).json()) as { queue: { waiting: number; leased: number } }).queue;
	await until(async () => (await queue()).waiting + (await queue()).leased === 0);
	expect(await server.kill("SIGTERM")).toBe(0);
	originals = byId(await exported(sound, "sound"));
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(dataDir: string, ...words: readonly string[]) {
	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	try {
		return { code: await runCommand({ args: words, env: { CAIRN_DATA_DIR: dataDir }, write: tell, writeError: tell }), said: printed.join("") };
	} catch (thrown) {
		return { code: null, said: (thrown as Error).message };
	}
}

async function exported(dataDir: string, name: string): Promise<readonly Line[]> {
	const file = join(folder, `${name}.jsonl`);
	expect((await run(dataDir, "export", file)).code).toBe(0);
	return (await readFile(file, "utf8"))
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Line);
}

/** Documents and memories. */
function byId(lines: readonly Line[]): ReadonlyMap<string, Line> {
	return new Map(lines.filter(({ type }) => type === "document" || type === "memory").map((line) => [line.id, line]));
}

async function damaged(name: string, harm: (file: string) => Promise<void>): Promise<string> {
	const copy = join(folder, name);
	await cp(sound, copy, { recursive: true });
	await harm(databaseOf(copy));
	return copy;
}

async function noise(file: string, pages: readonly number[], random: () => number): Promise<void> {
	const opened = await open(file, "r+");
	for (const page of pages)
		await opened.write(
			Uint8Array.from({ length: pageBytes }, () => Math.floor(random() * 256)),
			0,
			pageBytes,
			page * pageBytes,
		);
	await opened.close();
}

/** All but those of the list of tables, without which nothing can be read. The first page has its beginning. */
function pagesOfTables(file: string): readonly number[] {
	using database = new Database(file, { readonly: true });
	const found = database.query<{ page: number }, []>("SELECT pageno - 1 AS page FROM dbstat WHERE name <> 'sqlite_schema' ORDER BY pageno").all();
	return found.map(({ page }) => page);
}

function pagesOf(file: string, table: string): readonly number[] {
	using database = new Database(file, { readonly: true });
	return database
		.query<{ page: number }, [string]>("SELECT pageno - 1 AS page FROM dbstat WHERE name = ?")
		.all(table)
		.map(({ page }) => page);
}

/** Each original is there word for word, or there and made of less, or named. @returns how many are there as they were */
async function demandHonest(name: string, said: string): Promise<number> {
	const found = byId(await exported(join(folder, `${name}-new`), `${name}-new`));
	let same = 0;
	for (const [id, line] of originals) {
		const now = found.get(id);
		if (now !== undefined && Bun.deepEquals(now, line)) same += 1;
		else if (now !== undefined && isUncompared(line.type, said)) continue;
		else if (!said.includes(`${line.type} without a readable id`)) expect([id, said]).toEqual([id, expect.stringContaining(id)]);
	}
	expect([...found.keys()].filter((id) => !originals.has(id))).toEqual([]);
	expect((await run(join(folder, `${name}-new`), "verify")).code).toBe(0);
	return same;
}

function isUncompared(type: string, said: string): boolean {
	return said.split("\n").some((line) => line.startsWith(`${type} (`) && line.endsWith("not compared with their checksums"));
}

test("of a sound folder everything, and nothing is named", async () => {
	const { code, said } = await run(sound, "salvage", sound, join(folder, "all-new"));
	expect([code, said]).toEqual([0, expect.stringMatching(/: 130 documents and \d+ memories salvaged\n$/)]);
	expect(await demandHonest("all", "")).toBe(originals.size);
	expect((await run(sound, "salvage", sound, join(folder, "all-new"))).said).toContain("writes into an empty folder");
}, 120_000);

describe("most of it comes through, and the rest is named", () => {
	for (const seed of [1, 2, 3, 4, 5, 6])
		test(`noise over three pages, ${seed}`, async () => {
			const random = seededRandom(seed);
			const name = `noise-${seed}`;
			const from = await damaged(name, async (file) => {
				const pages = pagesOfTables(file);
				await noise(
					file,
					Array.from({ length: 3 }, () => pages[Math.floor(random() * pages.length)] ?? 0),
					random,
				);
			});
			const { code, said } = await run(sound, "salvage", from, join(folder, `${name}-new`));
			expect(code === 0 || code === 1).toBe(true);
			expect(await demandHonest(name, said)).toBeGreaterThan(originals.size / 4);
		}, 120_000);

	test("a value that can be read and is not what was stored", async () => {
		const words = ["the heron of pond 77", "Ada78 works at the zoo."];
		const from = await damaged("flipped", async (file) => {
			const bytes = await readFile(file);
			for (const word of words) for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) bytes.set([bytes[at] === 84 ? 116 : 90], at);
			await writeFile(file, bytes);
		});
		const { code, said } = await run(sound, "salvage", from, join(folder, "flipped-new"));
		expect([code, said]).toEqual([1, expect.stringContaining(": changed\n")]);
		expect(said).not.toContain("not compared");
		expect(await demandHonest("flipped", said)).toBeGreaterThan(originals.size - 12);
	}, 120_000);

	test("cut by a fifth", async () => {
		const from = await damaged("cut", async (file) => truncate(file, Math.floor((await stat(file)).size * 0.8)));
		const { code, said } = await run(sound, "salvage", from, join(folder, "cut-new"));
		expect([code, said]).toEqual([1, expect.stringContaining("salvaged")]);
		expect(await demandHonest("cut", said)).toBeGreaterThan(0);
	}, 120_000);
});

test("where nothing can be read it says so and makes nothing", async () => {
	const cases: readonly (readonly [string, (file: string) => Promise<void>])[] = [
		["header", (file) => noise(file, [0], seededRandom(9))],
		["emptied", (file) => truncate(file, 0)],
		["missing", (file) => rm(file)],
	];
	for (const [name, harm] of cases) {
		const from = await damaged(name, harm);
		const { code, said } = await run(sound, "salvage", from, join(folder, `${name}-new`));
		expect([name, code, said]).toEqual([name, null, expect.not.stringContaining("\n")]);
		expect(said).not.toContain("something went wrong");
		expect(await readdir(folder)).not.toContain(`${name}-new`);
	}
	expect((await run(sound, "salvage", join(folder, "nowhere"), join(folder, "x"))).said).toContain("there is no");
	expect((await run(sound, "salvage", sound)).said).toContain("cairn salvage FOLDER NEW");
}, 60_000);

describe("of several organisations", () => {
	const [quarry, mine] = ["QuarryQuarryQuarry1111", "MineMineMineMineMine22"] as OrganisationId[] as [OrganisationId, OrganisationId];
	let several: string;

	beforeAll(async () => {
		several = join(folder, "several");
		const server = await startTestServer(["--use-embedder=hashing"], {}, { folder: several });
		for (const [at, id] of [quarry, mine].entries()) {
			const { accounts } = server.parts.storage;
			await accounts.addOrganisation({ id, name: id.slice(0, 4), slug: id.slice(0, 4).toLowerCase(), createdAt: new Date(Date.UTC(2026, 0, at + 1)) });
			const key = makeKey(id);
			await accounts.addKey({ ...keyRecord(key, "test", id, server.parts.world), role: id === mine ? "operator" : "admin" });
			const client = server.clientWith(key);
			const answer = await client.send("POST", "/v3/documents", { content: `The heron of ${id}.`, customId: "note", containerTag: "zoo" });
			await client.finished(((await answer.json()) as { readonly id: string }).id);
		}
		await server.dispose();
	}, 120_000);

	/** The texts of the documents of each organisation in a folder that was salvaged. */
	async function textsIn(name: string, wanted: readonly string[]): Promise<readonly (readonly string[])[]> {
		const found: (readonly string[])[] = [];
		for (const organisation of wanted) {
			const file = join(folder, `${name}-${organisation}.jsonl`);
			expect(await run(join(folder, name), "export", file, "--organisation", organisation)).toMatchObject({ code: 0 });
			const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
			found.push(lines.map((line) => JSON.parse(line) as Line).flatMap(({ type, content }) => (type === "document" ? [content.text ?? ""] : [])));
		}
		return found;
	}

	/** To the first organisation a start gives the operator's key. */
	function firstIn(name: string): string {
		using database = new Database(databaseOf(join(folder, name)), { readonly: true });
		return database.query<{ id: string }, []>("SELECT id FROM organisations ORDER BY created_at LIMIT 1").get()?.id ?? "";
	}

	test("all are brought, with their names", async () => {
		expect(await run(sound, "salvage", several, join(folder, "several-new"))).toEqual({ code: 0, said: expect.stringContaining(": 2 documents and") });
		expect(await textsIn("several-new", ["Quar", "Mine"])).toEqual([[`The heron of ${quarry}.`], [`The heron of ${mine}.`]]);
	}, 120_000);

	test("where the list of them cannot be read, all that other rows name are brought", async () => {
		const from = join(folder, "listless");
		await cp(several, from, { recursive: true });
		const pages = pagesOf(databaseOf(from), "organisations");
		await noise(databaseOf(from), pages, seededRandom(5));
		const { code, said } = await run(sound, "salvage", from, join(folder, "listless-new"));
		expect([code, said]).toEqual([1, expect.stringContaining(": 2 documents and")]);
		for (const id of [quarry, mine]) expect(said).toContain(`organisation ${id}: named as its id`);
		expect(firstIn("listless-new")).toBe(mine);
		expect(await textsIn("listless-new", [quarry, mine])).toEqual([[`The heron of ${quarry}.`], [`The heron of ${mine}.`]]);
	}, 120_000);

	test("where a row of the list is wrong, and reads without an error, it stops nothing", async () => {
		const from = join(folder, "wrong");
		await cp(several, from, { recursive: true });
		{
			using database = new Database(databaseOf(from));
			database.run("DROP INDEX organisations_checksums");
			database.run("UPDATE organisations SET created_at = 'not a time' WHERE id = ?", [mine]);
			database.run("UPDATE organisations SET quotas = ? WHERE id = ?", [JSON.stringify({ documents: 7, bytes: "many" }), quarry]);
		}
		const { code, said } = await run(sound, "salvage", from, join(folder, "wrong-new"));
		expect([code, said]).toEqual([1, expect.stringContaining(`organisation ${mine}: named as its id`)]);
		expect(await textsIn("wrong-new", ["Quar", mine])).toEqual([[`The heron of ${quarry}.`], [`The heron of ${mine}.`]]);
		using database = new Database(databaseOf(join(folder, "wrong-new")), { readonly: true });
		const [stored] = database.query<{ quotas: string }, [string]>("SELECT quotas FROM organisations WHERE id = ?").all(quarry);
		expect(JSON.parse(stored?.quotas ?? "")).toEqual({ documents: 7, bytes: null, tokensPerDay: null, requestsPerMinute: null });
	}, 120_000);

	test("of a database that cannot be upgraded the names come too", async () => {
		const from = join(folder, "older");
		await cp(several, from, { recursive: true });
		{
			using database = new Database(databaseOf(from));
			database.run("DROP INDEX organisations_checksums");
			for (const column of ["quotas", "removed_at"]) database.run(`ALTER TABLE organisations DROP COLUMN ${column}`);
		}
		expect(await run(sound, "salvage", from, join(folder, "older-new"))).toEqual({ code: 0, said: expect.stringContaining(": 2 documents and") });
		expect(await textsIn("older-new", ["Quar", "Mine"])).toEqual([[`The heron of ${quarry}.`], [`The heron of ${mine}.`]]);
	}, 120_000);
});
