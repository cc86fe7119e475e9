/** What a key bound to containers once could do beyond them, by names that lead around its stores. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

const theirs = "their-container";

let server: TestServer;
let owner: TestClient;
/** May write to `garden` and read `shed`. */
let gardener: TestClient;

const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;
const asked = async (client: TestClient, method: string, path: string, body: unknown) => {
	const answer = await client.send(method, path, body);
	return [answer.status, ((await answer.json()) as Record<string, unknown>)["code"]];
};
const written = async (containerTag: string, content: string) => {
	const made = await json(owner.send("POST", "/v4/memories", { containerTag, memories: [{ content }] }));
	return (made["memories"] as readonly { readonly id: string }[])[0]?.id ?? "";
};
const forget = async (containerTag: string, id: string) => String((await json(owner.send("DELETE", "/v4/memories", { containerTag, id })))["forgetBatchId"]);

beforeAll(async () => {
	server = await startTestServer();
	owner = await server.client();
	const containerTags = ["garden", { containerTag: "shed", permission: "read" }];
	const made = await json(owner.send("POST", "/v3/auth/agent-key", { name: "gardener", permission: "write", containerTags }));
	gardener = server.clientWith(String(made["key"]));
});
afterAll(() => server.dispose());

test("a conversation named like something inside of a foreign document is not put there", async () => {
	const { id } = await json(owner.send("POST", "/v3/documents", { content: "The minutes of the board.", containerTag: theirs }));
	const listed = async () => (await json(owner.send("POST", "/v3/documents/list", { containerTags: [theirs] })))["pagination"];
	const before = await listed();
	const conversation = { conversationId: `member/${id}/${id}/note`, messages: [{ role: "user", content: "I was here." }], containerTag: "garden" };
	for (const client of [gardener, owner]) expect(await asked(client, "POST", "/v4/conversations", conversation)).toEqual([400, "INPUT_INVALID"]);
	expect(await listed()).toEqual(before);
});

test("what was forgotten elsewhere can still be brought back after the key has tried", async () => {
	for (const containerTag of [theirs, "shed"]) {
		const id = await written(containerTag, `Ottilie lives in ${containerTag}.`);
		const forgetBatchId = await forget(containerTag, id);
		expect(await asked(gardener, "POST", "/v4/memories/restore", { containerTag, forgetBatchId })).toEqual([403, "CONTAINER_FORBIDDEN"]);
		expect(await asked(owner, "POST", "/v4/memories/restore", { containerTag, forgetBatchId })).toEqual([200, undefined]);
	}
});
