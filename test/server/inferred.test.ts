/** What an extractor infers waits for a review; approved it is a memory like any other, declined it is gone, and either can be taken back. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

/** Every sentence that says "probably" is inferred; one that says "surely" from all others of the document. */
const guessing = definePlugin({
	name: "memory-extractor-guessing",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({
		memoryExtractor: [
			{
				name: "guessing-1",
				extract: async ({ document, chunks }) =>
					chunks.flatMap(({ id, text }) =>
						text.split(/(?<=\.) /).map((sentence) => ({
							text: sentence,
							isStatic: false,
							isInference: /probably|surely/.test(sentence),
							confidence: 1,
							subject: null,
							eventTime: null,
							forgetAfter: null,
							evidence: [{ document: document.id, chunk: id, span: [0, text.length] as const }],
						})),
					),
			},
		],
		memoryLinker: [
			{
				name: "guessing-1",
				link: async (draft, neighbours) => ({
					links: draft.text.includes("surely") ? neighbours.map(({ memory }) => ({ relation: "derives" as const, target: memory.id })) : [],
					duplicateOf: null,
				}),
			},
		],
	}),
});

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], { plugins: [guessing()] });
});
afterAll(() => server.dispose());

type Body = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Body;
const waiting = async (tag = "ada") =>
	(await json(client.send("GET", `/v3/container-tags/${tag}/inferred`))) as { readonly memories: readonly Body[]; readonly total: number };
const review = (id: unknown, action: string, tag = "ada") => client.send("POST", `/v3/container-tags/${tag}/inferred/${id}/review`, { action });

async function infer(): Promise<readonly Body[]> {
	client = await server.client();
	const content = "Xenia packs a tent. I guess she probably leaves. Yusuf buys a map. Xenia surely hikes.";
	const { id } = await json(client.send("POST", "/v3/documents", { content, containerTag: "ada", dreaming: "instant" }));
	await client.finished(String(id));
	return (await waiting()).memories;
}

test("the best founded come first, with what is known of them", async () => {
	const memories = await infer();
	expect(memories.map(({ memory }) => memory)).toEqual(["Xenia surely hikes.", "I guess she probably leaves."]);
	expect(Number(memories[0]?.["parentCount"])).toBeGreaterThan(1);
	expect(memories[1]).toMatchObject({ parentCount: 0, metadata: null });
	expect(await waiting("nowhere")).toEqual({ memories: [], total: 0 });
});

test("what is approved is no inference any more, until that is undone", async () => {
	const [{ id } = {}] = await infer();
	expect(await json(review(id, "approve"))).toEqual({ id, isInference: false, isForgotten: false, reviewStatus: "approved" });
	expect((await waiting()).total).toBe(1);
	const listed = (await json(client.send("POST", "/v4/memories/list", { containerTags: ["ada"] })))["memoryEntries"] as readonly Body[];
	expect(listed.find((entry) => entry["id"] === id)).toMatchObject({ isInference: false, metadata: { reviewStatus: "approved" } });
	for (const again of ["approve", "decline"]) expect((await review(id, again)).status).toBe(409);
	expect(await json(review(id, "undo"))).toEqual({ id, isInference: true, isForgotten: false, reviewStatus: null });
	expect((await waiting()).total).toBe(2);
	expect((await review(id, "undo")).status).toBe(409);
});

test("what is declined is forgotten, until that is undone", async () => {
	const [, { id } = {}] = await infer();
	expect(await json(review(id, "decline"))).toEqual({ id, isInference: true, isForgotten: true, reviewStatus: "declined" });
	const found = await json(client.send("POST", "/v4/search", { q: "I guess she probably leaves", containerTag: "ada", threshold: 0, searchMode: "memories" }));
	expect(JSON.stringify(found)).toContain("Yusuf buys a map");
	expect(JSON.stringify(found)).not.toContain("probably");
	expect(await json(review(id, "undo"))).toEqual({ id, isInference: true, isForgotten: false, reviewStatus: null });
	expect((await waiting()).total).toBe(2);
});

test("what was said, forgotten, replaced or is elsewhere cannot be reviewed", async () => {
	const [{ id } = {}, { id: other } = {}] = await infer();
	const listed = (await json(client.send("POST", "/v4/memories/list", { containerTags: ["ada"] })))["memoryEntries"] as readonly Body[];
	const said = listed.find(({ isInference }) => isInference === false);
	expect((await review(said?.["id"], "approve")).status).toBe(409);
	await client.send("DELETE", "/v4/memories", { containerTag: "ada", id });
	expect((await review(id, "approve")).status).toBe(409);
	await client.send("PATCH", "/v4/memories", { containerTag: "ada", id: other, newContent: "Xenia leaves." });
	expect((await review(other, "decline")).status).toBe(409);
	expect([(await review("nobody", "approve")).status, (await review(id, "approve", "elsewhere")).status]).toEqual([404, 404]);
	expect([(await review(id, "reject")).status, (await review(id, "approve", "no%20tag")).status]).toEqual([400, 400]);
});
