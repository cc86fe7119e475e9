/** `cairn erase --gone` looks for what was deleted over HTTP before: by its names, and by texts that only the operator still knows. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "../../server/commands/run-command.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { startTestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

/** One of few letters, one that JSON escapes, one outside of ASCII, and one that may be cut in two. */
const secrets = ["Zq Xv", 'the "zqx" says', "Ümit Zqxörü", "Her address is Zqxlong Street 17, in the house behind the tall poplars."] as const;
const [few, escaped, accented, long] = secrets;
/** With texts and events to keep: the words and stretches of a text that stays prove nothing, and the text itself does. */
const kept = "The quagga grazes beside the zoo.";
const flags = ["--use-embedder=hashing", "--undo-days=0"];

let folder: string;
let data: string;
let textFile: string;
let id: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-erase-gone-"));
	data = join(folder, "data");
	textFile = await textsIn("secrets", secrets.join("\r\n"));
	const server = await startTestServer(flags, {}, { folder: data });
	const client = await server.client();
	const add = async (body: object) => ((await (await client.send("POST", "/v3/documents", body)).json()) as { id: string }).id;
	const staying = await add({ content: kept, customId: "kept", containerTag: "kept" });
	const metadata = { says: escaped, name: accented };
	id = await add({ content: `Ada knows ${few}. ${long}`, metadata, customId: "zqx_doc_7", containerTag: "zqx_user_42" });
	for (const each of [staying, id]) expect(await client.finished(each)).toMatchObject({ status: "done" });
	expect(await held([few, long])).toEqual([few, long]);
	expect((await client.send("DELETE", "/v3/container-tags/zqx_user_42")).status).toBe(200);
	await until(async () => {
		await server.maintain();
		return (await held(["zqx_doc_7", ...secrets])).length === 0;
	});
	await server.dispose();
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Read by this test itself, with nothing of what it tests. */
async function held(texts: readonly string[]): Promise<readonly string[]> {
	const files = [...(await bytesIn(data))];
	return texts.filter((text) => files.some(([, bytes]) => bytes.includes(text)));
}

async function textsIn(name: string, text: string): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, `${text}\n\n`);
	return path;
}

async function copied(name: string): Promise<string> {
	const copy = join(folder, name);
	await cp(data, copy, { recursive: true });
	return copy;
}

/** What was found, by the places where it was. */
async function look(dataDir: string, ...words: readonly string[]) {
	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	const env = { CAIRN_DATA_DIR: dataDir, CAIRN_USE_EMBEDDER: "hashing" };
	const code = await runCommand({ args: ["erase", "--gone", ...words], env, write: tell, writeError: tell });
	const said = printed.join("");
	const found = [...said.matchAll(/^ {2}(.*), [\d.]+ MB: \d+ found, .*? at byte \d+(?:: (.*))?$/gm)].map(([, place, texts]) => `${place}: ${texts}`);
	return { code, said, found };
}

test("texts that were deleted are in nothing, and nothing is deleted", async () => {
	const { code, said, found } = await look(data, "--text", textFile);
	expect([code, found]).toEqual([0, []]);
	expect(said).toMatch(/^searched \d+ files, tables and blobs for \d{2,} pieces of what was deleted; /);
	expect(said).toMatch(/ {2}sqlite\/cairn\.sqlite, .* MB: nothing\n/);
	expect(said).toMatch(/ {2}table documents, .* MB: nothing\n/);
	expect(await held([kept])).toEqual([kept]);
});

test("a name is in no row but of events and of what has changed, which are kept for a while", async () => {
	const { code, said, found } = await look(data, id, "zqx_user_42", "zqx_doc_7");
	expect(code).toBe(1);
	expect(found).toEqual([`sqlite/cairn.sqlite: ${id}, zqx_user_42`, `table events: ${id}, zqx_user_42`, `table scope_changes: ${id}`]);
	expect(said).toContain("traces are left; docs/damage.md says what stays");
	expect((await look(data, "zqx_doc_7")).code).toBe(0);
});

