/** A whole server over an embedding service: documents wait for it, searches use it, the ledger knows what it cost. */

import { afterAll, expect, test } from "bun:test";
import { startEmbeddingService } from "../doubles/embedding-service.ts";
import { startTestServer } from "../doubles/test-server.ts";

const service = startEmbeddingService(64);
const server = await startTestServer([
	"--use-embedder=openai",
	"--embedding-model=small",
	`--embedding-url=${service.address}/v1`,
	"--embedding-key=sk-test",
	"--embedding-price=0.02",
]);
afterAll(async () => {
	await server.dispose();
	await service.stop();
});

async function json(response: Response): Promise<Record<string, unknown>> {
	return (await response.json()) as Record<string, unknown>;
}

test("an outage costs a document nothing but time, and what is paid is told", async () => {
	const { send, finished } = await server.client();
	let failures = 7;
	service.behave(({ input }) =>
		input.some((text) => text.includes("lighthouse")) && failures-- > 0 ? new Response("busy", { status: 429, headers: { "retry-after": "0.1" } }) : null,
	);
	const { id } = await json(await send("POST", "/v3/documents", { content: "The lighthouse stands on a granite rock.", taskType: "superrag" }));
	expect(await finished(String(id))).toMatchObject({ status: "done" });
	// More often than a document may fail on its own account.
	expect(failures).toBeLessThan(0);

	const found = await json(await send("POST", "/v3/search", { q: "granite lighthouse" }));
	expect(found["results"]).toHaveLength(1);
	const usage = await json(await send("GET", "/v3/usage"));
	expect(usage["embeddings"]).toEqual([
		{ date: expect.any(String), embedder: "openai", calls: expect.any(Number), inputTokens: expect.any(Number), cost: expect.any(Number) },
	]);
	const [spent] = usage["embeddings"] as { calls: number; inputTokens: number; cost: number }[];
	expect(spent?.calls).toBeGreaterThanOrEqual(2);
	expect(spent?.cost).toBeCloseTo(((spent?.inputTokens ?? 0) * 0.02) / 1_000_000, 5);
	expect(usage["total"]).toMatchObject({ calls: 0, cost: 0 });
	expect(service.asked[0]?.headers["authorization"]).toBe("Bearer sk-test");
});

test("another length of vectors is refused, and the document says so", async () => {
	const { send, finished } = await server.client();
	service.behave(() => Response.json({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
	const { id } = await json(await send("POST", "/v3/documents", { content: "The keeper polishes the lamp.", taskType: "superrag" }));
	expect(JSON.stringify(await finished(String(id)))).toContain("EMBEDDING_MALFORMED");
	service.behave(() => null);
});
