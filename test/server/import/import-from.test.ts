/** What other programs export goes into a server by its ordinary routes, and the second time nothing is doubled. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../../../server/commands/run-command.ts";
import { chatgpt } from "../../../server/import/chatgpt.ts";
import { claude } from "../../../server/import/claude.ts";
import type { ItemReader } from "../../../server/import/item.ts";
import { markdown } from "../../../server/import/markdown.ts";
import { mem0 } from "../../../server/import/mem0.ts";
import { notion } from "../../../server/import/notion.ts";
import { supermemory } from "../../../server/import/supermemory.ts";
import { zep } from "../../../server/import/zep.ts";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";
import { chatgptConversations, claudeConversations, mem0Memories, notionPages, supermemoryAnswers, vault, zepGraph } from "./samples.ts";

let folder: string;
let server: ServerProcess;
const files = { chatgpt: chatgptConversations, claude: claudeConversations, mem0: mem0Memories, zep: zepGraph, supermemory: supermemoryAnswers };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-import-"));
	for (const [name, value] of Object.entries(files)) {
		await mkdir(join(folder, name));
		await writeFile(join(folder, name, "conversations.json"), JSON.stringify(value));
	}
	for (const [name, text] of Object.entries(vault)) {
		await mkdir(dirname(join(folder, "markdown", name)), { recursive: true });
		await writeFile(join(folder, "markdown", name), text);
	}
	await writeFile(join(folder, "other.zip"), "PK");
	for (const [name, text] of Object.entries(notionPages)) {
		await mkdir(dirname(join(folder, "notion", name)), { recursive: true });
		await writeFile(join(folder, "notion", name), text);
	}
	const data = join(folder, "data");
	await mkdir(data);
	server = await startServerProcess(data);
});
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
});

const read = (source: ItemReader, name: string) => source(join(folder, name));

describe("what is read of", () => {
	test("ChatGPT is the branch that was shown, without what was never said", async () => {
		expect(await read(chatgpt, "chatgpt")).toEqual([
			{
				kind: "conversation",
				name: "chatgpt:0b7c1f5e-2222-4c4c-8888-aaaaaaaaaaaa",
				title: "Moving to Lisbon",
				messages: [
					{ role: "user", content: "My name is Ana and I moved to Lisbon." },
					{ role: "assistant", content: "Welcome to Lisbon, Ana." },
					{ role: "user", content: "What is in this picture?" },
				],
				metadata: { source: "chatgpt", documentDate: "2024-10-27T03:33:20.250Z", updatedAt: "2024-10-27T03:35:00.750Z" },
			},
		]);
	});

	test("ChatGPT without a current node is the newest branch, and a circle ends", async () => {
		const message = (at: number, text: string) => ({ author: { role: "user" }, create_time: at, content: { content_type: "text", parts: [text] } });
		const mapping = {
			a: { parent: "c", children: ["b", "c"], message: message(1, "one") },
			b: { parent: "a", children: [], message: message(2, "two") },
			c: { parent: "a", children: [], message: message(3, "three") },
		};
		const file = join(folder, "circle.json");
		await writeFile(file, JSON.stringify([{ id: "x y/z", mapping }]));
		const [found] = await chatgpt(file);
		expect(found).toMatchObject({ name: expect.stringMatching(/^chatgpt:[0-9a-f]{40}$/), messages: [{ content: "one" }, { content: "three" }] });
	});

	test("Claude are the words of both, with what was attached", async () => {
		expect(await read(claude, "claude")).toMatchObject([
			{
				name: "claude:5f2f3a4e-1111-4d4d-9999-bbbbbbbbbbbb",
				title: "The red boat",
				messages: [
					{ role: "user", content: "Ben: I bought a red boat.\n\nboat.txt:\nIt is nine metres long." },
					{ role: "assistant", content: "Nine metres, then." },
				],
			},
		]);
	});

	test("mem0 are memories with their user and flat metadata", async () => {
		const [first, second] = await read(mem0, "mem0");
		expect(first).toEqual({
			kind: "memory",
			name: "mem0:3c90c3cc-0d44-4b50-8888-8dd25736052a",
			content: "Ana prefers window seats",
			metadata: { category: "travel", nested: '{"a":1}', list: ["x", "y"], categories: ["travel"], user_id: "ana@example.com" },
			container: "ana_example.com",
			saidAt: "2026-01-02T03:04:05.678Z",
			happenedAt: null,
			endedAt: null,
		});
		expect(second).toMatchObject({ metadata: { user_id: "ana@example.com" } });
	});

	test("Zep are facts with their times and both ends, and episodes", async () => {
		expect(await read(zep, "zep")).toMatchObject([
			{
				kind: "memory",
				name: "zep:e1",
				content: "Ana lives in Lisbon",
				container: "ana",
				metadata: { relation: "LIVES_IN", from: "Ana", to: "Lisbon", certainty: "high" },
				happenedAt: "2026-01-15T00:00:00.000Z",
				endedAt: null,
			},
			{ kind: "memory", name: "zep:e2", endedAt: "2026-01-15T00:00:00.000Z" },
			{ kind: "document", name: "zep:p1", content: "Ana: I moved to Lisbon.", metadata: { source: "zep", documentDate: "2026-01-31T00:00:00.000Z" } },
		]);
	});

	test("Supermemory are documents with content, and memories that are current", async () => {
		expect(await read(supermemory, "supermemory")).toMatchObject([
			{ kind: "document", name: "doc-api-limits", title: "Limits", containers: ["ana", "team"], metadata: { source: "upload", n: 3 } },
			{ kind: "document", name: "supermemory:bcxV5LHMEsG2hMSNb4umbn", containers: [] },
			{
				kind: "memory",
				name: "supermemory:mem1",
				content: "Ana speaks Portuguese",
				saidAt: "2026-01-05T00:00:00.000Z",
				happenedAt: "2026-01-04T00:00:00.000Z",
			},
		]);
	});

	test("Markdown are notes with their place and front matter", async () => {
		const notes = await read(markdown, "markdown");
		expect(notes).toMatchObject([
			{ filepath: "/Boats/Red boat.md", metadata: { tags: ["boat", "red"], length: 9, aliases: ["The *Heron*"], documentDate: "2026-02-03T00:00:00.000Z" } },
			{ filepath: "/Harbour.md", metadata: {} },
			{ filepath: "/Odd.md", metadata: {} },
		]);
		expect(new Set(notes.map(({ name }) => name)).size).toBe(3);
	});

	test("Notion are pages and whole tables, known by their ids", async () => {
		expect(await read(notion, "notion")).toMatchObject([
			{ name: "notion:8c14a3b7b53f4b908b0f8db1eaa2fb87", filepath: "/Harbour.md" },
			{ name: "notion:2c14a3b7b53f4b908b0f8db1eaa2fb87", filepath: "/Harbour/Boats/Heron.md" },
			{ name: "notion:1c14a3b7b53f4b908b0f8db1eaa2fb87", filepath: "/Harbour/Boats.csv" },
		]);
		expect(await refusal(notion, join(folder, "markdown"))).toContain("no file with a page id");
		expect(await refusal(notion, join(folder, "other.zip"))).toContain("unpack it first");
	});

	test("anything else is refused with a sentence", async () => {
		const other = join(folder, "other.json");
		await writeFile(other, '[{"a":1}]');
		await mkdir(join(folder, "nothing"));
		for (const source of [chatgpt, claude, mem0, zep, supermemory]) {
			expect(await refusal(source, other)).toContain("other.json is not what was expected: it contains n");
			expect(await refusal(source, join(folder, "nothing"))).toContain("it contains no file named like");
			expect(await refusal(source, join(folder, "other.zip"))).toContain("unpack it first");
		}
		expect(await refusal(markdown, join(folder, "nothing"))).toContain("no Markdown file");
	});
});

async function refusal(source: ItemReader, path: string): Promise<string> {
	return source(path).then(
		() => "nothing",
		(thrown: Error) => thrown.message,
	);
}

async function run(...words: readonly string[]) {
	const [printed, complained]: [string[], string[]] = [[], []];
	const env = { CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "" };
	const code = await runCommand({ args: words, env, write: (text) => printed.push(text), writeError: (text) => complained.push(text) });
	return { code, printed: printed.join(""), complained: complained.join("") };
}

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
	const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
	const answer = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as Record<string, unknown>;
}

async function all() {
	await until(
		async () =>
			((await ask("GET", "/ready"))["queue"] as { waiting: number; leased: number }).waiting +
				((await ask("GET", "/ready"))["queue"] as { leased: number }).leased ===
			0,
	);
	const documents = (await ask("POST", "/v3/documents/list", { limit: 100, includeContent: true }))["memories"] as readonly Record<string, unknown>[];
	const tags = (await ask("GET", "/v3/container-tags/list")) as unknown as readonly { readonly containerTag: string }[];
	const memories = (await ask("POST", "/v4/memories/list", { containerTags: tags.map(({ containerTag }) => containerTag), limit: 100 }))["memoryEntries"];
	return { documents, memories: memories as readonly Record<string, unknown>[] };
}

test("all of them go into a server, and twice is once", async () => {
	const sent = await Promise.all([...Object.keys(files), "markdown", "notion"].map((name) => run("import", join(folder, name), "--from", name)));
	expect(sent.map(({ code, complained }) => [code, complained])).toEqual(sent.map(() => [0, ""]));
	const before = await all();
	const boat = before.documents.find(({ filepath }) => filepath === "/Boats/Red boat.md");
	expect(boat).toMatchObject({ status: "done", metadata: { tags: ["boat", "red"] }, content: expect.stringContaining("[[Harbour|the harbour]]") });
	expect(before.documents.find(({ customId }) => String(customId).startsWith("chatgpt:"))).toMatchObject({ title: "Moving to Lisbon", status: "done" });
	expect(before.documents.find(({ customId }) => customId === "doc-api-limits")).toMatchObject({ containerTags: ["ana", "team"] });
	const latex = before.memories.find(({ memory }) => memory === "Ana is allergic to latex");
	expect(latex).toMatchObject({ isForgotten: false, metadata: { importedFrom: "mem0:3c90c3cc-0d44-4b50-8888-8dd25736052b" } });
	const found = (await ask("POST", "/v4/search", { q: "where does Ana live", containerTag: "ana", threshold: 0 }))["results"] as readonly {
		readonly memory: string;
	}[];
	expect(found.map(({ memory }) => memory)).toContain("Ana lives in Lisbon");
	expect(found.map(({ memory }) => memory)).not.toContain("Ana lives in Ulm");

	// What a person has decided meanwhile stays.
	await ask("DELETE", "/v4/memories", { containerTag: "ana_example.com", id: latex?.["id"] });
	await ask("PATCH", "/v4/memories", { containerTag: "ana", content: "Ana speaks Portuguese", newContent: "Ana speaks Portuguese and Greek" });
	const between = await all();
	const again = await Promise.all([...Object.keys(files), "markdown", "notion"].map((name) => run("import", join(folder, name), `--from=${name}`)));
	expect(again.map(({ code, complained }) => [code, complained])).toEqual(again.map(() => [0, ""]));
	expect(again[2]?.printed).toContain("0 documents and 0 memories sent, 2 memories existed already");
	const after = await all();
	const facts = ({ id, customId, content, memory, isForgotten, version }: Record<string, unknown>) => ({ id, customId, content, memory, isForgotten, version });
	expect(after.documents.map(facts)).toEqual(between.documents.map(facts));
	expect(after.memories.map(facts)).toEqual(between.memories.map(facts));
}, 120_000);

test("a container that is named wins, one bad item does not stop the others, and a wrong call is one sentence", async () => {
	const file = join(folder, "some.json");
	await writeFile(file, JSON.stringify([...mem0Memories.results, { id: "long", memory: "x".repeat(20_000), user_id: "other" }]));
	const { code, complained, printed } = await run("import", file, "--from", "mem0", "--container", "shelf");
	expect([code, complained]).toEqual([1, expect.stringContaining("mem0:long")]);
	expect(printed).toContain("2 memories sent");
	const { memoryEntries } = await ask("POST", "/v4/memories/list", { containerTags: ["shelf"] });
	expect((memoryEntries as readonly unknown[]).length).toBe(2);
	const said = async (...words: readonly string[]) =>
		run(...words).then(
			({ code }) => String(code),
			(thrown: Error) => thrown.message,
		);
	expect(await said("import", file, "--from", "evernote")).toContain("evernote is not a known source; the sources are chatgpt, claude");
	expect(await said("import", "--from", "mem0")).toContain("usage: cairn import FOLDER|FILE --from SOURCE");
	expect(await said("import", join(folder, "missing"), "--from", "mem0")).toContain("there is no");
}, 60_000);
