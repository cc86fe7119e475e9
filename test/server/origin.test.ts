/** What a client says of itself in `x-sm-source` is kept with all it adds, and its own metadata come first. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { originOf } from "../../server/wire/requests/fields.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(() => server.dispose());

const headers = { "x-sm-source": " claude-code " };
const metadataOf = async (id: unknown) => ((await (await client.send("GET", `/v3/documents/${id}`)).json()) as { readonly metadata: unknown }).metadata;
const send = async (path: string, body: unknown) => (await (await client.send("POST", path, body, { headers })).json()) as Record<string, unknown>;

test("an added document, a batch, a conversation and a file carry it", async () => {
	expect(await metadataOf((await send("/v3/documents", { content: "One." }))["id"])).toEqual({ sm_source: "claude-code" });
	const batch = await send("/v3/documents/batch", { documents: [{ content: "Two.", metadata: { n: 2 } }], metadata: { n: 1 } });
	expect(await metadataOf((batch["results"] as { readonly id: string }[])[0]?.id)).toEqual({ sm_source: "claude-code", n: 2 });
	const conversation = await send("/v4/conversations", { conversationId: "c1", messages: [{ role: "user", content: "Three." }] });
	expect(await metadataOf(conversation["id"])).toMatchObject({ sm_source: "claude-code" });
	const form = new FormData();
	form.append("file", new File(["Four."], "four.txt"));
	const uploaded = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form, headers })).json()) as { readonly id: string };
	expect(await metadataOf(uploaded.id)).toMatchObject({ sm_source: "claude-code", source: "upload", filename: "four.txt" });
});

test("what the metadata say comes first, and is a filter like any other", async () => {
	const { id } = await send("/v3/documents", { content: "Five.", metadata: { sm_source: "cli" } });
	expect(await metadataOf(id)).toEqual({ sm_source: "cli" });
	const listed = await send("/v3/documents/list", { filters: JSON.stringify({ AND: [{ key: "sm_source", value: "cli" }] }) });
	expect((listed["memories"] as { readonly id: string }[]).map((one) => one.id)).toEqual([id] as string[]);
});

test("an empty label is none, and a long one is cut", () => {
	expect(originOf(new Headers({ "x-sm-source": "  " }))).toEqual({});
	expect(originOf(new Headers())).toEqual({});
	expect(originOf(new Headers({ "x-sm-source": "a".repeat(9_000) }))).toEqual({ sm_source: "a".repeat(255) });
});
