/** A clock that is set forward by days and back again within the hour: nothing expires for good, and nothing is forgotten, that would be there without it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

const [hourMs, dayMs] = [60 * 60_000, 24 * 60 * 60_000];
const start = Date.parse("2026-06-01T12:00:00Z");
const clock = { passedMs: 0, setMs: 0 };
const steadyNow = () => new Date(start + clock.passedMs);
const now = () => new Date(start + clock.passedMs + clock.setMs);

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], {}, { world: { now, steadyNow } });
	client = await server.client();
});
afterAll(() => server.dispose());

type Body = Record<string, unknown>;
const send = async (method: string, path: string, body?: unknown, headers = {}) => {
	const answer = await client.send(method, path, body, { headers });
	return { status: answer.status, replayed: answer.headers.has("idempotency-replayed"), body: (await answer.json()) as Body };
};
const memories = async () => {
	const { body } = await send("POST", "/v4/memories/list", { containerTags: ["a"] });
	return (body["memoryEntries"] as { readonly memory: string; readonly isForgotten: boolean }[]).map(({ memory, isForgotten }) => [memory, isForgotten]);
};
const note = { content: "The gate has the code 4711.", containerTag: "notes" };
const add = () => send("POST", "/v3/documents", note, { "idempotency-key": "once" });

test("an idempotency key, an undo and an expiry survive ten wrong days", async () => {
	const first = await add();
	await client.finished(String(first.body["id"]));
	const forgetAfter = new Date(start + 3 * dayMs).toISOString();
	await send("POST", "/v4/memories", { containerTag: "a", memories: [{ content: "The fair is on.", forgetAfter }] });
	const { body: other } = await send("POST", "/v3/documents", { content: "A note that is deleted.", containerTag: "b" });
	await client.finished(String(other["id"]));
	const { body: removal } = await send("DELETE", "/v3/documents/bulk", { containerTags: ["b"] });

	clock.setMs = 10 * dayMs;
	await server.maintain();
	clock.passedMs += hourMs / 2;
	await server.maintain();
	clock.setMs = 0;
	await server.maintain();

	const again = await add();
	expect([again.status, again.replayed, again.body["id"]]).toEqual([200, true, first.body["id"] as string]);
	expect(await memories()).toEqual([["The fair is on.", false]]);
	expect((await send("POST", "/v3/documents/restore", { removalId: removal["removalId"] })).body).toMatchObject({ restoredCount: 1 });
}, 120_000);

test("a request that is repeated while it is ahead is not executed again", async () => {
	const remember = () =>
		send("POST", "/v4/memories", { containerTag: "once", memories: [{ content: "The shed has the code 1938." }] }, { "idempotency-key": "shed" });
	const first = await remember();
	clock.setMs = 25 * hourMs;
	const again = await remember();
	clock.setMs = 0;
	expect([again.status, again.replayed, again.body]).toEqual([first.status, true, first.body]);
	const { body } = await send("POST", "/v4/memories/list", { containerTags: ["once"] });
	expect(body["memoryEntries"]).toHaveLength(1);
}, 120_000);

test("documents that are added while it is ahead, and while it is back, are read at once", async () => {
	for (const setMs of [9 * hourMs, -9 * hourMs, 0]) {
		clock.setMs = setMs;
		const { body } = await send("POST", "/v3/documents", { content: `Added at ${setMs}.` });
		expect(await client.finished(String(body["id"]))).toMatchObject({ status: "done" });
	}
}, 120_000);

test("days that really pass do end them", async () => {
	clock.passedMs += 2 * dayMs;
	await server.maintain();
	expect((await add()).replayed).toBe(false);
	clock.passedMs += 2 * dayMs;
	await server.maintain();
	expect(await memories()).toEqual([["The fair is on.", true]]);
}, 120_000);
