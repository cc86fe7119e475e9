/** `/v3/connections` over HTTP, against an S3, a website and a service of notes on this machine. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FormatRegistry } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import webCrawler from "../../plugins/connectors/web-crawler/index.ts";
import {
	connectionDocumentsSchema,
	connectionSchema,
	connectionsSchema,
	newConnectionSchema,
	syncRunsSchema,
} from "../../server/wire/v3/organisation/connection-response.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { type NotesService, notesConnector, startNotesService } from "../doubles/notes-service.ts";
import { type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";
import { link, type SitePeer, startSitePeer } from "../plugins/connectors/site-peer.ts";

FormatRegistry.Set("date-time", (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text));

type Answer = Record<string, unknown>;
interface Run {
	readonly status: string;
	readonly errorCode?: string;
	readonly error?: string;
	readonly documentsSynced: number;
	readonly documentsRemoved: number;
}

let folder: string;
let bucket: S3Peer;
let site: SitePeer;
let notes: NotesService;
let server: TestServer;
const logged: string[] = [];
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-connections-"));
	bucket = await startS3Peer();
	site = await startSitePeer({
		"/": `<p>The harbour master keeps the list of ships.</p>${link("tides")}`,
		"/tides": "<p>High water comes at six in the evening.</p>",
	});
	notes = await startNotesService({ n1: { title: "Boats", text: "The blue boat needs new oars." } });
	server = await startTestServer(
		[`--fetch-allow=${bucket.host},${site.host},${notes.host}`],
		{ plugins: [webCrawler({ pauseMs: 0 }), notesConnector({ provider: "granola" })] },
		{ folder, world: { log: (level, message, facts) => void logged.push(`${level} ${message} ${JSON.stringify(facts)}`) } },
	);
});
afterAll(async () => {
	await server.dispose();
	for (const { close } of [bucket, site, notes]) close();
	await rm(folder, { recursive: true, force: true });
});

const json = async (response: Response | Promise<Response>) => (await (await response).json()) as Answer;
const s3 = (more: object = {}) => ({ ...bucket.keys, endpoint: bucket.endpoint, ...more });
const fits = (schema: Parameters<typeof Value.Errors>[0], answer: unknown) =>
	expect([...Value.Errors(schema, [connectionSchema], answer)].map(({ path, message }) => `${path}: ${message}`)).toEqual([]);

async function create(client: TestClient, provider: string, body: object): Promise<string> {
	const response = await client.send("POST", `/v3/connections/${provider}`, body);
	const answer = await json(response);
	expect([response.status, answer["authLink"]], JSON.stringify(answer)).toEqual([200, ""]);
	fits(newConnectionSchema, answer);
	return String(answer["id"]);
}

/** The job of a deleted connection removes its record last, when nothing of it works any more. */
function isRecorded(connection: string): boolean {
	using database = new Database(join(folder, "sqlite", "cairn.sqlite"), { readonly: true });
	return database.query("SELECT 1 FROM records WHERE kind = 'connection' AND id = ?").get(connection) !== null;
}

const runsOf = async (client: TestClient, id: string) => {
	const answer = await json(client.send("GET", `/v3/connections/${id}/sync-runs`));
	fits(syncRunsSchema, answer);
	return answer["syncRuns"] as readonly Run[];
};

/** Waits for the so-manieth run to be over. */
async function synced(client: TestClient, id: string, count = 1): Promise<Run> {
	return until(async () => {
		const runs = await runsOf(client, id);
		const [last] = runs;
		return last !== undefined && runs.length >= count && last.status !== "running" && last;
	});
}

async function listed(client: TestClient, provider: string, containerTags?: readonly string[]): Promise<readonly Answer[]> {
	const answer = await json(client.send("POST", `/v3/connections/${provider}/documents`, containerTags === undefined ? {} : { containerTags }));
	fits(connectionDocumentsSchema, answer);
	return answer as unknown as readonly Answer[];
}

async function whole(client: TestClient, provider: string, tags?: readonly string[]): Promise<readonly Answer[]> {
	return Promise.all((await listed(client, provider, tags)).map(({ id }) => client.finished(String(id))));
}

