/** Two clocks over HTTP: what was known at a time, what was so at a time, and what ends by itself. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

type Body = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Body;

/** The clock of the server, moved by hand: every step of a test happens a second after the one before. */
const clock = { at: Date.parse("2026-03-01T00:00:00Z") };
const dayMs = 24 * 60 * 60_000;
const tick = (ms = 1_000) => {
	clock.at += ms;
	return new Date(clock.at).toISOString();
};
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], {}, { world: { now: () => new Date(clock.at) } });
	client = await server.client();
});
afterAll(() => server.dispose());

async function write(containerTag: string, content: string, more: Body = {}): Promise<string> {
	const { memories } = await json(client.send("POST", "/v4/memories", { containerTag, memories: [{ content, ...more }] }));
	return (memories as readonly { readonly id: string }[])[0]?.id ?? "";
}

async function found(containerTag: string, q: string, more: Body = {}): Promise<readonly string[]> {
	const { results } = await json(client.send("POST", "/v4/search", { q, containerTag, threshold: 0, limit: 50, ...more }));
	return (results as readonly { readonly memory: string }[]).map(({ memory }) => memory).toSorted();
}

async function profiled(containerTag: string, more: Body = {}): Promise<readonly string[]> {
	const { profile } = (await json(client.send("POST", "/v4/profile", { containerTag, ...more }))) as { readonly profile: Record<string, readonly string[]> };
	return [...(profile["static"] ?? []), ...(profile["dynamic"] ?? [])].toSorted();
}

test("asOf shows the versions of then, what was forgotten since, and nothing that was learnt later", async () => {
	const tag = "as-of";
	await write(tag, "Ada lives in Lisbon");
	const first = tick();
	tick();
	await client.send("PATCH", "/v4/memories", { containerTag: tag, content: "Ada lives in Lisbon", newContent: "Ada lives in Porto" });
	await write(tag, "Ada lives with Ben");
	const second = tick();
	tick();
	const { forgetBatchId } = await json(client.send("DELETE", "/v4/memories", { containerTag: tag, content: "Ada lives with Ben" }));
	const third = tick();
	tick();
	expect((await client.send("POST", "/v4/memories/restore", { containerTag: tag, forgetBatchId })).status).toBe(200);
	tick();
	const states = [
		[first, ["Ada lives in Lisbon"]],
		[second, ["Ada lives in Porto", "Ada lives with Ben"]],
		[third, ["Ada lives in Porto"]],
		[tick(), ["Ada lives in Porto", "Ada lives with Ben"]],
	] as const;
	for (const [asOf, texts] of states) {
		expect([asOf, await found(tag, "where does Ada live", { asOf })]).toEqual([asOf, [...texts]]);
		expect([asOf, await profiled(tag, { asOf })]).toEqual([asOf, [...texts]]);
	}
	expect(await found(tag, "Ada", { asOf: "2020-01-01T00:00:00Z" })).toEqual([]);
	const explained = await json(client.send("POST", "/v4/search", { q: "Ada", containerTag: tag, threshold: 0, asOf: first, explain: true }));
	expect(explained["explanation"]).toMatchObject({ memories: { inScope: 1 } });
	const by = `/v4/search?q=Ada&threshold=0&containerTag=${tag}&asOf=${encodeURIComponent(first)}`;
	expect(await json(client.send("GET", by))).toMatchObject({ total: 1, results: [{ memory: "Ada lives in Lisbon", context: { children: [] } }] });
});

test("a removal that was undone leaves the time between as it was", async () => {
	const tag = "undone";
	const added = await json(client.send("POST", "/v3/documents", { content: "Greta lives in Ulm.", containerTag: tag, dreaming: "instant" }));
	await client.finished(String(added["id"]));
	const before = tick();
	tick();
	const { removalId } = await json(client.send("DELETE", "/v3/documents/bulk", { ids: [added["id"]] }));
	const between = tick();
	tick();
	await client.send("POST", "/v3/documents/restore", { removalId });
	expect(await found(tag, "Greta", { asOf: before })).toEqual(["Greta lives in Ulm."]);
	expect(await found(tag, "Greta", { asOf: between })).toEqual([]);
	expect(await found(tag, "Greta", { asOf: tick() })).toEqual(["Greta lives in Ulm."]);
});

