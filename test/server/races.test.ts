/** Requests that race for one document: whatever the order they arrive in, what was deleted stays deleted and nothing is doubled. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

const rounds = 30;
type Answer = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response> | Response) => (await (await answer).json()) as Answer;

/** The worker may still hold what it had in hand: it must let go of it without a trace. */
async function settled(): Promise<void> {
	for (let quiet = 0; quiet < 2; ) {
		const { totalCount } = await json(client.send("GET", "/v3/documents/processing"));
		quiet = totalCount === 0 ? quiet + 1 : 0;
		await Bun.sleep(20);
	}
}

async function demandGone(ids: readonly string[], word: string): Promise<void> {
	for (const id of ids) expect((await client.send("GET", `/v3/documents/${id}`)).status).toBe(404);
	expect(await json(client.send("POST", "/v3/search", { q: word }))).toMatchObject({ total: 0 });
	expect(await json(client.send("POST", "/v4/search", { q: word, threshold: 0, searchMode: "hybrid" }))).toMatchObject({ total: 0 });
	expect(await json(client.send("POST", "/v4/memories/list", { containerTags: [word] }))).toMatchObject({ memoryEntries: [] });
}

test("an update that races a delete never brings the document back", async () => {
	const ids: string[] = [];
	for (let round = 0; round < rounds; round++) {
		const added = await json(client.send("POST", "/v3/documents", { content: `Ulla keeps a quoll, number ${round}.`, containerTag: "quoll" }));
		const id = String(added["id"]);
		ids.push(id);
		// Now before it was read, now in the midst of it, now after.
		await Bun.sleep((round % 6) * 4);
		const update = () => client.send("PATCH", `/v3/documents/${id}`, { content: `Ulla keeps another quoll, number ${round}.` });
		const remove = () => client.send("DELETE", `/v3/documents/${id}`);
		const [first, second] = await Promise.all(round % 2 === 0 ? [update(), remove()] : [remove(), update()]);
		const [updated, removed] = round % 2 === 0 ? [first, second] : [second, first];
		expect(removed?.status).toBe(204);
		expect([200, 404]).toContain(updated?.status ?? 0);
	}
	await settled();
	await demandGone(ids, "quoll");
});

test("a container deleted while documents are read into it stays empty of them", async () => {
	const ids: string[] = [];
	for (let i = 0; i < rounds; i++) {
		ids.push(String((await json(client.send("POST", "/v3/documents", { content: `Ulla feeds a numbat, number ${i}.`, containerTag: "numbat" })))["id"]));
	}
	expect((await client.send("DELETE", "/v3/container-tags/numbat")).status).toBe(200);
	await settled();
	await demandGone(ids, "numbat");
});

test("adds and deletes under one customId leave one document or none", async () => {
	const add = (i: number) => client.send("POST", "/v3/documents", { content: `Ulla saw a bilby, number ${i}.`, customId: "bilby" });
	const answers = await Promise.all(Array.from({ length: rounds }, (_, i) => (i % 3 === 2 ? client.send("DELETE", "/v3/documents/bilby") : add(i))));
	expect(answers.filter(({ status }) => status !== 200 && status !== 204 && status !== 404)).toEqual([]);
	await settled();
	const { results } = (await json(client.send("POST", "/v3/search", { q: "bilby" }))) as { readonly results: readonly unknown[] };
	expect(results.length).toBe((await client.send("GET", "/v3/documents/bilby")).status === 200 ? 1 : 0);
});

test("100 adds at once under one customId are one document", async () => {
	const add = (i: number) =>
		client.send("POST", "/v3/documents", { content: `Ulla drew a potoroo, number ${i % 7}.`, customId: "potoroo", containerTag: "potoroo" });
	const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => add(i)));
	const ids = await Promise.all(answers.map(async (answer) => (await json(answer))["id"]));
	expect([new Set(answers.map(({ status }) => status)), new Set(ids).size]).toEqual([new Set([200]), 1]);
	await settled();
	const listed = await json(client.send("POST", "/v3/documents/list", { containerTags: ["potoroo"] }));
	expect(listed).toMatchObject({ memories: [{ status: "done" }], pagination: { totalItems: 1 } });
	expect(await json(client.send("POST", "/v3/search", { q: "potoroo", containerTag: "potoroo" }))).toMatchObject({ total: 1 });
});