describe("a bucket", () => {
	test("becomes documents that know their connection, follow changes, and go with it", async () => {
		const client = await server.client();
		for (const [key, text] of Object.entries({
			"notes/a.txt": "Ada counts the anchors.",
			"notes/b.md": "# Berths\n\nBerth four is free.",
			"c.txt": "left out",
		}))
			bucket.objects.set(key, text);
		const body = { containerTags: ["harbour"], documentLimit: 50, metadata: s3({ prefix: "notes/", team: "quay", source: "the bucket" }) };
		const id = await create(client, "s3", body);
		expect(await synced(client, id)).toMatchObject({ status: "completed", documentsSynced: 2, documentsRemoved: 0 });
		const connection = await json(client.send("GET", `/v3/connections/${id}`));
		fits(connectionSchema, connection);
		const { bucket: name, region } = bucket.keys;
		expect(connection).toMatchObject({
			id,
			provider: "s3",
			containerTags: ["harbour"],
			documentLimit: 50,
			metadata: { bucket: name, region, endpoint: bucket.endpoint, prefix: "notes/", team: "quay", source: "the bucket" },
			lastSyncRun: { status: "completed", startedAt: expect.any(String), completedAt: expect.any(String) },
		});
		expect(Date.parse(String(connection["nextSyncAt"])) - Date.now()).toBeGreaterThan(3.9 * 3_600_000);

		const documents = await whole(client, "s3");
		expect(documents.map(({ title }) => title).toSorted()).toEqual(["Berths", "a.txt"]);
		for (const document of documents)
			expect(document).toMatchObject({
				status: "done",
				connectionId: id,
				containerTags: ["harbour"],
				source: "the bucket",
				metadata: { team: "quay", bucket: name, objectKey: expect.stringMatching(/^notes\//), source: "the bucket" },
			});
		const found = await json(client.send("POST", "/v3/search", { q: "anchors", containerTag: "harbour" }));
		expect((found["results"] as Answer[])[0]).toMatchObject({ title: "a.txt" });

		bucket.objects.set("notes/a.txt", "Ada counts the buoys.");
		bucket.objects.delete("notes/b.md");
		bucket.objects.set("notes/d.txt", "Dora mends the nets.");
		const importing = await client.send("POST", "/v3/connections/s3/import", {});
		expect([importing.status, importing.headers.get("content-type"), await importing.text()]).toEqual([
			202,
			"text/plain;charset=utf-8",
			"Importing connections...",
		]);
		expect(await synced(client, id, 2)).toMatchObject({ status: "completed", documentsSynced: 2, documentsRemoved: 1 });
		const after = await whole(client, "s3");
		expect(after.map(({ content }) => content).toSorted()).toEqual(["Ada counts the buoys.", "Dora mends the nets."]);
		expect(after.map(({ id: one }) => one)).toContain(documents.find(({ title }) => title === "a.txt")?.["id"] as never);

		const gone = await client.send("DELETE", `/v3/connections/${id}`);
		expect([gone.status, await json(gone)]).toEqual([200, { id, provider: "s3" }]);
		expect((await client.send("GET", `/v3/connections/${id}`)).status).toBe(404);
		for (const { id: document } of after) expect((await client.send("GET", `/v3/documents/${String(document)}`)).status).toBe(404);
		expect((await client.send("DELETE", `/v3/connections/${id}`)).status).toBe(404);
		bucket.objects.clear();
	});

	test("its keys are nowhere: not in answers, not in the log, not on the disk", async () => {
		const client = await server.client();
		bucket.objects.set("k.txt", "Keys hang on the wall.");
		const id = await create(client, "s3", { metadata: s3() });
		await synced(client, id);
		const [document] = await whole(client, "s3");
		const shown = [
			JSON.stringify(document),
			...(await Promise.all([`/v3/connections/${id}`, "/v3/connections", "/v3/audit"].map(async (path) => (await client.send("GET", path)).text()))),
			...logged,
		].join("\n");
		const kept = [...(await bytesIn(folder)).values()];
		expect(kept.length).toBeGreaterThan(0);
		for (const secret of [bucket.keys.secretAccessKey, bucket.keys.accessKeyId]) {
			expect(shown).not.toContain(secret);
			for (const bytes of kept) expect(bytes.includes(secret)).toBe(false);
		}
		bucket.objects.clear();
	});

	test("that does not let us in is refused with its reason, and nothing is kept", async () => {
		const client = await server.client();
		const wrong = [
			[{ secretAccessKey: "not-the-secret" }, 403, "CONNECTION_FORBIDDEN"],
			[{ bucket: "nowhere" }, 404, "CONNECTION_SOURCE_MISSING"],
			[{ bucket: undefined }, 400, "CONNECTION_INVALID"],
			[{ containerTagRegex: "(" }, 400, "CONNECTION_INVALID"],
		] as const;
		for (const [more, status, code] of wrong) {
			const answer = await client.send("POST", "/v3/connections/s3", { metadata: s3(more) });
			expect([answer.status, (await json(answer))["code"]]).toEqual([status, code]);
		}
		expect((await client.send("POST", "/v3/connections/s3", { metadata: null })).status).toBe(400);
		expect((await client.send("POST", "/v3/connections/s3", { documentLimit: 10_001, metadata: s3() })).status).toBe(400);
		expect((await client.send("POST", "/v3/connections/s3", { documentLimit: 0, metadata: s3() })).status).toBe(400);
		expect(await json(client.send("POST", "/v3/connections/list", {}))).toEqual([] as never);
	});

	test("created twice is one; another limit and other keys change it", async () => {
		const client = await server.client();
		bucket.objects.set("1.txt", "One.").set("2.txt", "Two.").set("3.txt", "Three.");
		const [first, second] = await Promise.all([1, 2].map(() => create(client, "s3", { containerTag: "x", documentLimit: 2, metadata: s3() })));
		expect(second).toBe(first as string);
		expect(await synced(client, String(first))).toMatchObject({ status: "completed" });
		expect(await listed(client, "s3")).toHaveLength(2);
		const other = await create(client, "s3", { containerTag: "y", metadata: s3() });
		expect(other).not.toBe(first as string);
		expect(await create(client, "s3", { containerTags: ["x"], documentLimit: 3, metadata: s3() })).toBe(first as string);
		await until(async () => (await listed(client, "s3", ["x"])).length >= 3);
		expect(await listed(client, "s3", ["x"])).toHaveLength(3);
		bucket.objects.clear();
	});

	test("whose keys are revoked is left alone until there are new ones", async () => {
		const client = await server.client();
		const service = await startS3Peer({ "a.txt": "Anchors away." });
		const own = await startTestServer([`--fetch-allow=${service.host}`]);
		try {
			const user = await own.client();
			const metadata = { ...service.keys, endpoint: service.endpoint };
			const id = await create(user, "s3", { metadata });
			await synced(user, id);
			Object.assign(service.keys, { secretAccessKey: "a-new-secret-of-the-peer" });
			await user.send("POST", "/v3/connections/s3/import", {});
			const run = await synced(user, id, 2);
			expect(run).toMatchObject({ status: "failed", errorCode: "auth_expired", error: expect.stringContaining("created again with valid keys") });
			expect(await json(user.send("GET", `/v3/connections/${id}`))).toMatchObject({ nextSyncAt: null, lastSyncRun: { errorCode: "auth_expired" } });
			expect(await listed(user, "s3")).toHaveLength(1);
			expect(await create(user, "s3", { metadata: { ...metadata, secretAccessKey: "a-new-secret-of-the-peer" } })).toBe(id);
			expect(await synced(user, id, 3)).toMatchObject({ status: "completed" });
			expect(await json(user.send("GET", `/v3/connections/${id}`))).toMatchObject({ nextSyncAt: expect.any(String) });
		} finally {
			await own.dispose();
			service.close();
		}
		expect(await listed(client, "s3")).toEqual([]);
	});

	test("goes with its container when that is merged into another", async () => {
		const client = await server.client();
		bucket.objects.set("m/1.txt", "Moored at pier one.");
		const id = await create(client, "s3", { containerTags: ["old", "kept"], metadata: s3({ prefix: "m/" }) });
		await synced(client, id);
		await whole(client, "s3");
		await client.send("PATCH", "/v3/container-tags/new", { name: "New" });
		const { mergeId } = await json(client.send("POST", "/v3/container-tags/merge", { containerTags: ["old", "new"], targetContainerTag: "new" }));
		const status = async () => (await json(client.send("GET", `/v3/container-tags/merge/${String(mergeId)}`)))["status"];
		await until(async () => (await status()) === "done");
		bucket.objects.set("m/1.txt", "Moored at pier two.");
		await client.send("POST", "/v3/connections/s3/import", { containerTags: ["new"] });
		await synced(client, id, 2);
		const [document] = await whole(client, "s3");
		expect(document).toMatchObject({ content: "Moored at pier two.", containerTags: ["new", "kept"] });
		expect((await client.send("GET", "/v3/container-tags/old")).status).toBe(404);
		bucket.objects.clear();
	});

	test("deleted in the middle of its sync leaves nothing behind", async () => {
		const client = await server.client();
		for (let i = 0; i < 300; i++) bucket.objects.set(`many/${i}.txt`, `Crate ${i} stands on the quay.`);
		const id = await create(client, "s3", { containerTag: "crates", metadata: s3({ prefix: "many/" }) });
		await until(async () => (await listed(client, "s3")).length >= 20);
		expect((await client.send("DELETE", `/v3/connections/${id}`)).status).toBe(200);
		await until(() => !isRecorded(id));
		const { pagination } = await json(client.send("POST", "/v3/documents/list", {}));
		expect(pagination).toMatchObject({ totalItems: 0 });
		expect(bucket.asked.gets.filter((key) => key.startsWith("many/")).length).toBeLessThan(300);
		bucket.objects.clear();
	});
});

describe("a website", () => {
	test("becomes documents with their addresses; without its connection they can stay", async () => {
		const client = await server.client();
		const id = await create(client, "web-crawler", { containerTag: "site", metadata: { startUrl: `${site.origin}/` } });
		expect(await synced(client, id)).toMatchObject({ status: "completed", documentsSynced: 2 });
		const documents = await whole(client, "web-crawler");
		expect(documents.map(({ url }) => url).toSorted()).toEqual([`${site.origin}/`, `${site.origin}/tides`]);
		expect(documents.find(({ url }) => url === `${site.origin}/`)).toMatchObject({ type: "webpage", source: "web-crawler", connectionId: id });
		expect(String(documents.find(({ url }) => url === `${site.origin}/`)?.["content"])).toContain(`${site.origin}/tides`);
		expect(Date.parse(String((await json(client.send("GET", `/v3/connections/${id}`)))["nextSyncAt"])) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);

		expect((await client.send("DELETE", `/v3/connections/${id}?deleteDocuments=perhaps`)).status).toBe(400);
		expect((await client.send("DELETE", `/v3/connections/${id}?deleteDocuments=false`)).status).toBe(200);
		expect(await listed(client, "web-crawler")).toEqual([]);
		for (const { id: document } of documents) expect((await client.send("GET", `/v3/documents/${String(document)}`)).status).toBe(200);
	});

	test("a synced document keeps its name, and no client can take one", async () => {
		const client = await server.client();
		const id = await create(client, "web-crawler", { metadata: { startUrl: `${site.origin}/tides`, depth: 0 } });
		await synced(client, id);
		const [document] = await whole(client, "web-crawler");
		const name = String(document?.["customId"]);
		expect(name.startsWith(`connection/${id}/`)).toBe(true);
		expect((await client.send("PATCH", `/v3/documents/${String(document?.["id"])}`, { customId: "mine" })).status).toBe(409);
		expect((await client.send("POST", "/v3/documents", { content: "Mine.", customId: name })).status).toBe(400);
		const said = { conversationId: name, messages: [{ role: "user", content: "Mine." }] };
		expect((await client.send("POST", "/v4/conversations", said)).status).toBe(400);
	});
});

describe("providers", () => {
	test("a plugin makes any of them work, and its troubles are told", async () => {
		const client = await server.client();
		const metadata = { token: notes.token, host: notes.host, ward: "north" };
		expect((await client.send("POST", "/v3/connections/granola", { metadata: { ...metadata, token: "another-token" } })).status).toBe(401);
		const id = await create(client, "granola", { containerTag: "notes", metadata });
		expect(await synced(client, id)).toMatchObject({ status: "completed", documentsSynced: 1 });
		const [document] = await whole(client, "granola");
		expect(document).toMatchObject({ title: "Boats", connectionId: id, metadata: { note: "n1", ward: "north", source: "granola" } });
		expect(JSON.stringify([document, await json(client.send("GET", `/v3/connections/${id}`))])).not.toContain(notes.token);
		notes.trouble = 429;
		await client.send("POST", "/v3/connections/granola/sync", {});
		await until(async () => (await runsOf(client, id))[0]?.errorCode !== undefined);
		expect((await runsOf(client, id))[0]).toMatchObject({ status: "running", errorCode: "rate_limited", retryAt: expect.any(String) });
		notes.trouble = null;
		await client.send("POST", "/v3/connections/granola/import", {});
		expect(await synced(client, id, 2)).toMatchObject({ status: "completed" });
	});

	test("where there is something to choose from, it is chosen; elsewhere that is said", async () => {
		const client = await server.client();
		notes.notes.set("n2", { title: "Ropes", text: "The ropes are worn." }).set("n3", { title: "Nets", text: "The nets are new." });
		const id = await create(client, "granola", { metadata: { token: notes.token, host: notes.host } });
		expect(await synced(client, id)).toMatchObject({ documentsSynced: 3 });
		const list = (query: string) => client.send("GET", `/v3/connections/${id}/resources${query}`);
		expect(await json(list("?page=2&per_page=2&parent_id=p"))).toEqual({ resources: [{ id: "n3", title: "Nets" }], total_count: 3 });
		expect((await json(list("?page=0&per_page=0")))["resources"]).toHaveLength(3);
		expect((await list("?page=-1")).status).toBe(400);
		const configure = (one: string, body: object) => client.send("POST", `/v3/connections/${one}/configure`, body);
		expect((await configure(id, {})).status).toBe(400);
		expect(await json(configure(id, { resources: [{ id: "n2" }] }))).toEqual({ success: true, message: "1 resource is synced from now on" });
		expect(await synced(client, id, 2)).toMatchObject({ documentsRemoved: 2 });
		expect((await listed(client, "granola")).map(({ title }) => title)).toEqual(["Ropes"]);
		expect(await create(client, "granola", { metadata: { token: notes.token, host: notes.host } })).toBe(id);
		expect(await synced(client, id, 3)).toMatchObject({ documentsSynced: 0, documentsRemoved: 0 });
		notes.notes.delete("n2");
		notes.notes.delete("n3");

		const crawl = await create(client, "web-crawler", { metadata: { startUrl: `${site.origin}/tides`, depth: 0 } });
		for (const answer of [await client.send("GET", `/v3/connections/${crawl}/resources?page=0`), await configure(crawl, { resources: [] })])
			expect([answer.status, answer.headers.get("x-should-retry"), (await json(answer))["code"]]).toEqual([501, "false", "CONNECTION_WITHOUT_RESOURCES"]);
	});

	test("without a plugin it says so, and an unknown one which there are", async () => {
		const client = await server.client();
		const answer = await client.send("POST", "/v3/connections/gmail", {});
		expect([answer.status, await json(answer)]).toEqual([
			501,
			expect.objectContaining({ code: "CONNECTOR_MISSING", details: expect.stringContaining("cairn.config.ts") }),
		]);
		expect(await listed(client, "gmail")).toEqual([]);
		expect((await client.send("POST", "/v3/connections/gmail/import")).status).toBe(202);
		for (const [method, path] of [
			["POST", "gmail/connection"],
			["DELETE", "gmail"],
		] as const) {
			expect((await client.send(method, `/v3/connections/${path}`, { containerTags: ["a"] })).status).toBe(404);
			expect((await client.send(method, `/v3/connections/${path}`, {})).status).toBe(400);
		}
		for (const [method, path] of [
			["POST", "box"],
			["POST", "box/documents"],
			["POST", "box/import"],
			["POST", "box/connection"],
		] as const) {
			const unknown = await client.send(method, `/v3/connections/${path}`, { containerTags: ["a"] });
			expect([unknown.status, (await json(unknown))["error"]]).toEqual([404, expect.stringContaining("known: notion, google-drive")]);
		}
		expect((await client.send("DELETE", "/v3/connections/box", { containerTags: ["a"] })).status).toBe(404);
	});

	test("container tags choose, in any order; what is not the only one is not deleted", async () => {
		const client = await server.client();
		const metadata = { token: notes.token, host: notes.host };
		const one = await create(client, "granola", { containerTags: ["a", "b"], metadata });
		const two = await create(client, "granola", { containerTags: ["b", "c"], metadata });
		const ids = async (body: object) => {
			const answer = await json(client.send("POST", "/v3/connections/list", body));
			fits(connectionsSchema, answer);
			return (answer as unknown as readonly Answer[]).map(({ id }) => id).toSorted();
		};
		expect(await ids({})).toEqual([one, two].toSorted());
		expect(await ids({ containerTags: ["b", "a"] })).toEqual([one]);
		expect(await ids({ containerTags: ["b"], provider: "s3" })).toEqual([]);
		expect(await ids({ containerTags: ["a", "c"] })).toEqual([]);
		expect(await json(client.send("GET", "/v3/connections"))).toHaveLength(2);
		expect(await json(client.send("POST", "/v3/connections/granola/connection", { containerTags: ["c"] }))).toMatchObject({ id: two });
		const both = await client.send("DELETE", "/v3/connections/granola", { containerTags: ["b"] });
		expect([both.status, (await json(both))["code"]]).toEqual([409, "CONNECTION_AMBIGUOUS"]);
		expect(await json(client.send("DELETE", "/v3/connections/granola", { containerTags: ["c", "b"] }))).toEqual({ id: two, provider: "granola" });
		expect(await ids({})).toEqual([one]);
	});
});

describe("who may", () => {
	test("administrators create and delete, writers import, and a key with a reach sees what is within", async () => {
		const client = await server.client();
		const metadata = { token: notes.token, host: notes.host };
		const inside = await create(client, "granola", { containerTag: "in", metadata });
		const partly = await create(client, "granola", { containerTags: ["in", "out"], metadata });
		await Promise.all([synced(client, inside), synced(client, partly)]);
		const minted = await json(client.send("POST", "/v3/auth/agent-key", { name: "bound", containerTags: ["in"], permission: "write" }));
		const bound = server.clientWith(String(minted["key"]));
		expect((await json(bound.send("POST", "/v3/connections/list", {}))) as unknown as Answer[]).toMatchObject([{ id: inside }]);
		for (const path of ["", "/sync-runs", "/resources"]) expect((await bound.send("GET", `/v3/connections/${partly}${path}`)).status).toBe(404);
		expect(await listed(bound, "granola")).toHaveLength(1);
		expect((await bound.send("POST", "/v3/connections/list", { containerTags: ["out"] })).status).toBe(403);
		expect((await bound.send("POST", "/v3/connections/granola/import", {})).status).toBe(202);
		expect((await bound.send("POST", "/v3/connections/granola", { containerTag: "in", metadata })).status).toBe(403);
		expect((await bound.send("DELETE", `/v3/connections/${inside}`)).status).toBe(403);
		const looked = await json(client.send("POST", "/v3/auth/agent-key", { name: "reader", containerTags: ["in"], permission: "read" }));
		expect((await server.clientWith(String(looked["key"])).send("POST", "/v3/connections/granola/import", {})).status).toBe(403);
		await client.send("DELETE", `/v3/connections/${partly}`);
		const audit = JSON.stringify(await json(client.send("GET", "/v3/audit")));
		for (const type of ["connection.created", "connection.deleted"]) expect(audit).toContain(type);
	});
});
