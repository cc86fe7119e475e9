/** A document in several containers: what is remembered of it in one crosses into no other, whoever leaves. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

const secret = "Ada keeps the PIN 4711";

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
	server = await startTestServer();
});
beforeEach(async () => {
	admin = await server.client();
});
afterAll(() => server.dispose());

interface Entry {
	readonly id: string;
	readonly memory: string;
}

async function entriesOf(tag: string, client = admin): Promise<readonly Entry[]> {
	const body = { containerTags: [tag], limit: 100, include: { forgottenMemories: true } };
	return ((await (await client.send("POST", "/v4/memories/list", body)).json()) as { memoryEntries: readonly Entry[] }).memoryEntries;
}

/** A document of two containers, of which one has corrected what was drawn from it. */
async function share(tags: readonly string[]): Promise<string> {
	const added = await admin.send("POST", "/v3/documents", { content: "Ada works at the zoo.", containerTags: tags, dreaming: "instant" });
	const { id } = (await added.json()) as { id: string };
	await until(async () => (await entriesOf(tags[0] ?? "")).length > 0);
	await until(async () => ((await (await admin.send("GET", "/v3/documents/processing")).json()) as { total: number }).total === 0);
	const [drawn] = await entriesOf(tags[0] ?? "");
	const corrected = await admin.send("PATCH", "/v4/memories", { containerTag: tags[0], id: drawn?.id, newContent: secret });
	expect(corrected.status).toBe(200);
	return id;
}

const textsOf = async (tag: string) => (await entriesOf(tag)).map(({ memory }) => memory);

test("a correction goes with its container, and the other one can neither read nor restore it", async () => {
	await share(["alice", "team"]);
	const [corrected] = (await entriesOf("alice")).filter(({ memory }) => memory === secret);
	const before = await textsOf("team");
	expect((await admin.send("DELETE", "/v3/container-tags/alice")).status).toBeLessThan(300);
	expect(await textsOf("team")).toEqual(before);
	expect(await textsOf("team")).not.toContain(secret);
	const restored = await admin.send("POST", "/v4/memories/restore", { containerTag: "team", id: corrected?.id });
	expect(restored.status).toBe(404);
});

test("a document that leaves one of its containers leaves what that one remembers, each once", async () => {
	const id = await share(["anna", "crew"]);
	const before = await textsOf("crew");
	expect((await admin.send("PATCH", `/v3/documents/${id}`, { containerTags: ["crew"] })).status).toBe(200);
	expect(await textsOf("crew")).toEqual(before);
	expect(await textsOf("anna")).toEqual([]);
});

test("a document of one container takes its corrections along when it is renamed", async () => {
	const id = await share(["draft"]);
	const before = await textsOf("draft");
	expect(before).toContain(secret);
	expect((await admin.send("PATCH", `/v3/documents/${id}`, { containerTags: ["final"] })).status).toBe(200);
	expect(await textsOf("final")).toEqual(before);
});

test("a document that leaves all of several containers is remembered anew where it is", async () => {
	const id = await share(["ben", "board"]);
	const drawn = await textsOf("board");
	expect((await admin.send("PATCH", `/v3/documents/${id}`, { containerTags: ["carla"] })).status).toBe(200);
	await until(async () => (await textsOf("carla")).length > 0);
	expect(await textsOf("carla")).toEqual(drawn);
	expect([...(await textsOf("ben")), ...(await textsOf("board"))]).toEqual([]);
});

test("a merge keeps the corrections of a document that was in both", async () => {
	await share(["left", "right"]);
	const merge = await admin.send("POST", "/v3/container-tags/merge", { containerTags: ["left", "right"], targetContainerTag: "right" });
	expect(merge.status).toBe(202);
	await until(async () => (await textsOf("left")).length === 0);
	expect(await textsOf("right")).toContain(secret);
});