test("trueAt goes by the days that are spoken of, whenever they were learnt", async () => {
	const tag = "true-at";
	const letters = [
		["2019-05-01", "Hugo lives in Bonn."],
		["2023-08-01", "Hugo lives in Kiel."],
	] as const;
	for (const [documentDate, content] of letters) {
		const added = await json(client.send("POST", "/v3/documents", { content, containerTag: tag, metadata: { documentDate }, dreaming: "instant" }));
		await client.finished(String(added["id"]));
		tick();
	}
	await write(tag, "Hugo has a rowing race", { temporalContext: { eventDate: ["2021-06-01"] }, forgetAfter: "2021-06-02T00:00:00Z" });
	const soAt = (trueAt: string, more: Body = {}) => found(tag, "Hugo", { trueAt, ...more });
	expect(await soAt("2018-01-01")).toEqual([]);
	expect(await soAt("2020-01-01")).toEqual(["Hugo lives in Bonn."]);
	expect(await soAt("2021-06-01T12:00:00Z")).toEqual(["Hugo has a rowing race", "Hugo lives in Bonn."]);
	expect(await soAt("2024-01-01")).toEqual(["Hugo lives in Kiel."]);
	expect(await soAt("2024-01-01", { asOf: "2026-03-01T00:00:00Z" })).toEqual([]);
	expect(await found(tag, "Hugo")).toEqual(["Hugo lives in Kiel."]);
});

test("a time that is none, and chunks of another time, are refused", async () => {
	for (const wrong of [{ asOf: "yesterday" }, { trueAt: "2026-13-01" }, { asOf: "2026-01-01", searchMode: "hybrid" }]) {
		const answer = await client.send("POST", "/v4/search", { q: "Ada", ...wrong });
		expect([JSON.stringify(wrong), answer.status, (await json(Promise.resolve(answer)))["code"]]).toEqual([JSON.stringify(wrong), 400, "INPUT_INVALID"]);
	}
	expect((await client.send("POST", "/v4/profile", { containerTag: "as-of", asOf: "soon" })).status).toBe(400);
});

test("what has expired while no server ran is swept by the next", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-expiring-"));
	const began = clock.at;
	const ground = { folder, world: { now: () => new Date(clock.at) } };
	const first = await startTestServer([], {}, ground);
	const { key, send } = await first.client();
	const memories = [{ content: "Jon is on leave", forgetAfter: new Date(clock.at + dayMs).toISOString() }];
	await send("POST", "/v4/memories", { containerTag: "restart", memories });
	await first.dispose();
	tick(2 * dayMs);
	const second = await startTestServer([], {}, ground);
	await second.maintain();
	const { memoryEntries } = await json(second.clientWith(key).send("POST", "/v4/memories/list", { containerTags: ["restart"] }));
	expect(memoryEntries).toMatchObject([{ memory: "Jon is on leave", isForgotten: true, forgetReason: "expired" }]);
	await second.dispose();
	clock.at = began;
	await rm(folder, { recursive: true, force: true });
});

test("what has expired is gone at once, is swept with its reason, and comes back to stay", async () => {
	const tag = "expiring";
	await write(tag, "Ida looks after the cat", { isStatic: true });
	const id = await write(tag, "Ida is on holiday", { forgetAfter: new Date(clock.at + dayMs).toISOString() });
	expect(await found(tag, "Ida")).toEqual(["Ida is on holiday", "Ida looks after the cat"]);
	const before = tick(dayMs - 2);
	tick(1);
	expect([await found(tag, "Ida"), await profiled(tag)]).toEqual([
		["Ida is on holiday", "Ida looks after the cat"],
		["Ida is on holiday", "Ida looks after the cat"],
	]);
	tick(1);
	expect([await found(tag, "Ida"), await profiled(tag)]).toEqual([["Ida looks after the cat"], ["Ida looks after the cat"]]);
	await server.maintain();
	const { memoryEntries } = (await json(client.send("POST", "/v4/memories/list", { containerTags: [tag] }))) as { readonly memoryEntries: readonly Body[] };
	expect(memoryEntries.find((entry) => entry["id"] === id)).toMatchObject({ isForgotten: true, forgetReason: "expired" });
	expect(await found(tag, "Ida", { asOf: before })).toEqual(["Ida is on holiday", "Ida looks after the cat"]);
	expect((await client.send("POST", "/v4/memories/restore", { containerTag: tag, id })).status).toBe(200);
	await server.maintain();
	expect(await found(tag, "Ida")).toEqual(["Ida is on holiday", "Ida looks after the cat"]);
});
