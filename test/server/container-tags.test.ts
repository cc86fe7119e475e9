/** Container tags and settings over HTTP: who may do what, many at the same time, and what goes on while documents come in. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

interface Listed {
	readonly containerTag: string;
	readonly documentCount: number;
	readonly memoryCount: number;
	readonly mergeStatus?: string;
	readonly mergeId?: string;
	readonly mergeTargetTag?: string;
}

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
	server = await startTestServer();
});
beforeEach(async () => {
	admin = await server.client();
});
afterAll(() => server.dispose());

const json = async (answer: Promise<Response> | Response) => (await (await answer).json()) as Record<string, unknown>;
const status = async (client: TestClient, method: string, path: string, body?: unknown) => (await client.send(method, path, body)).status;
const list = async (client = admin) => (await json(client.send("GET", "/v3/container-tags/list"))) as unknown as readonly Listed[];
const add = async (body: object) => String((await json(admin.send("POST", "/v3/documents", body)))["id"]);
const upTo = (count: number) => Array.from({ length: count }, (_each, i) => i);

async function keyWith(body: object): Promise<TestClient> {
	return server.clientWith(String((await json(admin.send("POST", "/v3/auth/agent-key", { name: "k", ...body })))["key"]));
}

async function over(mergeId: unknown): Promise<Record<string, unknown>> {
	return until(async () => {
		const merge = await json(admin.send("GET", `/v3/container-tags/merge/${mergeId}`));
		return (merge["status"] === "done" || merge["status"] === "failed") && merge;
	});
}

async function idle(): Promise<void> {
	await until(async () => (await json(admin.send("GET", "/v3/documents/processing")))["total"] === 0);
}

test("an emoji is listed once it is set, and cleared by null", async () => {
	const emojiOf = async () => {
		const listed = (await (await admin.send("GET", "/v3/container-tags/list")).json()) as { containerTag: string; emoji?: string }[];
		return listed.find(({ containerTag }) => containerTag === "shelf");
	};
	await admin.send("PATCH", "/v3/container-tags/shelf", { name: "Shelf" });
	expect(await emojiOf()).not.toHaveProperty("emoji");
	expect(await json(admin.send("PATCH", "/v3/container-tags/shelf", { emoji: "📚" }))).toMatchObject({ name: "Shelf", emoji: "📚" });
	expect(await emojiOf()).toMatchObject({ emoji: "📚" });
	expect(await status(admin, "PATCH", "/v3/container-tags/shelf", { emoji: "a sign that is long" })).toBe(400);
	await admin.send("PATCH", "/v3/container-tags/shelf", { emoji: null });
	expect(await emojiOf()).not.toHaveProperty("emoji");
});

describe("who may do what", () => {
	const administrative: readonly (readonly [method: string, path: string, body?: object])[] = [
		["DELETE", "/v3/container-tags/own"],
		["POST", "/v3/container-tags/merge", { containerTags: ["own", "foreign"], targetContainerTag: "own" }],
		["PATCH", "/v3/settings", { chunkSize: 64 }],
		["PATCH", "/v3/settings", {}],
		["POST", "/v3/settings/reset", { confirmation: "RESET" }],
	];
	beforeEach(async () => {
		for (const tag of ["own", "foreign"]) await admin.send("PATCH", `/v3/container-tags/${tag}`, { name: tag });
	});

	test("a key that reads sees and changes nothing", async () => {
		const reader = await keyWith({ permission: "read" });
		expect((await list(reader)).map(({ containerTag }) => containerTag)).toEqual(["own", "foreign"]);
		expect(await status(reader, "GET", "/v3/settings")).toBe(200);
		expect(await status(reader, "PATCH", "/v3/container-tags/own", { name: "x" })).toBe(403);
		for (const [method, path, body] of administrative) expect(await status(reader, method, path, body), path).toBe(403);
	});

	test("a key that writes says something of containers, and leaves them and the settings alone", async () => {
		const writer = await keyWith({ permission: "write" });
		expect(await status(writer, "PATCH", "/v3/container-tags/new", { name: "x" })).toBe(200);
		for (const [method, path, body] of administrative) {
			const answer = await writer.send(method, path, body);
			expect([answer.status, (await json(answer))["code"]], path).toEqual([403, "ROLE_MISSING"]);
		}
		expect((await list()).map(({ containerTag }) => containerTag)).toEqual(["own", "foreign", "new"]);
	});

	test("a key bound to a container knows nothing but it", async () => {
		const bound = await keyWith({ permission: "write", containerTags: ["own"] });
		expect((await list(bound)).map(({ containerTag }) => containerTag)).toEqual(["own"]);
		expect(await status(bound, "GET", "/v3/container-tags/own")).toBe(200);
		expect(await status(bound, "PATCH", "/v3/container-tags/own", { entityContext: "mine" })).toBe(200);
		for (const tag of ["foreign", "nowhere"]) {
			expect(await status(bound, "GET", `/v3/container-tags/${tag}`)).toBe(403);
			expect(await status(bound, "PATCH", `/v3/container-tags/${tag}`, { name: "x" })).toBe(403);
			expect(await status(bound, "POST", "/v3/documents", { content: "x", containerTag: tag, entityContext: "theirs" })).toBe(403);
		}
		expect(await status(bound, "GET", "/v3/settings")).toBe(403);
		expect(await status(bound, "POST", "/v3/settings/suggest-buckets", {})).toBe(403);
		for (const [method, path, body] of administrative) expect(await status(bound, method, path, body), path).toBe(403);
		expect(await json(admin.send("GET", "/v3/container-tags/foreign"))).toMatchObject({ name: "foreign", entityContext: null });
	});

	test("administrative acts are noted with the key that did them, and without secrets", async () => {
		await admin.send("PATCH", "/v3/settings", { githubClientSecret: "hush-1843" });
		await admin.send("DELETE", "/v3/container-tags/foreign");
		const audit = await (await admin.send("GET", "/v3/audit")).text();
		for (const type of ["container.changed", "settings.changed", "container.deleted"]) expect(audit).toContain(type);
		expect(audit).not.toContain("hush");
	});
});

describe("many at the same time", () => {
	test("a hundred changes of one tag are all made, none is torn", async () => {
		const answers = await Promise.all(
			upTo(100).map((i) =>
				admin.send("PATCH", "/v3/container-tags/busy", i % 2 === 0 ? { name: `n${i}` } : { entityContext: `c${i}`, profileBuckets: [{ key: `b${i}` }] }),
			),
		);
		expect(answers.map((answer) => answer.status)).toEqual(upTo(100).map(() => 200));
		const { name, entityContext, profileBuckets } = await json(admin.send("GET", "/v3/container-tags/busy"));
		expect(String(name)).toMatch(/^n\d*[02468]$/);
		expect(profileBuckets).toEqual([{ key: String(entityContext).replace("c", "b"), description: "" }]);
		expect(await list()).toHaveLength(1);
	});

	test("a hundred changes of settings are all kept", async () => {
		const fields = ["filterPrompt", "workspacePrompt", "notionClientId", "githubClientId"];
		const answers = await Promise.all(upTo(100).map((i) => status(admin, "PATCH", "/v3/settings", { [fields[i % 4] ?? ""]: `v${i}` })));
		expect(new Set(answers)).toEqual(new Set([200]));
		const settings = await json(admin.send("GET", "/v3/settings"));
		for (const field of fields) expect(String(settings[field])).toMatch(/^v\d+$/);
	});

	test("a merge asked for twice is one", async () => {
		for (const tag of ["a", "b"]) await admin.send("PATCH", `/v3/container-tags/${tag}`, {});
		for (const i of upTo(30)) await add({ content: `Note ${i} is short.`, containerTag: "a" });
		const ask = () => json(admin.send("POST", "/v3/container-tags/merge", { containerTags: ["a", "b"], targetContainerTag: "b" }));
		const first = await ask();
		expect((await list()).map(({ containerTag, mergeStatus, mergeId, mergeTargetTag }) => [containerTag, mergeStatus, mergeId, mergeTargetTag])).toEqual([
			["a", "source", first["mergeId"] as string, "b"],
			["b", "target", first["mergeId"] as string, undefined],
		]);
		expect(await json(admin.send("DELETE", "/v3/container-tags/b"))).toMatchObject({ code: "CONTAINER_MERGING" });
		expect((await ask())["mergeId"]).toBe(first["mergeId"] as string);
		expect(await over(first["mergeId"])).toMatchObject({ status: "done" });
		expect((await list()).map(({ containerTag, documentCount }) => [containerTag, documentCount])).toEqual([["b", 30]]);
	});
});

describe("while documents come in", () => {
	const count = 24;
	const names =
		"Anton Berta Clara David Emma Franz Greta Hans Ida Jonas Karla Ludwig Marta Nora Oskar Paula Quentin Rosa Samuel Tilda Ulrich Vera Walter Xenia".split(" ");
	const towns =
		"Aachen Berlin Celle Dresden Essen Fulda Gera Halle Ilmenau Jena Kiel Leipzig Mainz Neuss Oldenburg Potsdam Quedlinburg Rostock Speyer Trier Ulm Verden Worms Xanten".split(
			" ",
		);
	/** All different, and each a memory. */
	const text = (i: number) => `${names[i % count]} lives in ${towns[(i + Math.floor(i / count)) % count]}${i < count ? "" : " no longer, and moved to Oslo"}.`;

	async function memoriesOf(client: TestClient): Promise<readonly string[]> {
		const listed = await json(client.send("POST", "/v4/memories/list", { containerTags: ["from", "into"], limit: 1_000 }));
		return (listed["memoryEntries"] as { readonly memory: string }[]).map(({ memory }) => memory).toSorted();
	}

	test("a merge takes all of them along, done or not, and loses no memory", async () => {
		for (const i of upTo(count)) await add({ content: text(i), containerTag: "from", dreaming: i % 2 === 0 ? "instant" : "dynamic" });
		const { mergeId } = await json(
			admin.send("POST", "/v3/container-tags/merge", { containerTags: ["from", "into"], targetContainerTag: "into" }).then(async (answer) => {
				expect(answer.status).toBe(404);
				await admin.send("PATCH", "/v3/container-tags/into", {});
				return admin.send("POST", "/v3/container-tags/merge", { containerTags: ["from", "into"], targetContainerTag: "into" });
			}),
		);
		const late = await Promise.all(upTo(count).map((i) => add({ content: text(count + i), containerTag: "from" })));
		expect(await over(mergeId)).toMatchObject({ status: "done", error: null });
		await idle();
		for (const id of late) await admin.finished(id);
		// What came after the end made the container anew, and is listed in it.
		const tags = await list();
		expect(tags.reduce((sum, { documentCount }) => sum + documentCount, 0)).toBe(2 * count);
		const documents = (await json(admin.send("POST", "/v3/documents/list", { limit: 100 })))["memories"] as { readonly id: string }[];
		for (const { id } of documents) await admin.finished(id);
		// All that there would be if they had come into one container and stayed there.
		const control = await server.client();
		for (const i of upTo(2 * count))
			await control.finished(String((await json(control.send("POST", "/v3/documents", { content: text(i), containerTag: "into" })))["id"]));
		const kept = await memoriesOf(admin);
		expect(kept).toEqual([...new Set(kept)]);
		expect(kept).toEqual(expect.arrayContaining([...(await memoriesOf(control))]));
		// A merge moves memories and does not compare them: what was replaced in the other container only is still there.
		expect(kept.length).toBeLessThanOrEqual(2 * count);
	});

	test("a deletion brings nothing back, however far they had come", async () => {
		const ids = await Promise.all(
			upTo(count).map((i) => add({ content: text(i).repeat(20), containerTag: "doomed", dreaming: i % 2 === 0 ? "instant" : "dynamic" })),
		);
		const kept = await add({ content: "Otto lives in Ulm and works as a baker.", containerTags: ["doomed", "kept"], dreaming: "dynamic" });
		await Bun.sleep(30);
		expect(await json(admin.send("DELETE", "/v3/container-tags/doomed"))).toMatchObject({ success: true, deletedDocumentsCount: count });
		await admin.finished(kept);
		await idle();
		await until(async () => {
			const { queue } = (await json(admin.send("GET", "/ready"))) as { readonly queue: { readonly leased: number } };
			return queue.leased === 0;
		});
		for (const id of ids) expect(await status(admin, "GET", `/v3/documents/${id}`)).toBe(404);
		expect((await list()).map(({ containerTag, documentCount, memoryCount }) => [containerTag, documentCount, memoryCount])).toEqual([["kept", 1, 1]]);
		expect(await json(admin.send("POST", "/v4/search", { q: "Ulm", threshold: 0, limit: 100 }))).toMatchObject({ total: 1 });
		expect(await json(admin.send("POST", "/v3/search", { q: "Ulm", limit: 100 }))).toMatchObject({ total: 1 });
	});
});
