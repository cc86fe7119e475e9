/** Indexes that an operator has listed answer searches over HTTP: what is done is found, what was deleted is gone from them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { definePlugin, type VectorCollection, type VectorIndex, type WordIndex } from "cairn-memory";
import { wordEntry } from "cairn-memory/stores";
import { z } from "zod";
import { exactIndex } from "../doubles/exact-index.ts";
import { exactWordIndex } from "../doubles/exact-word-index.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

interface Answer {
	readonly results: readonly { readonly documentId: string }[];
}

const exact = exactIndex();
let asked = 0;
let opened: readonly VectorCollection[] = [];
const index: VectorIndex = {
	...exact,
	open: async (...given) => {
		const collection = await exact.open(...given);
		opened = [...opened, collection];
		return {
			...collection,
			nearest: (...query) => {
				asked++;
				return collection.nearest(...query);
			},
		};
	},
};
const exactWords = exactWordIndex();
let askedWords = 0;
const wordIndex: WordIndex = {
	...exactWords,
	open: async (...given) => {
		const { matchCounted, ...collection } = await exactWords.open(...given);
		return {
			...collection,
			...(matchCounted !== undefined && {
				matchCounted: (...query: Parameters<typeof matchCounted>) => {
					askedWords++;
					return matchCounted(...query);
				},
			}),
		};
	},
};
const plugin = definePlugin({
	name: "cairn-plugin-index-exact",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ vectorIndex: [index], wordIndex: [wordIndex] }),
});

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], { plugins: [plugin()] });
	client = await server.client();
});
afterAll(() => server.dispose());

async function add(content: string, by: TestClient = client): Promise<string> {
	const response = await by.send("POST", "/v3/documents", { content });
	const { id } = (await response.json()) as { id: string };
	await by.finished(id);
	return id;
}

async function search(q: string, by: TestClient = client): Promise<readonly string[]> {
	const response = await by.send("POST", "/v3/search", { q });
	expect(response.status).toBe(200);
	return ((await response.json()) as Answer).results.map(({ documentId }) => documentId);
}

async function held(): Promise<number> {
	const within = { containerTags: [], tagsMatch: "all", allowedIds: null } as const;
	const counts = opened.map(async ({ nearest }) => (await nearest(new Float32Array(256).fill(1), 1_000, within)).length);
	return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** How many texts of all organisations hold a word. */
async function holding(word: string): Promise<number> {
	const terms = [...wordEntry("x", word, []).terms.keys()].filter((term) => !term.startsWith("#"));
	const counts = (await exactWords.names()).map(async (name) => (await (await exactWords.open(name, 0, "")).count([terms])).holders[0] ?? 0);
	return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test("what is done is found, and from the index as soon as it holds it", async () => {
	const id = await add("The lighthouse keeper counts the ships that pass the harbour at night.");
	expect(await search("who counts the ships")).toEqual([id]);
	while ((await held()) === 0 || (await holding("lighthouse")) === 0) await Bun.sleep(5);
	const before = [asked, askedWords] as const;
	expect(await search("who counts the boats")).toEqual([id]);
	expect(asked).toBeGreaterThan(before[0]);
	expect(askedWords).toBeGreaterThan(before[1]);
});

test("what was deleted is found no more, and goes from the index", async () => {
	// The chunk and the memory of the document before are each fed in their own time.
	while ((await held()) < 2) await Bun.sleep(5);
	const before = await held();
	const id = await add("Granite is quarried behind the old mill.");
	expect(await search("where is granite quarried")).toContain(id);
	while ((await held()) <= before || (await holding("granite")) === 0) await Bun.sleep(5);
	expect((await client.send("DELETE", `/v3/documents/${id}`)).ok).toBe(true);
	expect(await search("where is granite quarried")).not.toContain(id);
	while ((await held()) > before || (await holding("granite")) > 0) await Bun.sleep(5);
});

test("an organisation finds nothing of another", async () => {
	const other = await server.client();
	const id = await add("The lighthouse keeper of the other shore counts no ships.", other);
	expect(await search("who counts the ships", other)).toEqual([id]);
	expect(await search("who counts the ships")).not.toContain(id);
});
