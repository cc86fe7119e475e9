/**
 * Two servers on one database: what one has acknowledged the other one knows, whatever it is, and without sticky sessions. They run on a
 * database in this process, and on a real server where `CAIRN_TEST_POSTGRES_URL` names one.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OrganisationId } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import { writeEmbedderRequest } from "../../server/boot/embedder-request.ts";
import { createEmbedderMaintenance } from "../../server/boot/maintain-embedders.ts";
import { readEvents } from "../doubles/event-reader.ts";
import type { TestClient } from "../doubles/test-server.ts";
import { type Databases, databasesHere, databasesOn, type Nodes, startNodes } from "../doubles/two-nodes.ts";
import { until } from "../doubles/until.ts";
import { startReceiver } from "../doubles/webhook-receiver.ts";

type Answer = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Answer;
const status = async (answer: Promise<Response>) => (await answer).status;

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe("two servers on a database in this process", () => holdsOn(databasesHere));
describe.skipIf(url === undefined)("two servers on a PostgreSQL server", () => holdsOn(() => databasesOn(url ?? "")));

function holdsOn(open: () => Promise<Databases>): void {
	const receiver = startReceiver();
	const flags = ["--use-embedder=hashing", `--fetch-allow=${receiver.host}`];
	let databases: Databases;
	let nodes: Nodes;
	let a: TestClient;
	let b: TestClient;
	beforeAll(async () => {
		databases = await open();
		nodes = await startNodes(databases, [flags, flags]);
		[a, b] = nodes.clients;
	}, 120_000);
	afterAll(async () => {
		await nodes.dispose();
		await databases.close();
		await receiver.stop();
	});
	const add = async (client: TestClient, content: string, more: object = {}) =>
		String((await json(client.send("POST", "/v3/documents", { content, containerTag: "home", ...more })))["id"]);
	const found = async (client: TestClient, q: string) =>
		((await json(client.send("POST", "/v3/search", { q })))["results"] as readonly { documentId: string }[]).map(({ documentId }) => documentId);

	test("a document that one has accepted is read at the other at once, found at both when it is done, and gone at both", async () => {
		const id = await add(a, "The lighthouse at Brightwater was built of granite.", { customId: "lighthouse" });
		expect(await json(b.send("GET", "/v3/documents/lighthouse"))).toMatchObject({ id });
		await b.finished(id);
		for (const client of [a, b]) expect(await found(client, "granite lighthouse")).toEqual([id]);
		expect(await status(b.send("PATCH", `/v3/documents/${id}`, { metadata: { kind: "tower" } }))).toBe(200);
		expect(await json(a.send("GET", `/v3/documents/${id}`))).toMatchObject({ metadata: { kind: "tower" } });
		await a.finished(id);
		expect(await status(b.send("DELETE", `/v3/documents/${id}`))).toBe(204);
		expect(await status(a.send("GET", `/v3/documents/${id}`))).toBe(404);
		for (const client of [a, b]) expect(await found(client, "granite lighthouse")).toEqual([]);
	}, 120_000);

	test("documents that both accept are read once each", async () => {
		const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => add(i % 2 === 0 ? a : b, `Otter number ${i} lives on pier ${i}.`)));
		for (const id of ids) expect(await a.finished(id)).toMatchObject({ status: "done" });
		const records = nodes.servers[0].parts.storage.organisation(await organisationOf(a));
		const events = (await records.events.after(0, ["document.done"], 1_000)).filter(({ subject }) => ids.includes(subject as never));
		expect(events).toHaveLength(ids.length);
		expect((await found(b, "otter pier")).length).toBeGreaterThan(5);
	}, 120_000);

	// Before the tests that make and revoke keys: it needs an operator's.
	test("quotas of an organisation are those of both together, and hold however many come at once", async () => {
		const made = await json(a.send("POST", "/v3/organisations", { name: "Small", quotas: { documents: 5, requestsPerMinute: 40 } }));
		const [first, second] = nodes.servers.map(({ clientWith }) => clientWith(String(made["key"])));
		const sent = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? first : second)?.send("POST", "/v3/documents", { content: `note ${i}` }));
		const answers = await Promise.all(sent.map(async (answer) => ({ ...(await (await answer)?.json()), status: (await answer)?.status })));
		expect(answers.filter((each) => each.status === 200)).toHaveLength(5);
		expect(answers.filter((each) => each.status === 402 && each.code === "QUOTA_DOCUMENTS")).toHaveLength(15);
		const asked = await Promise.all(Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? first : second)?.send("GET", "/v3/session")));
		const refused = asked.filter((each) => each?.status === 429);
		// Tokens come back while the requests are sent, on a slow machine too.
		expect(refused.length).toBeGreaterThan(0);
		expect(await refused[0]?.json()).toMatchObject({ code: "QUOTA_REQUESTS" });
		expect(await status(a.send("GET", "/v3/session"))).toBe(200);
		expect(await json(a.send("DELETE", `/v3/organisations/${String(made["id"])}`))).toMatchObject({ state: "removing" });
		expect(await Promise.all([first, second].map((client) => client && status(client.send("GET", "/v3/session"))))).toEqual([401, 401]);
	}, 120_000);

	test("settings and containers", async () => {
		await json(a.send("PATCH", "/v3/settings", { filterPrompt: "only ships" }));
		expect(await json(b.send("GET", "/v3/settings"))).toMatchObject({ filterPrompt: "only ships" });
		await Promise.all([a.send("PATCH", "/v3/settings", { filterPrompt: "one" }), b.send("PATCH", "/v3/settings", { workspacePrompt: "two" })]);
		for (const client of [a, b]) expect(await json(client.send("GET", "/v3/settings"))).toMatchObject({ filterPrompt: "one", workspacePrompt: "two" });
		await json(a.send("PATCH", "/v3/settings", { filterPrompt: null, workspacePrompt: null }));
		await json(b.send("PATCH", "/v3/container-tags/harbour", { name: "The harbour" }));
		expect(await json(a.send("GET", "/v3/container-tags/harbour"))).toMatchObject({ name: "The harbour" });
	});

	test("keys: made at one they work at the other, and of two admins who revoke each other's one stays", async () => {
		const made = await json(a.send("POST", "/v3/auth/agent-key", { name: "second", permission: "admin" }));
		const second = nodes.servers[1].clientWith(String(made["key"]));
		expect(await status(second.send("GET", "/v3/settings"))).toBe(200);
		expect(await status(b.send("DELETE", `/v3/auth/keys/${String(made["id"])}`))).toBe(200);
		expect(await status(nodes.servers[0].clientWith(String(made["key"])).send("GET", "/v3/settings"))).toBe(401);
		const other = await nodes.servers[0].client();
		const own = (await json(other.send("GET", "/v3/auth/keys")))["keys"] as readonly { readonly id: string }[];
		const rival = await json(other.send("POST", "/v3/auth/agent-key", { name: "rival", permission: "admin" }));
		const rivalAtB = nodes.servers[1].clientWith(String(rival["key"]));
		const ended = await Promise.all([
			status(other.send("DELETE", `/v3/auth/keys/${String(rival["id"])}`)),
			status(rivalAtB.send("DELETE", `/v3/auth/keys/${own[0]?.id}`)),
		]);
		// Whoever came second found its own key gone, or itself the last.
		expect(ended.filter((each) => each === 200)).toHaveLength(1);
		expect((await keysOf(nodes.servers[0].parts.storage, await organisationOf(other))).length).toBe(1);
	}, 120_000);

	test("what one has deleted the other one restores", async () => {
		const ids = await Promise.all([add(a, "Ada keeps an eel."), add(b, "Ben keeps a newt.")]);
		for (const id of ids) await a.finished(id);
		const { removalId } = await json(a.send("DELETE", "/v3/documents/bulk", { ids }));
		expect(await status(b.send("GET", `/v3/documents/${ids[0]}`))).toBe(404);
		expect(await status(b.send("POST", "/v3/documents/restore", { removalId }))).toBe(200);
		for (const id of ids) expect(await status(a.send("GET", `/v3/documents/${id}`))).toBe(200);
		expect(await status(a.send("POST", "/v3/documents/restore", { removalId }))).toBe(404);
	}, 120_000);

	test("a request with one idempotency key acts once, wherever it is repeated, and while it runs the other one says so", async () => {
		const once = (client: TestClient, key: string) =>
			client.send("POST", "/v3/documents", { content: `Once, ${key}.` }, { headers: { "idempotency-key": key } });
		const first = await (await once(a, "twice")).text();
		const again = await once(b, "twice");
		expect([await again.text(), again.headers.get("idempotency-replayed")]).toEqual([first, "true"]);
		const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => once(i % 2 === 0 ? a : b, "crowd")));
		const acted = answers.filter((answer) => answer.status === 200);
		expect(new Set(await Promise.all(acted.map((answer) => answer.text()))).size).toBe(1);
		for (const answer of answers) if (answer.status !== 200) expect(await answer.json()).toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });

		// A body that is still being sent.
		const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
		const writer = writable.getWriter();
		const body = new TextEncoder().encode(JSON.stringify({ content: "Slowly sent." }));
		void writer.write(body.slice(0, 5));
		const headers = { "idempotency-key": "slow", "content-type": "application/json" };
		const slow = a.send("POST", "/v3/documents", undefined, { body: readable, headers, duplex: "half" } as RequestInit);
		const repeated = () => b.send("POST", "/v3/documents", { content: "Slowly sent." }, { headers: { "idempotency-key": "slow" } });
		const records = nodes.servers[1].parts.storage.organisation(await organisationOf(b)).records;
		await until(async () => (await records.list("idempotency", null, 100, new Date())).some(({ value }) => (value as Answer)["answered"] === null));
		expect(await json(repeated())).toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
		await writer.write(body.slice(5));
		await writer.close();
		expect((await slow).status).toBe(200);
		expect((await repeated()).headers.get("idempotency-replayed")).toBe("true");
	}, 120_000);

	test("a key's limit is that of both together", async () => {
		const made = await json(a.send("POST", "/v3/auth/scoped-key", { containerTag: "home", rateLimitMax: 6, rateLimitTimeWindow: 600_000 }));
		const limited = nodes.servers.map((server) => server.clientWith(String(made["key"])));
		const statuses: number[] = [];
		for (let i = 0; i < 8; i++) statuses.push(await status((limited[i % 2] as TestClient).send("POST", "/v3/search", { q: "eel" })));
		expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
		const refused = await (limited[0] as TestClient).send("POST", "/v3/search", { q: "eel" });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		// Without a limit nothing is counted.
		expect(await status(a.send("POST", "/v3/search", { q: "eel" }))).toBe(200);
	}, 120_000);

	test("a stream at one tells what happens at the other", async () => {
		const stream = readEvents(await b.send("GET", "/v3/events?types=document.queued"));
		const id = await add(a, "Gull number one.");
		expect(await stream.next()).toMatchObject({ event: "document.queued", data: { id } });
		await stream.close();
	}, 120_000);

	test("a job that one adds is announced to the other, and both have the clock of the database", async () => {
		const [one, other] = nodes.servers.map(({ parts }) => parts.storage);
		let announced = 0;
		const stop = other?.onJobAdded?.(() => announced++);
		await until(async () => {
			// Listening begins a moment later.
			await add(a, `Announced ${announced}.`);
			return announced > 0;
		});
		stop?.();
		const times = await Promise.all([one?.now?.(), other?.now?.()]);
		for (const time of times) expect(Math.abs((time?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
	}, 120_000);

	test("a webhook gets each event once, although both have workers", async () => {
		await json(a.send("POST", "/v3/webhooks", { url: receiver.url, types: ["document.queued"] }));
		const ids = [await add(a, "Hooked, one."), await add(b, "Hooked, two."), await add(a, "Hooked, three.")];
		await receiver.count(ids.length);
		for (const id of ids) await a.finished(id);
		const told = receiver.received.map(({ message }) => String(message.data["id"]));
		expect(told.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
	}, 120_000);

	test("a file and the link to it", async () => {
		const form = new FormData();
		form.append("file", new File(["Mooring fees: 12 a night."], "fees.txt", { type: "text/plain" }));
		const { id } = await json(a.send("POST", "/v3/documents/file", undefined, { body: form }));
		await b.finished(String(id));
		const link = new URL(String((await json(a.send("GET", `/v3/documents/${String(id)}/file-url`)))["url"]));
		const opened = await b.send("GET", `${link.pathname}${link.search}`, undefined, { headers: { authorization: "" } });
		expect([opened.status, await opened.text()]).toEqual([200, "Mooring fees: 12 a night."]);
	}, 120_000);

	test("messages that both append to one conversation are all kept", async () => {
		const say = (client: TestClient, content: string) =>
			client.send("POST", "/v4/conversations", { conversationId: "tide", messages: [{ role: "user", content }], containerTags: ["chat"] });
		await say(a, "message 0");
		const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => say(i % 2 === 0 ? a : b, `message ${i + 1}`)));
		expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200));
		const { id } = await json(b.send("GET", "/v3/documents/tide"));
		const content = String((await a.finished(String(id)))["content"]);
		for (let i = 0; i <= 6; i++) expect(content).toContain(`message ${i}`);
	}, 120_000);

	test("containers that are merged at one are merged at the other", async () => {
		const id = await add(a, "A rope of hemp.", { containerTag: "ropes" });
		await b.finished(id);
		await json(a.send("PATCH", "/v3/container-tags/gear", { name: "Gear" }));
		const { mergeId } = await json(b.send("POST", "/v3/container-tags/merge", { containerTags: ["ropes", "gear"], targetContainerTag: "gear" }));
		expect(mergeId).toBeString();
		await until(async () => (await json(a.send("GET", `/v3/container-tags/merge/${String(mergeId)}`)))["status"] === "done");
		expect(await json(b.send("GET", `/v3/documents/${id}`))).toMatchObject({ containerTags: ["gear"] });
	}, 120_000);

	test("a switch to another embedder at one is a switch at the other", async () => {
		const id = await add(a, "A sextant and a chronometer.");
		await b.finished(id);
		const stopping = new AbortController();
		const { folder, servers } = nodes;
		const maintenance = createEmbedderMaintenance({ dataDir: folder, use: { embedder: "hashing" } as never }, servers[0].parts);
		await maintenance.begin();
		const running = maintenance.run(stopping.signal);
		const next = servers[0].parts.embedders.names().find((name) => name !== "hashing" && servers[0].parts.embedders.named(name) !== null) ?? "";
		writeEmbedderRequest(folder, { use: next, over: "hashing" });
		await until(() => servers.every(({ parts }) => parts.embedder.name === next));
		stopping.abort();
		await running;
		for (const client of [a, b]) expect((await found(client, "sextant"))[0]).toBe(id);
	}, 120_000);

	const keysOf = ({ accounts }: Storage, organisation: OrganisationId) => accounts.keys(organisation);

	async function organisationOf(client: TestClient) {
		const organisations = await nodes.servers[0].parts.storage.accounts.organisations();
		const found = organisations.find(({ id }) => client.key.startsWith(`sm_${id}_`));
		if (found === undefined) throw new Error("the client has no organisation");
		return found.id;
	}
}
