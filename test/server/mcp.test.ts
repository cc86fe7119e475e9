/** `/mcp` through the official client: what the tools answer, whom they act for, and what they refuse. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
const open: Client[] = [];
beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
});
afterAll(async () => {
	await Promise.all(open.map((each) => each.close()));
	await server.dispose();
});

async function connect(key: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
	const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
		requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
		fetch: async (url, init) => server.app.handle(new Request(url, init)),
	});
	const connected = new Client({ name: "test", version: "1" });
	await connected.connect(transport);
	open.push(connected);
	return connected;
}

interface Called {
	readonly isError?: boolean;
	readonly content: readonly { readonly text: string }[];
	readonly structuredContent?: Readonly<Record<string, unknown>>;
}

async function call(mcp: Client, name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Called> {
	return (await mcp.callTool({ name, arguments: input })) as unknown as Called;
}

async function keyFor(containerTag: string, permission: string): Promise<string> {
	const body = { name: "scoped", containerTags: [{ containerTag, permission }] };
	const answer = await client.send("POST", "/v3/auth/scoped-key", body);
	const made = (await answer.json()) as { key: string };
	expect(answer.status).toBe(200);
	return made.key;
}

async function save(mcp: Client, content: string, containerTag?: string): Promise<string> {
	const { structuredContent, isError } = await call(mcp, "add_memory", { content, ...(containerTag === undefined ? {} : { containerTag }) });
	expect(isError).toBeUndefined();
	const id = String(structuredContent?.["id"]);
	await client.finished(id);
	return id;
}

test("tools say truly whether they read or write", async () => {
	const { tools } = await (await connect(client.key)).listTools();
	const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
	expect(writing.map(({ name }) => name)).toEqual(["add_memory"]);
	expect(tools.map(({ name }) => name).toSorted()).toEqual(
		["add_memory", "getDocument", "get_profile", "listDocuments", "listMemories", "listSpaces", "search_documents", "search_memory", "whoAmI"].toSorted(),
	);
	expect(tools.every(({ annotations, outputSchema }) => annotations?.openWorldHint === false && outputSchema !== undefined)).toBe(true);
});

test("a passage is shown below the headings above it", async () => {
	const mcp = await connect(client.key, { "x-sm-project": "canal" });
	const form = new FormData();
	form.append("file", new File(["# The canal\n\nIt has sixty locks.\n\n## Locks\n\nThe last of them was built by masons from Lindau."], "canal.md"));
	form.append("containerTag", "canal");
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
	expect((await client.finished(id))["status"]).toBe("done");
	const found = await call(mcp, "search_documents", { query: "who built the last of the locks" });
	expect(found.content[0]?.text).toContain("The canal › Locks\n## Locks\n\nThe last of them");
	const strange = await call(mcp, "search_documents", { query: "capital of Peru" });
	expect(strange.content[0]?.text).toStartWith("Nothing seems to answer this. The nearest is:\n\n## ");
}, 60_000);

test("what is saved is found, listed, read and forgotten", async () => {
	const mcp = await connect(client.key, { "x-sm-project": "agent" });
	const id = await save(mcp, "Ada: I moved to Lisbon and I work as a harbour pilot.");
	const found = await call(mcp, "search_memory", { query: "harbour pilot" });
	expect(found.content[0]?.text).toContain("harbour pilot");
	expect(found.structuredContent).toMatchObject({ query: "harbour pilot", containerTag: "agent" });
	const documents = await call(mcp, "search_documents", { query: "harbour pilot" });
	expect(documents.structuredContent).toMatchObject({ total: 1, results: [{ documentId: id }] });
	const listed = await call(mcp, "listDocuments");
	expect(listed.structuredContent).toMatchObject({ documents: [{ id, status: "done" }], pagination: { totalItems: 1 } });
	const read = await call(mcp, "getDocument", { documentId: id });
	expect(read.structuredContent).toMatchObject({ document: { id, contentTruncated: false } });
	expect(read.content[0]?.text).toContain("I moved to Lisbon");
	const { memoryEntries } = (await call(mcp, "listMemories")).structuredContent as { memoryEntries: readonly { readonly memory: string }[] };
	const [first] = memoryEntries;
	expect(first).toBeDefined();
	const forgotten = await call(mcp, "add_memory", { action: "forget", content: first?.memory ?? "" });
	expect(forgotten.structuredContent).toMatchObject({ action: "forget", success: true });
	const left = (await call(mcp, "listMemories")).structuredContent as { memoryEntries: readonly { readonly memory: string }[] };
	expect(left.memoryEntries.map(({ memory }) => memory)).not.toContain(first?.memory);
});

test("a page of memories is full, and the total right, also when newer ones were forgotten", async () => {
	const mcp = await connect(client.key, { "x-sm-project": "pages" });
	const memories = ["Ada keeps bees.", "Ben keeps hens.", "Cleo keeps goats."].map((content) => ({ content }));
	const written = (await (await client.send("POST", "/v4/memories", { containerTag: "pages", memories })).json()) as { memories: readonly { id: string }[] };
	for (const { id } of written.memories.slice(1)) await client.send("DELETE", "/v4/memories", { containerTag: "pages", id });
	const listed = await call(mcp, "listMemories", { limit: 1 });
	expect(listed.structuredContent).toMatchObject({ memoryEntries: [{ id: written.memories[0]?.id }], pagination: { totalItems: 1, totalPages: 1 } });
});

test("to forget what nothing says is no failure", async () => {
	const mcp = await connect(client.key, { "x-sm-project": "empty" });
	const answer = await call(mcp, "add_memory", { action: "forget", content: "A thing that was never said." });
	expect(answer).toMatchObject({ structuredContent: { success: false } });
	expect(answer.isError).toBeUndefined();
});

test("the profile comes as a tool, a resource and a prompt", async () => {
	const mcp = await connect(client.key, { "x-sm-project": "profile" });
	await save(mcp, "Bo: My name is Bo. I live in Ghent.");
	const { profile } = (await call(mcp, "get_profile")).structuredContent as { profile: { static: readonly string[]; dynamic: readonly string[] } };
	const facts = [...profile.static, ...profile.dynamic];
	expect(facts.join(" ")).toContain("Ghent");
	const resource = await mcp.readResource({ uri: "supermemory://profile" });
	expect(JSON.stringify(resource.contents)).toContain("Ghent");
	const prompt = await mcp.getPrompt({ name: "context", arguments: {} });
	expect(JSON.stringify(prompt.messages)).toContain("Ghent");
	const { resources } = await mcp.listResources();
	const document = resources.find(({ uri }) => uri.startsWith("supermemory://documents/"));
	expect(JSON.stringify((await mcp.readResource({ uri: document?.uri ?? "" })).contents)).toContain("Ghent");
	expect(JSON.stringify((await mcp.readResource({ uri: "supermemory://spaces" })).contents)).toContain("profile");
});

test("a tool may do what its key may do", async () => {
	await save(await connect(client.key), "Cy: I keep bees.", "bees");
	await save(await connect(client.key), "Cy: I keep hens.", "hens");
	const reader = await connect(await keyFor("bees", "read"));
	expect((await call(reader, "search_memory", { query: "keep", containerTag: "bees" })).isError).toBeUndefined();
	const foreign = await call(reader, "search_memory", { query: "keep", containerTag: "hens" });
	expect(foreign.isError).toBe(true);
	expect(JSON.stringify(foreign)).not.toContain("hens.");
	expect((await call(reader, "add_memory", { content: "Cy: I sold the bees.", containerTag: "bees" })).isError).toBe(true);
	const listed = await call(reader, "listSpaces");
	expect(listed.content[0]?.text).toMatch(/^- bees: 1 document, \d+ memor(y|ies)$/);
	const { spaces } = listed.structuredContent as { spaces: readonly { readonly containerTag: string }[] };
	expect(spaces.map(({ containerTag }) => containerTag)).toEqual(["bees"]);
	expect((await call(reader, "whoAmI")).structuredContent).toMatchObject({ assignedSpaces: [{ containerTag: "bees", permission: "read" }] });
	const stranger = await server.client();
	const other = await connect(stranger.key);
	expect((await call(other, "listDocuments")).structuredContent).toMatchObject({ documents: [] });
});

test("hostile arguments are answered, and reach nothing else", async () => {
	const mcp = await connect(client.key);
	const attempts: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
		["getDocument", { documentId: "../v3/auth/keys" }],
		["getDocument", { documentId: "x?include=all#/../../health" }],
		["getDocument", { documentId: "\u0000" }],
		["search_memory", { query: "x".repeat(1_001) }],
		["search_memory", { query: 7 }],
		["search_memory", { query: "a", containerTag: "a/../b" }],
		["add_memory", { content: "" }],
		["add_memory", { content: "a", action: "erase" }],
		["listDocuments", { page: -1 }],
		["listDocuments", { limit: 1e9 }],
	];
	for (const [name, input] of attempts) expect([name, input, (await call(mcp, name, input)).isError]).toEqual([name, input, true]);
	for (const documentId of [".", ".."]) expect((await call(mcp, "getDocument", { documentId })).content[0]?.text).toBe("Error: an id is not . or ..");
	expect((await call(mcp, "search_memory", { query: "'; DROP TABLE documents; --" })).isError).toBeUndefined();
	expect((await call(mcp, "search_memory", { query: "still here?" })).isError).toBeUndefined();
});

test("a document that is not there is refused with the protocol's code", async () => {
	const mcp = await connect(client.key);
	const read = (id: string) =>
		mcp.readResource({ uri: `supermemory://documents/${id}` }).then(
			() => null,
			(thrown: { readonly code?: number }) => thrown.code,
		);
	expect([await read("nowhere"), await read("1pAWNVbMu5jWi1zZ83xwuM")]).toEqual([-32_002, -32_002]);
});

test("requests that are none of the protocol are refused in its words", async () => {
	const headers = { authorization: `Bearer ${client.key}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
	const post = (body: string, more: Readonly<Record<string, string>> = {}) =>
		server.app.handle(new Request("http://localhost/mcp", { method: "POST", body, headers: { ...headers, ...more } }));
	const malformed = await post("{bad");
	expect([malformed.status, await malformed.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
	const many = JSON.stringify(Array.from({ length: 21 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })));
	expect((await post(many)).status).toBe(400);
	expect((await post("{}", { authorization: "Bearer sm_wrong_wrong_wrong" })).status).toBe(401);
	const got = await server.app.handle(new Request("http://localhost/mcp", { headers }));
	expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
});
