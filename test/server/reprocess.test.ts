/** `POST /v3/documents/{id}/reprocess`: the content that is there is read once more. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;

const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;
const upload = async (name: string, bytes: string, type: string) => {
	const form = new FormData();
	form.set("file", new File([bytes], name, { type }));
	const { id } = await json(client.send("POST", "/v3/documents/file", undefined, { body: form }));
	return String(id);
};
const again = (name: string) => client.send("POST", `/v3/documents/${name}/reprocess`);
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

test("a text, a file and a failed file are read again, and keep id, bytes and words", async () => {
	const { id: text } = await json(client.send("POST", "/v3/documents", { content: "The ferry leaves at six.", customId: "ferry" }));
	const file = await upload("notes.md", "# Harbour\n\nThe lamp is out.", "text/markdown");
	const broken = await upload("broken.pdf", "%PDF-1.7 and nothing else", "application/pdf");
	for (const [name, id, status] of [
		["ferry", String(text), "done"],
		[file, file, "done"],
		[broken, broken, "failed"],
	] as const) {
		expect(await client.finished(id)).toMatchObject({ status });
		const { content } = await json(client.send("GET", `/v3/documents/${id}`));
		const answer = await again(name);
		expect([answer.status, await answer.json()]).toMatchObject([200, { id, status: "queued" }]);
		expect(await client.finished(id)).toMatchObject({ status });
		expect(await json(client.send("GET", `/v3/documents/${id}`))).toMatchObject({ content });
	}
	const { results } = (await json(client.send("POST", "/v3/search", { q: "lamp harbour" }))) as { readonly results: readonly object[] };
	expect(results[0]).toMatchObject({ documentId: file });
});

test("what is not there, or not the key's to write, is refused", async () => {
	expect((await again("nobody")).status).toBe(404);
	const { id } = await json(client.send("POST", "/v3/documents", { content: "A note.", containerTag: "garden" }));
	const made = await json(client.send("POST", "/v3/auth/agent-key", { name: "reader", permission: "read", containerTags: ["garden"] }));
	expect((await server.clientWith(String(made["key"])).send("POST", `/v3/documents/${String(id)}/reprocess`)).status).toBe(403);
});