test("what somebody has left is named: in a file in any form, in part, and in a table", async () => {
	const copy = await copied("left");
	await writeFile(join(copy, "short.bak"), `${"\0".repeat(70_000)}says ${few.toUpperCase()}\0`);
	await writeFile(join(copy, "within.json"), JSON.stringify({ note: `x ${escaped} y` }));
	await writeFile(join(copy, "twice.json"), JSON.stringify({ row: JSON.stringify({ note: escaped }) }));
	await writeFile(join(copy, "composed.txt"), accented.toUpperCase().normalize("NFD"));
	await writeFile(join(copy, "half.bin"), long.slice(22, 60));
	await writeFile(join(copy, "many.txt"), `${"x".repeat(1024 * 1024 - 40)}${long}`);
	const database = new Database(join(copy, "sqlite", "cairn.sqlite"));
	database.run('CREATE TABLE "left ""over" (note BLOB)');
	database.run('INSERT INTO "left ""over" VALUES (?)', [new TextEncoder().encode(`the zoo and ${few}`)]);
	database.close();
	const { code, found } = await look(copy, "--text", textFile);
	expect([code, found]).toEqual([
		1,
		[
			"composed.txt: line 3",
			"half.bin: undefined",
			"many.txt: line 4",
			"short.bak: line 1",
			"sqlite/cairn.sqlite: line 1",
			"twice.json: line 2",
			"within.json: line 2",
			'table left "over: line 1',
		],
	]);
});

test("a text that a document still has is told, though its words prove nothing", async () => {
	const { code, found } = await look(data, "--text", await textsIn("kept", kept));
	expect(code).toBe(1);
	expect(found).toContain("table chunks: line 1");
});

test("texts come from standard input too", async () => {
	const main = resolve(import.meta.dir, "../../server/main.ts");
	const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", CAIRN_DATA_DIR: data, CAIRN_USE_EMBEDDER: "hashing" };
	const stdin = new TextEncoder().encode(`${few}\n\nzqx_user_42\n`);
	const child = Bun.spawn([process.execPath, "--no-install", main, "erase", "--gone", "--text", "-"], { env, cwd: folder, stdin, stdout: "pipe" });
	expect([await new Response(child.stdout).text(), await child.exited]).toEqual([expect.stringMatching(/table events, .*: line 3\n/), 1]);
});

test("an erasure looks for given texts as well", async () => {
	const copy = await copied("erased");
	await writeFile(join(copy, "short.bak"), `says ${few}`);
	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	const env = { CAIRN_DATA_DIR: copy, CAIRN_USE_EMBEDDER: "hashing" };
	const args = ["erase", "kept", "--prove", "--text", textFile];
	// The data folder has a single organisation.
	expect(await runCommand({ args, env, write: tell, writeError: tell })).toBe(1);
	expect(printed.join("")).toMatch(/kept: 1 documents[\s\S]* short\.bak, .*: 1 found, the first a text at byte 5: line 1\n/);
	expect(printed.join("")).toMatch(/ {2}sqlite\/cairn\.sqlite, .* MB: nothing\n/);
});

test("texts in another encoding are refused, and so is one organisation of all that are searched", async () => {
	const [wide, latin] = [join(folder, "wide"), join(folder, "latin")];
	await writeFile(wide, few, "utf16le");
	await writeFile(latin, accented, "latin1");
	for (const words of [
		["--text", wide],
		["--text", latin],
		[few, "--organisation", "Harbour"],
	])
		await expect(look(data, ...words)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
});

test("nothing to look for, or too little, is refused", async () => {
	for (const words of [[], ["abc"], ["--text", join(folder, "none")], ["--text", await textsIn("empty", "")], ["--text", await textsIn("few", "Ada\nLisbon")]])
		await expect(look(data, ...words)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
	const erased = runCommand({
		args: ["erase", "kept", "--text", textFile],
		env: { CAIRN_DATA_DIR: data },
		write: () => undefined,
		writeError: () => undefined,
	});
	await expect(erased).rejects.toMatchObject({ code: "COMMAND_INVALID", message: expect.stringContaining("--prove or --gone") });
});
