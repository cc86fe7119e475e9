/** A document too long to be read at once comes whole wherever it is asked for, piece by piece. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
const text = Array.from({ length: 3_000 }, (_, i) => `Paragraph ${i}: the "keeper" of Kraków\\${i} says 訂單 😀, and the harbour master writes it down.`).join(
	"\n\n",
);
let id: string;

const json = async <Answer>(answer: Promise<Response>) => (await (await answer).json()) as Answer;
const add = () =>
	json<{ readonly id: string; readonly status: string }>(client.send("POST", "/v3/documents", { content: text, customId: "long", taskType: "superrag" }));

beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
	id = (await add()).id;
	expect((await client.finished(id))["status"]).toBe("done");
}, 120_000);
afterAll(() => server.dispose());

interface WithContent {
	readonly content?: string | null;
	readonly title?: string;
}

test("by its id and by its customId", async () => {
	for (const name of [id, "long"]) {
		const response = await client.send("GET", `/v3/documents/${name}`);
		expect(response.headers.get("content-type")).toContain("application/json");
		const document = (await response.json()) as WithContent;
		expect(document.content === text).toBe(true);
		expect(document).toMatchObject({ id, customId: "long", status: "done", members: { total: 0 } });
	}
});

test("in lists and among results, where it is asked for and only there", async () => {
	const ask = async (path: string, body: object, under: string) =>
		(await json<Record<string, readonly WithContent[]>>(client.send("POST", path, body)))[under]?.[0];
	const search = { q: "harbour master" };
	expect((await ask("/v3/documents/list", { includeContent: true }, "memories"))?.content === text).toBe(true);
	expect((await ask("/v3/documents/documents", { includeContent: true }, "documents"))?.content === text).toBe(true);
	for (const q of ["harbour master", "*"]) expect((await ask("/v3/search", { q, includeFullDocs: true }, "results"))?.content === text).toBe(true);
	expect((await ask("/v3/search", { ...search, includeFullDocs: true, explain: true }, "results"))?.content === text).toBe(true);
	expect(await ask("/v3/documents/list", {}, "memories")).not.toHaveProperty("content");
	expect(await ask("/v3/search", search, "results")).not.toHaveProperty("content");
});

test("its chunks, all of them in their order", async () => {
	interface Chunks {
		readonly documentId: string;
		readonly chunks: readonly { readonly position: number; readonly content: string }[];
		readonly total: number;
	}
	const { documentId, chunks, total } = await json<Chunks>(client.send("GET", `/v3/documents/${id}/chunks`));
	expect(documentId).toBe(id);
	expect(total).toBeGreaterThan(200);
	expect(chunks.map(({ position }) => position)).toEqual(Array.from({ length: total }, (_, i) => i));
	expect(chunks.map(({ content }) => content).join("\n\n").length).toBeGreaterThan(text.length * 0.9);
});

test("added again with the same text it stays as it is, with another it is processed again", async () => {
	expect(await add()).toEqual({ id, status: "done" });
	expect(await json(client.send("PATCH", `/v3/documents/${id}`, { content: text }))).toEqual({ id, status: "done" });
	expect(await json(client.send("PATCH", `/v3/documents/${id}`, { content: `${text}.` }))).toEqual({ id, status: "queued" });
});
