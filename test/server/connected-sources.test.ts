/** Connections without a sign-in over HTTP, each against its peer: created, synced, searched, changed, refused. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FeedPeer, startFeedPeer } from "../doubles/feed-peer.ts";
import { type NotionPeer, notionId, peerPage, startNotionPeer } from "../doubles/notion-peer.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";
import { startWebdavPeer, type WebdavPeer } from "../doubles/webdav-peer.ts";

type Answer = Record<string, unknown>;

let watched: string;
let feed: FeedPeer;
let cloud: WebdavPeer;
let notion: NotionPeer;
let server: TestServer;
beforeAll(async () => {
	watched = await mkdtemp(join(tmpdir(), "cairn-watched-"));
	feed = await startFeedPeer([
		{ id: "1", title: "Tides of March", html: "<p>High water is at <b>quarter past six</b>.</p>" },
		{ id: "2", title: "A new boat", html: "<p>The ketch Marigold is moored at pier two.</p>" },
	]);
	cloud = await startWebdavPeer({ "Log book.md": "# Log book\n\nThe barograph fell all night." });
	notion = await startNotionPeer({
		a: peerPage("Moorings", "The capstan is rusty."),
		b: peerPage("Winter berths", "Berth nine is dry.", { parent: { type: "page_id", page_id: notionId("a") } }),
		c: peerPage("Canteen", "Soup on Fridays."),
	});
	server = await startTestServer([`--fetch-allow=${feed.host},${cloud.host},${notion.host}`, `--folders=${join(watched, "open")}`]);
});
afterAll(async () => {
	await server.dispose();
	for (const { close } of [feed, cloud, notion]) close();
	await rm(watched, { recursive: true, force: true });
});

const json = async (response: Promise<Response>) => (await (await response).json()) as Answer;

async function create(client: TestClient, provider: string, metadata: object): Promise<string> {
	const answer = await json(client.send("POST", `/v3/connections/${provider}`, { containerTag: provider, metadata }));
	expect(answer, JSON.stringify(answer)).toMatchObject({ authLink: "", expiresIn: "never" });
	return String(answer["id"]);
}

/** Waits for the so-manieth run, and for the documents that it has brought. */
async function synced(client: TestClient, provider: string, id: string, count = 1): Promise<readonly Answer[]> {
	await until(async () => {
		const { syncRuns } = (await json(client.send("GET", `/v3/connections/${id}/sync-runs`))) as { syncRuns: readonly { status: string; error?: string }[] };
		if (syncRuns[0]?.status === "failed") throw new Error(syncRuns[0].error);
		return syncRuns.length >= count && syncRuns[0]?.status === "completed";
	});
	const listed = (await json(client.send("POST", `/v3/connections/${provider}/documents`, {}))) as unknown as readonly Answer[];
	return Promise.all(listed.map((document) => client.finished(String(document["id"]))));
}

async function importing(client: TestClient, provider: string): Promise<void> {
	expect((await client.send("POST", `/v3/connections/${provider}/import`, {})).status).toBe(202);
}

async function found(client: TestClient, provider: string, q: string): Promise<Answer | undefined> {
	return ((await json(client.send("POST", "/v3/search", { q, containerTag: provider })))["results"] as readonly Answer[])[0];
}

const titles = (documents: readonly Answer[]) => documents.map(({ title }) => title).toSorted();

test("a folder of the server, below one that the operator allows; with several organisations for operators only", async () => {
	const inside = join(watched, "open/notes");
	await mkdir(inside, { recursive: true });
	await writeFile(join(inside, "ropes.md"), "# Ropes\n\nThe hawser of the Marigold is frayed.");
	await writeFile(join(watched, "secret.md"), "secret");
	const client = await server.client();
	const refused = await client.send("POST", "/v3/connections/folder", { metadata: { path: watched } });
	expect([refused.status, (await refused.json()) as Answer]).toEqual([403, expect.objectContaining({ code: "CONNECTION_FORBIDDEN" })]);
	const id = await create(client, "folder", { path: inside });
	const [document] = await synced(client, "folder", id);
	expect(document).toMatchObject({ title: "Ropes", metadata: { folder: inside, path: "ropes.md", modifiedAt: expect.stringMatching(/Z$/) } });
	expect(await found(client, "folder", "hawser")).toMatchObject({ title: "Ropes" });
	await rename(join(inside, "ropes.md"), join(inside, "lines.md"));
	await importing(client, "folder");
	expect(await synced(client, "folder", id, 2)).toEqual([
		expect.objectContaining({ id: document?.["id"], metadata: expect.objectContaining({ path: "lines.md" }) }),
	]);

	const made = await json(client.send("POST", "/v3/organisations", { name: "Another" }));
	const again = { containerTag: "other", metadata: { path: inside } };
	const answer = await server.clientWith(String(made["key"])).send("POST", "/v3/connections/folder", again);
	expect([answer.status, (await answer.json()) as Answer]).toEqual([403, expect.objectContaining({ code: "ROLE_MISSING" })]);
	expect((await client.send("POST", "/v3/connections/folder", again)).status).toBe(200);
});

