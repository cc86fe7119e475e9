/** A storage that brings no search of its own is searched all the same: by words, by vectors, and in what is remembered. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer(["--use-storage=ram"]);
	client = await server.client();
});
afterAll(() => server.dispose());

async function search<Found>(path: string, q: string): Promise<readonly Found[]> {
	const response = await client.send("POST", path, { q });
	expect(response.status).toBe(200);
	return ((await response.json()) as { results: readonly Found[] }).results;
}

test("documents and memories are found, and those that were deleted are not", async () => {
	const added = await client.send("POST", "/v3/documents", { content: "Ines Marlow works as a night nurse at the hospital in Port Ellery." });
	const { id } = (await added.json()) as { id: string };
	await client.finished(id);
	expect((await search<{ documentId: string }>("/v3/search", "night nurse")).map(({ documentId }) => documentId)).toEqual([id]);
	expect((await search<{ documentId: string }>("/v3/search", "nigth nurses"))[0]?.documentId).toBe(id);
	expect((await search<{ memory: string }>("/v4/search", "where does Ines work"))[0]?.memory).toContain("Port Ellery");
	expect((await client.send("DELETE", `/v3/documents/${id}`)).ok).toBe(true);
	expect(await search("/v3/search", "night nurse")).toEqual([]);
	expect(await search("/v4/search", "where does Ines work")).toEqual([]);
});
