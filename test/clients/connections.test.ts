/** The connections of the npm package `supermemory` as its users have it, against a bucket and a GitHub on this machine: only the base URL is changed. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import Supermemory, { APIError, AuthenticationError, BadRequestError, NotFoundError, PermissionDeniedError } from "supermemory";
import { type GithubPeer, peerIssue, peerRepository, startGithubPeer } from "../doubles/github-peer.ts";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";
import { type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";
import { until } from "../doubles/until.ts";

let peer: S3Peer;
let github: GithubPeer;
let official: OfficialClient;
let client: Supermemory;

beforeAll(async () => {
	peer = await startS3Peer({ "reports/q1.txt": "The first quarter was calm.", "reports/q2.md": "# Second quarter\n\nThe second quarter was stormy." });
	const issue = peerIssue(4, { title: "Late tables", body: "The quicksilver barometer is late." });
	github = await startGithubPeer({
		"harbour/tides": peerRepository({ "README.md": "# Tides\n\nHigh water comes twice a day." }, [issue]),
		"harbour/boats": peerRepository({ "README.md": "# Boats\n\nThere are nine of them." }),
	});
	official = await startOfficialClient({ CAIRN_FETCH_ALLOW: `${peer.host},${github.host}` });
	client = official.client;
});
afterAll(async () => {
	await official.dispose();
	peer.close();
	github.close();
});

const metadata = (more: Readonly<Record<string, string>> = {}) => ({ ...peer.keys, endpoint: peer.endpoint, ...more });

async function documentsOf(count: number, containerTags: string[]) {
	return until(async () => {
		const documents = await client.connections.listDocuments("s3", { containerTags });
		return documents.length === count && documents.every(({ status }) => status === "done") && documents;
	});
}

test("create, list, read by id and by tag, list documents, import, delete by provider", async () => {
	const created = await client.connections.create("s3", {
		containerTag: "user_123",
		containerTags: ["project_123"],
		documentLimit: 100,
		metadata: metadata({ prefix: "reports/" }),
		redirectUrl: "https://example.com/back",
	});
	expect(created).toEqual({ id: expect.any(String), authLink: "", expiresIn: "never" });
	const containerTags = ["user_123", "project_123"];
	expect(await documentsOf(2, ["user_123"])).toContainEqual({
		id: expect.any(String),
		title: "Second quarter",
		summary: expect.stringContaining("stormy"),
		type: expect.any(String),
		status: "done",
		createdAt: expect.stringMatching(/Z$/),
		updatedAt: expect.stringMatching(/Z$/),
	});
	const known = { id: created.id, provider: "s3", containerTags, documentLimit: 100, metadata: { prefix: "reports/", bucket: peer.keys.bucket } };
	expect(await client.connections.list({ containerTags: ["user_123"] })).toMatchObject([known]);
	expect(await client.connections.getByID(created.id)).toMatchObject({ ...known, createdAt: expect.any(String) });
	expect(await client.connections.getByTag("s3", { containerTags })).toMatchObject(known);
	expect(JSON.stringify(await client.connections.list({}))).not.toContain(peer.keys.secretAccessKey);

	peer.objects.set("reports/q3.txt", "The third quarter was foggy.");
	expect(await client.connections.import("s3", { containerTags })).toBe("Importing connections...");
	await documentsOf(3, containerTags);
	expect((await client.search.documents({ q: "foggy", containerTags: ["user_123"] })).results[0]).toMatchObject({ title: "q3.txt" });

	expect(await client.connections.deleteByProvider("s3", { containerTags })).toEqual({ id: created.id, provider: "s3" });
	expect(await client.connections.list({})).toEqual([]);
	expect((await client.documents.list({})).memories).toEqual([]);
});

test("deleteByID keeps the documents when it is asked to", async () => {
	const { id } = await client.connections.create("s3", { containerTag: "kept", metadata: metadata() });
	await documentsOf(3, ["kept"]);
	expect(await client.connections.deleteByID(id, { deleteDocuments: "false" })).toEqual({ id, provider: "s3" });
	expect(await thrownBy(client.connections.deleteByID(id))).toBeInstanceOf(NotFoundError);
	expect((await client.documents.list({ containerTags: ["kept"] })).memories).toHaveLength(3);
});

test("what cannot be is an error of the client's own kind, and is not asked for again", async () => {
	const { id } = await client.connections.create("s3", { containerTag: "odd", metadata: metadata() });
	const before = official.sent.length;
	const refused = [
		[() => client.connections.resources(id, { page: 1, per_page: 30, parent_id: "p" }), APIError, 501],
		[() => client.connections.configure(id, { resources: [{ foo: "bar" }] }), APIError, 501],
		[() => client.connections.create("gmail", {}), APIError, 501],
		[() => client.connections.create("notion", {}), BadRequestError, 400],
		[() => client.connections.create("s3", {}), BadRequestError, 400],
		[() => client.connections.create("s3", { metadata: metadata({ secretAccessKey: "not-the-secret" }) }), PermissionDeniedError, 403],
		[() => client.connections.create("s3", { metadata: metadata({ bucket: "nowhere" }) }), NotFoundError, 404],
		[() => client.connections.getByTag("notion", { containerTags: ["user_123"] }), NotFoundError, 404],
		[() => client.connections.deleteByProvider("gmail", { containerTags: ["user_123"] }), NotFoundError, 404],
		[() => client.connections.getByID("connectionId"), NotFoundError, 404],
		[() => new Supermemory({ apiKey: "sm_wrong", baseURL: official.server.address }).connections.list({}), AuthenticationError, 401],
	] as const;
	for (const [ask, kind, status] of refused) {
		const thrown = await thrownBy(ask());
		expect(thrown).toBeInstanceOf(kind);
		expect(thrown).toMatchObject({ status });
	}
	expect(official.sent.length - before).toBe(refused.length - 1);
	expect(await client.connections.list({})).toHaveLength(1);
	expect(await client.connections.listDocuments("github", {})).toEqual([]);
	expect(await client.connections.import("granola" as "github", {})).toBe("Importing connections...");
});

test("a token of GitHub, repositories to choose from, and what is chosen is found", async () => {
	const { id } = await client.connections.create("github", {
		containerTag: "code",
		metadata: { token: github.token, endpoint: github.endpoint, issues: true },
	});
	const { resources } = await client.connections.resources(id);
	expect(resources.map((resource) => (resource as { full_name: string }).full_name)).toEqual(["harbour/tides", "harbour/boats"]);
	expect(await client.connections.configure(id, { resources: resources.slice(0, 1) as { [key: string]: unknown }[] })).toMatchObject({ success: true });
	const documents = await until(async () => {
		const found = await client.connections.listDocuments("github", { containerTags: ["code"] });
		return found.length === 2 && found.every(({ status }) => status === "done") && found;
	});
	expect(documents.map(({ title }) => title).sort()).toEqual(["Late tables", "Tides"]);
	expect((await client.search.documents({ q: "quicksilver", containerTags: ["code"] })).results[0]).toMatchObject({
		metadata: { repository: "harbour/tides", issue: 4, state: "open", visibility: "public" },
	});
	expect(JSON.stringify(await client.connections.list({}))).not.toContain(github.token);
	const wrong = client.connections.create("github", { containerTag: "code", metadata: { token: "github_pat_wrong", endpoint: github.endpoint } });
	expect(await thrownBy(wrong)).toBeInstanceOf(AuthenticationError);
	expect(await client.connections.deleteByID(id)).toEqual({ id, provider: "github" });
});
