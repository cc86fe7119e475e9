/** When the undo days of a forgotten memory are over, what a client wrote of it is gone for good; what a document says stays forgotten. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { holdsText } from "../doubles/holds-text.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

const dayMs = 24 * 60 * 60_000;
const clock = { passedMs: 0 };
const now = () => new Date(Date.now() + clock.passedMs);

let folder: string;
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-forgotten-"));
	server = await startTestServer([], {}, { folder, world: { now, steadyNow: now } });
});
beforeEach(async () => {
	client = await server.client();
});
afterAll(async () => {
	await server.dispose();
	await rm(folder, { recursive: true, force: true });
});

type Body = Readonly<Record<string, unknown>>;
interface Entry {
	readonly id: string;
	readonly memory: string;
	readonly isForgotten: boolean;
}

async function send(method: string, path: string, body?: unknown): Promise<Body> {
	const answer = await client.send(method, path, body);
	if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as Body;
}

async function entries(): Promise<readonly Entry[]> {
	const body = { containerTags: ["home"], limit: 100, include: { forgottenMemories: true } };
	return (await send("POST", "/v4/memories/list", body))["memoryEntries"] as readonly Entry[];
}

async function write(...texts: readonly string[]): Promise<readonly Entry[]> {
	return (await send("POST", "/v4/memories", { containerTag: "home", memories: texts.map((content) => ({ content, metadata: { tag: `m${content}` } })) }))[
		"memories"
	] as readonly Entry[];
}

const forget = (id: unknown) => send("DELETE", "/v4/memories", { containerTag: "home", id });
const correct = (id: unknown, newContent: string) => send("PATCH", "/v4/memories", { containerTag: "home", id, newContent });
const isHeld = async (text: string) => [...(await bytesIn(folder))].some(([, bytes]) => holdsText(bytes, text));
const documents = async () => ((await send("POST", "/v3/documents/list", { containerTags: ["home"] }))["memories"] as readonly Body[]).length;

/** The server's own upkeep may be at work at that moment, and what it began goes with its next turn. */
async function untilDocuments(count: number): Promise<void> {
	await until(async () => {
		await server.maintain();
		return (await documents()) === count;
	});
}

async function pass(days: number): Promise<void> {
	clock.passedMs += days * dayMs;
	await server.maintain();
}

test("a memory of a client goes with its versions, its metadata and its document, and not before", async () => {
	const [own] = await write("The locker opens with zqxlocker");
	const { id } = await correct(own?.id, "The locker opens with zqxnewlocker");
	await forget(id);
	await pass(6);
	expect((await entries()).map(({ memory }) => memory)).toEqual(["The locker opens with zqxnewlocker"]);
	await send("POST", "/v4/memories/restore", { containerTag: "home", id });
	await pass(2);
	expect(await isHeld("zqxnewlocker")).toBe(true);
	await forget(id);
	await pass(8);
	await untilDocuments(0);
	expect(await entries()).toEqual([]);
	await until(async () => {
		await server.maintain();
		return !(await isHeld("zqxlocker")) && !(await isHeld("zqxnewlocker"));
	});
}, 120_000);

test("of memories that were written together only those that were forgotten go", async () => {
	const [first, second] = await write("The gate 🦓 opens with zqxgate", "The barn opens with zqxbarn");
	await forget(first?.id);
	await pass(8);
	expect((await entries()).map(({ id, memory }) => [id, memory])).toEqual([[second?.id, "The barn opens with zqxbarn"]] as never);
	await until(async () => {
		await server.maintain();
		return !(await isHeld("zqxgate"));
	});
	const found = await send("POST", "/v3/search", { q: "barn", containerTags: ["home"] });
	expect(JSON.stringify(found["results"])).toContain("zqxbarn");
	await forget(second?.id);
	await pass(8);
	await untilDocuments(0);
}, 120_000);

test("a correction goes, and what its document says stays forgotten when it is read again", async () => {
	const text = "Ada works at the zoo.";
	const { id: document } = await send("POST", "/v3/documents", { content: text, containerTag: "home", dreaming: "instant" });
	await client.finished(String(document));
	const drawn = await until(async () => (await entries())[0]);
	const { id } = await correct(drawn.id, "Ada works with zqxbadge");
	await forget(id);
	await pass(8);
	expect(await entries()).toMatchObject([]);
	await until(async () => {
		await server.maintain();
		return !(await isHeld("zqxbadge"));
	});
	await send("PATCH", `/v3/documents/${document}`, { content: `${text} It rains.` });
	await client.finished(String(document));
	await until(async () => (await send("GET", "/v3/documents/processing"))["total"] === 0);
	expect((await entries()).filter(({ memory, isForgotten }) => memory.includes("zoo") && !isForgotten)).toEqual([]);
	const found = await send("POST", "/v4/search", { q: "where does Ada work", containerTag: "home", threshold: 0 });
	expect(JSON.stringify(found)).not.toContain("zoo");
}, 120_000);

test("of a memory that stays, since a document says it, the reason and the metadata that a client gave go", async () => {
	const said = "Ada likes giraffes.";
	const metadata = { seen: "zqxmetadata" };
	const { memories } = await send("POST", "/v4/memories", { containerTag: "home", memories: [{ content: said, metadata }] });
	const [own] = memories as readonly Entry[];
	const { id: document } = await send("POST", "/v3/documents", { content: `${said} Ben works at the zoo.`, containerTag: "home", dreaming: "instant" });
	await client.finished(String(document));
	const drawn = await until(
		async () => (JSON.stringify(await entries()).includes(String(document)) && (await entries()).find(({ id }) => id !== own?.id)) || null,
	);
	await send("DELETE", "/v4/memories", { containerTag: "home", id: own?.id, reason: "zqxfirst" });
	await send("DELETE", "/v4/memories", { containerTag: "home", id: drawn.id, reason: "zqxreason" });
	await pass(6);
	const given = ["zqxmetadata", "zqxfirst", "zqxreason"];
	expect(await Promise.all(given.map(isHeld))).toEqual([true, true, true]);
	await pass(2);
	await until(async () => {
		await server.maintain();
		return !(await Promise.all(given.map(isHeld))).includes(true);
	});
	const left = (await entries()).map(({ id, isForgotten }) => ({ id, isForgotten }));
	expect(left.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([own?.id ?? "", drawn.id].toSorted().map((id) => ({ id, isForgotten: true })));
}, 120_000);

test("what a document says too stays forgotten when the document is read again, and goes with it", async () => {
	const text = "Ada likes okapis 🦓.";
	const [own] = await write(text);
	const { id: document } = await send("POST", "/v3/documents", { content: text, containerTag: "home", dreaming: "instant" });
	await client.finished(String(document));
	await until(async () => JSON.stringify(await entries()).includes(String(document)));
	expect((await entries()).map(({ id }) => id)).toEqual([own?.id] as never);
	await forget(own?.id);
	await pass(8);
	await untilDocuments(1);
	await send("PATCH", `/v3/documents/${document}`, { content: `${text} It rains.` });
	await client.finished(String(document));
	await until(async () => (await send("GET", "/v3/documents/processing"))["total"] === 0);
	expect((await entries()).filter(({ memory, isForgotten }) => memory.includes("okapis") && !isForgotten)).toEqual([]);
	await client.send("DELETE", `/v3/documents/${document}`);
	expect(await entries()).toEqual([]);
	await until(async () => {
		await server.maintain();
		return !(await isHeld("okapis"));
	});
}, 120_000);
