/** What each quota of an organisation refuses, how it says so, and that it is nobody else's; and what becomes of a flood whose organisation is removed. */

import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrganisationId } from "cairn-memory";
import { createFastWorld } from "../doubles/fast-world.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { remembering, startModelServer } from "../doubles/model-server.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

type Body = Readonly<Record<string, unknown>>;
const answer = async (response: Promise<Response>): Promise<Body & { readonly status: number }> => {
	const got = await response;
	const text = await got.text();
	return { ...(text === "" ? {} : (JSON.parse(text) as Body)), status: got.status };
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

async function start(...started: Parameters<typeof startTestServer>): Promise<{ readonly server: TestServer; readonly operator: TestClient }> {
	const server = await startTestServer(...started);
	ends.push(server.dispose);
	return { server, operator: await server.client() };
}

async function create(server: TestServer, operator: TestClient, name: string, quotas: object = {}) {
	const made = await answer(operator.send("POST", "/v3/organisations", { name, quotas }));
	expect(made).toMatchObject({ status: 200, state: "active" });
	return { id: String(made["id"]), client: server.clientWith(String(made["key"])) };
}

const add = (client: TestClient, content: string, more: object = {}) => answer(client.send("POST", "/v3/documents", { content, ...more }));
const upload = (client: TestClient, content: string) => {
	const form = new FormData();
	form.set("file", new File([content], "notes.txt", { type: "text/plain" }));
	return answer(client.send("POST", "/v3/documents/file", undefined, { body: form }));
};
const usage = (client: TestClient) => answer(client.send("GET", "/v3/usage"));

test("bytes: a text, a file and a batch beyond the quota are refused with what is used, and what is removed makes room", async () => {
	const { server, operator } = await start();
	const { client } = await create(server, operator, "Narrow", { bytes: 1_000 });
	const { client: other } = await create(server, operator, "Wide");
	const first = await add(client, "a".repeat(600));
	expect(first.status).toBe(200);
	for (const refused of [await add(client, "b".repeat(401)), await upload(client, "c".repeat(401))]) {
		expect(refused).toMatchObject({ status: 402, code: "QUOTA_BYTES" });
		expect(String(refused["error"])).toContain("600");
		expect(String(refused["error"])).toContain("1000");
		expect(String(refused["details"])).toContain("GET /v3/usage");
	}
	const batch = await answer(client.send("POST", "/v3/documents/batch", { documents: [{ content: "d".repeat(300) }, { content: "e".repeat(300) }] }));
	const stored = (await usage(client))["stored"];
	expect(stored).toMatchObject({ documents: 2, bytes: 900 });
	expect(JSON.stringify(batch)).toContain("QUOTA_BYTES");
	expect((await add(client, "f".repeat(100))).status).toBe(200);
	expect((await add(client, "g")).status).toBe(402);
	expect((await add(other, "h".repeat(2_000))).status).toBe(200);
	expect((await answer(client.send("DELETE", `/v3/documents/${String(first["id"])}`))).status).toBe(204);
	expect((await add(client, "i".repeat(600))).status).toBe(200);
});

test("documents: files and batches count like texts, a change of one is no further one, and another organisation has its own", async () => {
	const { server, operator } = await start();
	const { client } = await create(server, operator, "Few", { documents: 3 });
	const { client: other } = await create(server, operator, "Also few", { documents: 3 });
	const known = await add(client, "one", { customId: "known" });
	expect([known.status, (await upload(client, "two")).status]).toEqual([200, 200]);
	const batch = await answer(client.send("POST", "/v3/documents/batch", { documents: [{ content: "three" }, { content: "four" }] }));
	expect(JSON.stringify(batch)).toContain("QUOTA_DOCUMENTS");
	const refused = await upload(client, "five");
	expect(refused).toMatchObject({ status: 402, code: "QUOTA_DOCUMENTS" });
	expect(String(refused["error"])).toContain("3");
	expect((await add(client, "one, said anew", { customId: "known" })).status).toBe(200);
	expect((await usage(client))["stored"]).toMatchObject({ documents: 3 });
	for (const content of ["a", "b", "c"]) expect((await add(other, content)).status).toBe(200);
	expect((await answer(client.send("POST", "/v3/search", { q: "anew" }))).status).toBe(200);
});

test("tokens: used up they leave the work to rules and say so, and another organisation's model goes on", async () => {
	const model = startModelServer(() => remembering([]));
	ends.push(model.stop);
	const { server, operator } = await start(["--openai-model=stub", `--openai-base-url=${model.baseUrl}`], {}, { world: createFastWorld(60) });
	const { client } = await create(server, operator, "Thrifty", { tokensPerDay: 100 });
	const { client: other } = await create(server, operator, "Rich");
	const done = async (by: TestClient, content: string) => by.finished(String((await add(by, content))["id"]));
	expect(await done(client, "Ana lives in Bonn.")).toMatchObject({ status: "done", remarks: [] });
	const before = model.asked.length;
	const over = await done(client, "Ben lives in Kiel.");
	expect(over).toMatchObject({
		status: "done",
		remarks: [{ code: "MEMORIES_BY_RULES", message: expect.stringContaining("the organisation's tokens of today are used up") }],
	});
	expect(model.asked.length).toBe(before);
	expect(await usage(client)).toMatchObject({ quotas: { tokensPerDay: 100 }, budget: { tokensToday: 120 } });
	expect(await done(other, "Cleo lives in Ulm.")).toMatchObject({ status: "done", remarks: [] });
	expect(model.asked.length).toBe(before + 1);
}, 120_000);

const canary = "Quuxzanzibar";

test("an organisation that is removed in the middle of its flood: each request is accepted or told that its key is no more, and nothing stays", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-flood-"));
	ends.push(() => rm(folder, { recursive: true, force: true }));
	let ahead = 0;
	const { server, operator } = await start([], {}, { folder, world: { now: () => new Date(Date.now() + ahead) } });
	const { id, client } = await create(server, operator, `${canary} Ltd`);
	const kept = String((await add(operator, "Marta paints boats in Kiel."))["id"]);
	let isRemoved = false;
	let sent = 0;
	const answers: (Body & { readonly status: number })[] = [];
	const flood = async () => {
		for (let after = 0; after < 5; after += isRemoved ? 1 : 0) {
			answers.push(await add(client, `The ${canary} number ${sent++} lies in a harbour.`, { containerTag: canary, taskType: "superrag" }));
			// Without a socket a refusal waits for nothing, and would leave other requests no turn.
			await new Promise((resolve) => setImmediate(resolve));
		}
	};
	const flooding = [flood(), flood(), flood(), flood()];
	await until(() => answers.length > 40);
	expect(await answer(operator.send("DELETE", `/v3/organisations/${id}`))).toMatchObject({ status: 202, state: "removing" });
	isRemoved = true;
	await Promise.all(flooding);
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
	expect(answers.slice(-16).every(({ status, code }) => status === 401 && code === "KEY_INVALID")).toBe(true);
	expect(await operator.finished(kept)).toMatchObject({ status: "done" });
	const isListed = async () => JSON.stringify(await answer(operator.send("GET", "/v3/organisations"))).includes(id);
	await until(async () => {
		ahead += 60_000;
		await server.maintain();
		return !(await isListed());
	});
	expect(((await answer(operator.send("POST", "/v3/search", { q: "Who paints boats in Kiel?" })))["results"] as unknown[]).length).toBe(1);
	expect((await server.parts.storage.jobs.depth()).waiting).toBe(0);
	// Maintenance goes on until the log and the gaps between rows are empty.
	await server.maintain();
	await ends.pop()?.();
	const traces = [...(await bytesIn(folder))].filter(([, bytes]) => bytes.toString("latin1").toLowerCase().includes(canary.toLowerCase()));
	expect(traces.map(([path]) => path)).toEqual([]);
}, 240_000);

test("a flood leaves a small organisation its turn: hardly any of the flood's documents are done before its note, however many wait", async () => {
	const { server, operator } = await start();
	const { id, client } = await create(server, operator, "Small");
	const flood = 600;
	const [flooding] = await server.parts.storage.accounts.organisations();
	if (flooding === undefined) throw new Error("there is no organisation");
	const documents = Array.from({ length: flood }, (_, i) => ({ content: `Boat ${i} lies in Kiel.`, taskType: "superrag" }));
	await answer(operator.send("POST", "/v3/documents/batch", { documents }));
	const doneOf = (organisation: string) => server.parts.storage.organisation(organisation as OrganisationId).events.after(0, ["document.done"], 10_000);
	const note = await add(client, "Marta paints.", { taskType: "superrag" });
	const before = (await doneOf(flooding.id)).length;
	await client.finished(String(note["id"]));
	const [own] = await doneOf(id);
	const passed = (await doneOf(flooding.id)).filter(({ sequence }) => sequence < (own?.sequence ?? 0)).length - before;
	expect(before).toBeLessThan(flood / 2);
	// Turns, not time: what was in hand when the note was accepted, and what is claimed beside it.
	expect(passed).toBeLessThan(24);
}, 240_000);
