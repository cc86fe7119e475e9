/** Optional fields of the peer's answers that Cairn knows: a document's memories, addresses in lists, who sees a container. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

interface Drawn {
	readonly id: string;
	readonly memory: string;
	readonly isForgotten: boolean;
}
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;
const read = (id: string, as = client) => json(as.send("GET", `/v3/documents/${id}`));
const add = async (body: object) => {
	const { id } = await json(client.send("POST", "/v3/documents", { dreaming: "instant", ...body }));
	await client.finished(String(id));
	return String(id);
};
const memoriesOf = async (id: string, as = client) => (await read(id, as))["memories"] as readonly Drawn[] | undefined;

test("a document shows the memories drawn from it, with the fields of the peer and the same ids as their list", async () => {
	const id = await add({ content: "Otto lives in Ulm. Otto works as a baker.", containerTag: "otto", customId: "about-otto" });
	const memories = (await memoriesOf(id)) ?? [];
	const { memoryEntries } = await json(client.send("POST", "/v4/memories/list", { containerTags: ["otto"] }));
	expect(memories.length).toBeGreaterThan(0);
	expect(memories.map((memory) => memory.id).toSorted()).toEqual((memoryEntries as readonly Drawn[]).map((entry) => entry.id).toSorted());
	for (const memory of memories) {
		expect(Object.keys(memory).toSorted()).toEqual(
			"createdAt id isForgotten isInference isLatest isStatic memory metadata parentMemoryId rootMemoryId sourceCount updatedAt version".split(" "),
		);
		expect(memory).toMatchObject({ version: 1, isLatest: true, isForgotten: false, sourceCount: 1, parentMemoryId: null, rootMemoryId: null });
	}
	expect(await memoriesOf("about-otto")).toEqual(memories);
});

test("a forgotten one is marked, and a document without memories has no such field", async () => {
	const id = await add({ content: "Berta plays the cello.", containerTag: "berta" });
	const [first] = (await memoriesOf(id)) ?? [];
	await client.send("DELETE", "/v4/memories", { containerTag: "berta", id: first?.id });
	expect((await memoriesOf(id))?.find((memory) => memory.id === first?.id)?.isForgotten).toBe(true);
	const plain = await add({ content: "Carla plays the cello.", taskType: "superrag" });
	expect(Object.hasOwn(await read(plain), "memories")).toBe(false);
});

test("a key sees of a document that lies in two containers the memories of its own alone", async () => {
	const id = await add({ content: "Dora lives in Bonn.", containerTags: ["dora", "family"] });
	const all = (await memoriesOf(id)) ?? [];
	const { key } = (await json(client.send("POST", "/v3/auth/scoped-key", { containerTag: "family" }))) as { readonly key: string };
	const scoped = server.clientWith(key);
	const { memoryEntries } = await json(scoped.send("POST", "/v4/memories/list", { containerTags: ["family"] }));
	const within = (await memoriesOf(id, scoped)) ?? [];
	expect(within.length).toBeGreaterThan(0);
	expect(within.length).toBeLessThan(all.length);
	expect(within.map((memory) => memory.id).toSorted()).toEqual((memoryEntries as readonly Drawn[]).map((entry) => entry.id).toSorted());
});

test("more memories than are written at once are all there, and the answer is still JSON", async () => {
	const letters = [..."abcdefghijklmnopqrstuvwxyz"];
	const names = letters.flatMap((first) => letters.map((second) => `${first.toUpperCase()}${second}rik`));
	const id = await add({ content: names.map((name) => `${name} works as a baker in ${name}berg.`).join("\n\n"), containerTag: "many" });
	const memories = (await memoriesOf(id)) ?? [];
	const { pagination } = await json(client.send("POST", "/v4/memories/list", { containerTags: ["many"], limit: 1 }));
	expect(memories.length).toBe((pagination as { readonly totalItems: number }).totalItems);
	expect(memories.length).toBeGreaterThan(500);
	expect(new Set(memories.map((memory) => memory.id)).size).toBe(memories.length);
});

test("lists tell the address of a document, null where it has none", async () => {
	const address = "http://127.0.0.1:1/page";
	const fetched = await add({ content: address, containerTag: "addresses" });
	const written = await add({ content: "Emil sings.", containerTag: "addresses" });
	const urlsIn = (list: unknown) => Object.fromEntries((list as readonly { readonly id: string; readonly url: unknown }[]).map(({ id, url }) => [id, url]));
	const expected = { [fetched]: address, [written]: null };
	expect(urlsIn((await json(client.send("POST", "/v3/documents/list", { containerTags: ["addresses"] })))["memories"])).toEqual(expected);
	expect(urlsIn((await json(client.send("POST", "/v3/documents/documents", { containerTags: ["addresses"] })))["documents"])).toEqual(expected);
	expect((await read(fetched))["url"]).toBe(address);
});

test("a container is shared in its organisation, and says so", async () => {
	const containers = (await (await client.send("GET", "/v3/container-tags/list")).json()) as readonly { readonly visibility: string }[];
	expect(new Set(containers.map(({ visibility }) => visibility))).toEqual(new Set(["public"]));
});

test("a title that is set later is shown at once, in lists and searches too", async () => {
	const id = await add({ content: "Emil tunes pianos.", containerTag: "emil", metadata: { year: 2026 } });
	expect(await read(id)).toMatchObject({ title: "Emil tunes pianos." });
	await client.send("PATCH", `/v3/documents/${id}`, { metadata: { title: "About Emil" } });
	expect(await read(id)).toMatchObject({ status: "done", title: "About Emil", metadata: { title: "About Emil", year: 2026 } });
	expect(await json(client.send("POST", "/v3/documents/list", { containerTags: ["emil"] }))).toMatchObject({ memories: [{ title: "About Emil" }] });
	const found = await json(client.send("POST", "/v3/search", { q: "who tunes pianos", containerTags: ["emil"] }));
	expect(found).toMatchObject({ results: [{ documentId: id, title: "About Emil" }] });
});
