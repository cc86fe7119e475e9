/** How much an answer of `/v4/search` holds: no more tokens than were allowed, and little beside the memories. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

let server: TestServer;
let client: TestClient;

const turns = Array.from({ length: 120 }, (_, i) => {
	if (i === 70) return "Mira: the ferry to Holm leaves at a quarter past nine from the old pier";
	return `${i % 2 === 0 ? "Mira" : "Olaf"}: ${["we painted the shed", "my aunt sent plums again", "the cat slept on the map", "it rained all afternoon"][i % 4]}, number ${i}`;
});

beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
	const metadata = { documentDate: "2026-03-04T12:00:00.000Z" };
	await client.send("POST", "/v3/documents", { content: turns.join("\n"), containerTag: "talk", customId: "talk", metadata, dreaming: "instant" });
	await until(async () => (await (await client.send("GET", "/v3/documents/talk")).json()).status === "done");
	await until(async () => (await search({ q: "ferry", searchMode: "documents", explain: true })).explanation.hint === null);
}, 120_000);
afterAll(() => server.dispose());

async function search(body: Readonly<Record<string, unknown>>) {
	return (await client.send("POST", "/v4/search", { containerTag: "talk", ...body })).json();
}

const textOf = ({ memory, chunk }: { readonly memory?: string; readonly chunk?: string }) => memory ?? chunk ?? "";

test("a budget is kept in every mode, and holds the line that answers with its neighbours", async () => {
	for (const searchMode of ["memories", "hybrid", "documents"]) {
		for (const maxTokens of [50, 200, 1_000]) {
			const { results } = await search({ q: "when does the ferry to Holm leave", searchMode, maxTokens, threshold: 0 });
			const texts: string[] = results.map(textOf);
			expect(texts.reduce((sum, text) => sum + text.length / 4, 0)).toBeLessThanOrEqual(maxTokens);
			if (searchMode !== "memories") expect(texts.join("\n")).toContain("a quarter past nine");
		}
	}
	const { results } = await search({ q: "when does the ferry to Holm leave", searchMode: "documents", maxTokens: 60 });
	expect(textOf(results[0])).toContain("number 69");
});

test("it is a number within bounds, by GET as well, and the specification says so", async () => {
	for (const maxTokens of [0, 49, 100_001, 1.5, "many"]) expect((await client.send("POST", "/v4/search", { q: "ferry", maxTokens })).status).toBe(400);
	const byGet = await (await client.send("GET", "/v4/search?q=ferry&containerTag=talk&searchMode=documents&maxTokens=60")).json();
	expect(textOf(byGet.results[0]).length).toBeLessThanOrEqual(240);
	const { paths } = await (await client.send("GET", "/openapi.json")).json();
	const { schema } = paths["/v4/search"].post.requestBody.content["application/json"];
	expect(schema.properties.maxTokens).toMatchObject({ type: "integer", minimum: 50, maximum: 100_000 });
});

test("a plain answer is small: at most five of kin for a memory, and few bytes beside the texts", async () => {
	const { results } = await search({ q: "painted the shed", threshold: 0 });
	expect(results.length).toBeGreaterThan(0);
	for (const { memory, context, ...rest } of results) {
		const kin: { readonly memory: string }[] = [...context.parents, ...context.children];
		expect(kin.length).toBeLessThanOrEqual(5);
		const texts = memory.length + kin.reduce((sum, each) => sum + each.memory.length, 0) + context.related.map(textOf).join("").length;
		const bytes = JSON.stringify({ memory, context, ...rest }).length;
		expect(bytes).toBeLessThanOrEqual(texts + 850 + 190 * (kin.length + context.related.length));
	}
});
