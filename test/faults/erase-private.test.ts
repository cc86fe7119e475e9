/** `cairn erase` of a container takes what was only remembered there: corrections of a shared document, and what was forgotten. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../server/commands/run-command.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { holdsText } from "../doubles/holds-text.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "erase-private-key-00001";
const secrets = ["zqxcorrectedvw", "zqxforgottenvw", "zqxownvw"] as const;

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-erase-private-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function ask(server: ServerProcess, method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
	const answer = await fetch(`${server.address}${path}`, { method, headers, body: JSON.stringify(body) });
	if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as Record<string, unknown>;
}

async function memoriesOf(server: ServerProcess, tag: string): Promise<readonly { readonly id: string; readonly memory: string }[]> {
	const body = { containerTags: [tag], limit: 100, include: { forgottenMemories: true } };
	return (await ask(server, "POST", "/v4/memories/list", body))["memoryEntries"] as readonly { readonly id: string; readonly memory: string }[];
}

async function held(): Promise<readonly string[]> {
	const files = [...(await bytesIn(folder))];
	return secrets.filter((secret) => files.some(([, bytes]) => holdsText(bytes, secret)));
}

test("what one of two containers has corrected and forgotten is in no file any more, and the proof looks for it", async () => {
	const server = await startServerProcess(folder, { CAIRN_API_KEY: key });
	await ask(server, "POST", "/v3/documents", { content: "Ada works at the zoo. Ada likes okapis.", containerTags: ["alice", "team"], dreaming: "instant" });
	const [first, second] = await until(async () => {
		const drawn = await memoriesOf(server, "alice");
		return drawn.length === 2 && (await memoriesOf(server, "team")).length === 2 && drawn;
	});
	await ask(server, "PATCH", "/v4/memories", { containerTag: "alice", id: first?.id, newContent: `The PIN is ${secrets[0]}` });
	const { id } = await ask(server, "PATCH", "/v4/memories", { containerTag: "alice", id: second?.id, newContent: `The code is ${secrets[1]}` });
	await ask(server, "DELETE", "/v4/memories", { containerTag: "alice", id });
	await ask(server, "POST", "/v4/memories", { containerTag: "alice", memories: [{ content: `The key is ${secrets[2]}` }] });
	const before = await memoriesOf(server, "team");
	await server.kill("SIGKILL");
	expect(await held()).toEqual([...secrets]);

	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	const code = await runCommand({ args: ["erase", "alice", "--prove"], env: { CAIRN_DATA_DIR: folder }, write: tell, writeError: tell });
	expect([code, printed.join("")]).toEqual([0, expect.stringContaining("alice: 1 documents and 5 memories erased")]);
	expect(await held()).toEqual([]);

	const again = await startServerProcess(folder, { CAIRN_API_KEY: key });
	expect(await memoriesOf(again, "team")).toEqual(before);
	await again.kill("SIGTERM");
}, 120_000);

test("one memory that a client wrote is erased with its versions; one of a document is not, for that says it", async () => {
	const server = await startServerProcess(folder, { CAIRN_API_KEY: key });
	const { memories } = await ask(server, "POST", "/v4/memories", { containerTag: "team", memories: [{ content: `The key is ${secrets[2]}` }] });
	const [own] = memories as readonly { readonly id: string }[];
	const { id } = await ask(server, "PATCH", "/v4/memories", { containerTag: "team", id: own?.id, newContent: `The code is ${secrets[1]}` });
	const [drawn] = (await memoriesOf(server, "team")).filter(({ memory }) => memory.startsWith("Ada"));
	await server.kill("SIGKILL");
	expect(await held()).toEqual([secrets[1], secrets[2]]);

	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	const run = (name: unknown) => runCommand({ args: ["erase", String(name), "--prove"], env: { CAIRN_DATA_DIR: folder }, write: tell, writeError: tell });
	await writeFile(join(folder, "erase-unfinished"), "elsewhere\na-blob");
	expect([await run(id), printed.join("")]).toEqual([0, expect.stringContaining(`${id}: 0 documents and 2 memories erased`)]);
	expect(await held()).toEqual([]);
	// The erasure that was killed before it is not forgotten.
	expect(await readFile(join(folder, "erase-unfinished"), "utf8")).toBe("elsewhere\na-blob");
	expect(await run("elsewhere")).toBe(0);
	expect(await readdir(folder)).not.toContain("erase-unfinished");
	await expect(run(drawn?.id)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
}, 120_000);

test("a memory that has expired is erased before the server has noticed; one that a document says too is refused", async () => {
	const server = await startServerProcess(folder, { CAIRN_API_KEY: key });
	const written = async (memory: object) => {
		const { memories } = await ask(server, "POST", "/v4/memories", { containerTag: "late", memories: [memory] });
		return (memories as readonly { readonly id: string }[])[0]?.id;
	};
	const said = await written({ content: "Ada likes okapis." });
	const { id: document } = await ask(server, "POST", "/v3/documents", { content: "Ada likes okapis.", containerTag: "late", dreaming: "instant" });
	await until(async () => {
		const { memoryEntries } = await ask(server, "POST", "/v4/memories/list", { containerTags: ["late"] });
		return JSON.stringify(memoryEntries).includes(String(document));
	});
	const forgetAfter = new Date(Date.now() - 1_000).toISOString();
	const expired = await written({ content: `The key is ${secrets[2]}`, forgetAfter });
	await server.kill("SIGKILL");

	const run = (name: unknown) =>
		runCommand({ args: ["erase", String(name)], env: { CAIRN_DATA_DIR: folder }, write: () => undefined, writeError: () => undefined });
	expect(await run(expired)).toBe(0);
	expect(await held()).toEqual([]);
	await expect(run(said)).rejects.toMatchObject({ code: "COMMAND_INVALID", message: expect.stringContaining(String(document)) });
	expect([await run(document), await run(said)]).toEqual([0, 0]);
	expect(await readdir(folder)).not.toContain("erase-unfinished");
}, 120_000);
