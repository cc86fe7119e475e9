/** What the server makes of the beginning of a text holds no half of a character. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

const documentOf = async (id: unknown) => (await (await client.send("GET", `/v3/documents/${id}`)).json()) as Record<string, unknown>;

test("the title of written memories", async () => {
	const content = `${"a".repeat(79)}😀 and so on`;
	const written = (await (await client.send("POST", "/v4/memories", { containerTag: "ada", memories: [{ content }] })).json()) as {
		readonly documentId: string;
	};
	expect((await documentOf(written.documentId))["title"]).toBe(`${"a".repeat(79)}…`);
});

test("the name of a file", async () => {
	const form = new FormData();
	form.append("file", new File(["Ada wrote it."], `${"a".repeat(254)}😀.txt`));
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
	expect((await documentOf(id))["metadata"]).toMatchObject({ filename: "a".repeat(254) });
});
