/** A customId belongs to its container: two containers may each have a document of the name. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

const patienceMs = 10_000;

let server: TestServer;
let client: TestClient;

const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;
const add = (body: object) => json(client.send("POST", "/v3/documents", body));
const read = (name: unknown) => json(client.send("GET", `/v3/documents/${name}`));
const names = async (containerTag: string) => {
	const { memories } = (await json(client.send("POST", "/v3/documents/list", { containerTags: [containerTag] }))) as { memories: { customId: string }[] };
	return memories.map(({ customId }) => customId).toSorted();
};

async function over(mergeId: unknown): Promise<void> {
	for (const end = Date.now() + patienceMs; Date.now() < end; await Bun.sleep(10)) {
		if ((await json(client.send("GET", `/v3/container-tags/merge/${String(mergeId)}`)))["status"] === "done") return;
	}
	throw new Error("the merge did not end in time");
}

beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

test("a NUL character is left out of a customId in a body and in a path", async () => {
	const { id } = await add({ content: "Cleo plays the harp.", customId: "na\u0000me", containerTag: "cleo" });
	await client.finished(String(id));
	expect(await read("na%00me")).toMatchObject({ id, customId: "name" });
	expect((await client.send("GET", "/v3/documents/%00")).status).toBe(404);
	expect((await client.send("DELETE", "/v3/documents/na%00me")).status).toBe(204);
	expect((await client.send("GET", "/v3/documents/name")).status).toBe(404);
});

describe("one customId in two containers", () => {
	let alice: string;
	let bob: string;
	beforeAll(async () => {
		alice = String((await add({ content: "Alice plays the oboe.", customId: "profile", containerTag: "alice" }))["id"]);
		bob = String((await add({ content: "Bob rows on Sundays.", customId: "profile", containerTag: "bob" }))["id"]);
		for (const id of [alice, bob]) await client.finished(id);
	});

	test("is two documents, and each is changed by its container", async () => {
		expect(alice).not.toBe(bob);
		expect(await add({ content: "Bob rows on Mondays.", customId: "profile", containerTag: "bob" })).toMatchObject({ id: bob });
		await client.finished(bob);
		expect(await read(alice)).toMatchObject({ content: "Alice plays the oboe.", containerTags: ["alice"] });
		expect(await read(bob)).toMatchObject({ content: "Bob rows on Mondays.", containerTags: ["bob"] });
	});

	test("without a container is refused, with the containers that may be meant", async () => {
		const asked: readonly (readonly [string, string, object?])[] = [
			["GET", "/v3/documents/profile"],
			["PATCH", "/v3/documents/profile", { metadata: { a: 1 } }],
			["DELETE", "/v3/documents/profile"],
			["POST", "/v3/documents", { content: "Whose?", customId: "profile" }],
			["POST", "/v3/documents", { content: "Whose?", customId: "profile", containerTags: ["alice", "bob"] }],
			["POST", "/v4/conversations", { conversationId: "profile", messages: [{ role: "user", content: "Whose?" }] }],
			["POST", "/v3/search", { q: "oboe", docId: "profile" }],
		];
		for (const [method, path, body] of asked) {
			const answer = await client.send(method, path, body);
			expect([path, answer.status, await answer.json()]).toMatchObject([
				path,
				409,
				{ code: "CUSTOM_ID_AMBIGUOUS", error: expect.stringContaining("alice, bob") },
			]);
		}
		expect(await read(alice)).toMatchObject({ content: "Alice plays the oboe." });
	});

	test("with the container of a search is the one there", async () => {
		const search = async (path: string, containerTag: string) => {
			const answer = await client.send("POST", path, { q: "oboe", docId: "profile", containerTag, searchMode: "documents" });
			return [answer.status, JSON.stringify(await answer.json()).includes("Alice plays the oboe.")];
		};
		for (const path of ["/v3/search", "/v4/search"]) {
			expect(await search(path, "alice")).toEqual([200, true]);
			expect(await search(path, "nobody")).toEqual([404, false]);
		}
	});

	test("of several to be deleted, is refused alone", async () => {
		const other = String((await add({ content: "A note.", customId: "note", containerTag: "alice" }))["id"]);
		const removed = await json(client.send("DELETE", "/v3/documents/bulk", { ids: ["profile", "note"] }));
		expect(removed).toMatchObject({ deletedCount: 1, errors: [{ id: "profile" }] });
		expect((await client.send("GET", `/v3/documents/${other}`)).status).toBe(404);
	});

	test("means the one that a key may see", async () => {
		const made = await json(client.send("POST", "/v3/auth/agent-key", { name: "alice", permission: "write", containerTags: ["alice"] }));
		const hers = server.clientWith(String(made["key"]));
		expect(await json(hers.send("GET", "/v3/documents/profile"))).toMatchObject({ id: alice });
		expect(await json(hers.send("POST", "/v3/documents", { content: "Alice plays the oboe.", customId: "profile" }))).toMatchObject({ id: alice });
	});

	test("cannot be moved to where it is known", async () => {
		const moved = await client.send("PATCH", `/v3/documents/${alice}`, { containerTag: "bob" });
		expect([moved.status, await moved.json()]).toMatchObject([409, { code: "CUSTOM_ID_TAKEN" }]);
		expect(await read(alice)).toMatchObject({ containerTags: ["alice"] });
	});

	test("is told apart when the containers are merged", async () => {
		const { mergeId } = await json(client.send("POST", "/v3/container-tags/merge", { containerTags: ["bob", "alice"], targetContainerTag: "alice" }));
		await over(mergeId);
		expect(await names("alice")).toEqual(["profile", "profile_merge"]);
		expect(await read("profile")).toMatchObject({ id: alice });
		expect(await read("profile_merge")).toMatchObject({ id: bob });
	});
});

test("a document that no request places is found in the only container that knows it", async () => {
	const { id } = await add({ content: "One.", customId: "only", containerTag: "somewhere" });
	expect(await add({ content: "Two.", customId: "only" })).toMatchObject({ id });
	expect(await read("only")).toMatchObject({ containerTags: ["somewhere"] });
});

test("a conversation of each container grows by itself", async () => {
	const say = (containerTag: string, content: string) =>
		json(client.send("POST", "/v4/conversations", { conversationId: "daily", containerTag, messages: [{ role: "user", content }] }));
	const [first, second] = [await say("carol", "I sold the boat."), await say("dave", "I bought a boat.")];
	expect(first["id"]).not.toBe(second["id"]);
	expect(await say("carol", "I miss it.")).toMatchObject({ id: first["id"] });
});