test("a feed", async () => {
	const client = await server.client();
	const id = await create(client, "rss", { feedUrl: feed.feedUrl });
	const documents = await synced(client, "rss", id);
	expect(titles(documents)).toEqual(["A new boat", "Tides of March"]);
	expect(await found(client, "rss", "quarter past six")).toMatchObject({
		title: "Tides of March",
		metadata: { url: `${feed.origin}/entry/1`, author: "Ada", feedTitle: "Harbour & news" },
	});
	feed.entries = [{ id: "2", title: "A new boat", html: "<p>The ketch Marigold has sailed to Dunwich.</p>" }];
	await importing(client, "rss");
	const after = await synced(client, "rss", id, 2);
	expect(titles(after)).toEqual(["A new boat", "Tides of March"]);
	expect(after.map(({ id: one }) => one).toSorted()).toEqual(documents.map(({ id: one }) => one).toSorted());
	expect(await found(client, "rss", "Dunwich")).toMatchObject({ title: "A new boat" });
	const missing = await client.send("POST", "/v3/connections/rss", { metadata: { feedUrl: `${feed.origin}/nowhere` } });
	expect(missing.status).toBe(404);
});

test("a folder of a WebDAV server, whose password is shown nowhere", async () => {
	const client = await server.client();
	const { url, username, password } = cloud;
	expect((await client.send("POST", "/v3/connections/webdav", { metadata: { url, username, password: "wrong-password" } })).status).toBe(401);
	const id = await create(client, "webdav", { url, username, password });
	const documents = await synced(client, "webdav", id);
	expect(await found(client, "webdav", "barograph")).toMatchObject({ title: "Log book", metadata: { path: "Log book.md", author: "Ada & Bo" } });
	expect(JSON.stringify([documents, await json(client.send("GET", `/v3/connections/${id}`))])).not.toContain(password);
	cloud.files.clear();
	cloud.files.set("Other.md", "# Other");
	await importing(client, "webdav");
	expect(titles(await synced(client, "webdav", id, 2))).toEqual(["Other"]);
});

test("Notion with a token, pages to choose from; without a token it says what is missing", async () => {
	const client = await server.client();
	const endpoint = notion.origin;
	const without = await client.send("POST", "/v3/connections/notion", { metadata: { endpoint } });
	expect([without.status, (await without.json()) as Answer]).toEqual([
		400,
		expect.objectContaining({ code: "CONNECTION_INVALID", error: expect.stringContaining("token") }),
	]);
	expect((await client.send("POST", "/v3/connections/notion", { metadata: { endpoint, token: "ntn_wrong-one" } })).status).toBe(401);
	const id = await create(client, "notion", { endpoint, token: notion.token });
	const documents = await synced(client, "notion", id);
	expect(titles(documents)).toEqual(["Canteen", "Moorings", "Winter berths"]);
	expect(await found(client, "notion", "capstan")).toMatchObject({ title: "Moorings", metadata: { page: notionId("a"), author: "Ada" } });
	expect(JSON.stringify([documents, await json(client.send("GET", `/v3/connections/${id}`))])).not.toContain(notion.token);
	const { resources } = (await json(client.send("GET", `/v3/connections/${id}/resources`))) as { resources: readonly Answer[] };
	expect(titles(resources)).toEqual(["Canteen", "Moorings", "Winter berths"]);
	const chosen = resources.filter(({ title }) => title === "Moorings");
	expect((await client.send("POST", `/v3/connections/${id}/configure`, { resources: chosen })).status).toBe(200);
	expect(titles(await synced(client, "notion", id, 2))).toEqual(["Moorings", "Winter berths"]);
});
