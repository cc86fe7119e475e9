/**
 * The calls of the official client's own test suite (4.25.4), each with its very arguments. Upstream they run against a mock
 * that answers 200 to anything; a real server answers 404 for what is not there, and those rows say so.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Supermemory, toFile } from "supermemory";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";

let official: OfficialClient;
let client: Supermemory;

beforeAll(async () => {
	official = await startOfficialClient();
	client = official.client.withOptions({ maxRetries: 0 });
	// What the suite's placeholder ids name, where a client can choose a name.
	await client.add({ content: "A document that the suite calls id.", customId: "id" });
});
afterAll(() => official.dispose());

const metadata = { foo: "string" };
const batchMetadata = { category: "technology", isPublic: true, readingTime: 5, source: "web", tag_1: "ai", tag_2: "machine-learning" };
const filters = {
	OR: [
		{ key: "key", value: "value", filterType: "metadata" as const, ignoreCase: true, negate: true, numericOperator: ">" as const },
		{ key: "key", value: "value", filterType: "metadata" as const, ignoreCase: "true" as const, negate: "true" as const, numericOperator: ">" as const },
	],
};
const memorySearch = {
	q: "machine learning concepts",
	containerTag: "user_123",
	filters,
	include: { chunks: false, documents: true, forgottenMemories: true, relatedMemories: true, summaries: true },
	limit: 10,
	rerank: false,
	rewriteQuery: false,
	searchMode: "memories" as const,
	threshold: 0.5,
};
const documentSearch = {
	q: "machine learning concepts",
	categoriesFilter: ["string"],
	chunkThreshold: 0.5,
	containerTag: "user_123",
	containerTags: ["user_123", "project_123"],
	documentThreshold: 0,
	filepath: "/docs/",
	filters,
	includeFullDocs: false,
	includeSummary: true,
	limit: 10,
	onlyMatchingChunks: true,
	rerank: false,
	rewriteQuery: false,
};
const batchItem = {
	content: "This is a detailed article about machine learning concepts...",
	containerTag: "user_123",
	containerTags: ["user_123", "project_123"],
	customId: "mem_abc123",
	filepath: "/documents/reports/file.pdf",
	metadata: batchMetadata,
	taskType: "memory" as const,
};
const connection = { containerTags: ["user_123", "project_123"] };

/** `200` stands for whatever the client takes for success. */
type Row = readonly [name: string, call: () => PromiseLike<unknown>, status: number];

const rows: readonly Row[] = [
	["add", () => client.add({ content: "content" }), 200],
	[
		"add with all",
		() =>
			client.add({
				content: "content",
				containerTag: "containerTag",
				containerTags: ["string"],
				customId: "customId",
				entityContext: "entityContext",
				filepath: "filepath",
				metadata,
				taskType: "memory",
			}),
		200,
	],
	["documents.add", () => client.documents.add({ content: "content" }), 200],
	["documents.update", () => client.documents.update("id", {}), 200],
	["documents.list", () => client.documents.list({}), 200],
	["documents.get", () => client.documents.get("id"), 200],
	["documents.listProcessing", () => client.documents.listProcessing(), 200],
	["documents.batchAdd", () => client.documents.batchAdd({ documents: [{ content: batchItem.content }] }), 200],
	["documents.batchAdd with all", () => client.documents.batchAdd({ documents: [batchItem], ...batchItem, content: null } as never), 200],
	["documents.deleteBulk of nothing", () => client.documents.deleteBulk({}), 400],
	["documents.uploadFile", async () => client.documents.uploadFile({ file: await toFile(Buffer.from("Example data"), "README.md") }), 200],
	[
		"documents.uploadFile with all",
		async () =>
			client.documents.uploadFile({
				file: await toFile(Buffer.from("Example data"), "README.md"),
				containerTag: "user",
				containerTags: '["user_123", "project_123"]',
				filepath: "/documents/reports/file.pdf",
				fileType: "image",
				mimeType: "mimeType",
				metadata: JSON.stringify(batchMetadata),
				taskType: "memory",
				useAdvancedProcessing: "true",
			}),
		200,
	],
	["memories.forget of nothing", () => client.memories.forget({ containerTag: "user_123" }), 400],
	[
		"memories.forget of what is not there",
		() => client.memories.forget({ containerTag: "user_123", id: "mem_abc123", content: "John prefers dark mode", reason: "reason" }),
		404,
	],
	["memories.updateMemory of nothing", () => client.memories.updateMemory({ containerTag: "user_123", newContent: "John now prefers light mode" }), 400],
	[
		"memories.updateMemory of what is not there",
		() =>
			client.memories.updateMemory({
				containerTag: "user_123",
				newContent: "John now prefers light mode",
				id: "mem_abc123",
				content: "John prefers dark mode",
				forgetAfter: "2026-06-01T00:00:00Z",
				forgetReason: "temporary project deadline",
				metadata,
			}),
		404,
	],
	["search", () => client.search({ q: "machine learning concepts" }), 200],
	["search with all", () => client.search(memorySearch), 200],
	["search.memories", () => client.search.memories({ q: "machine learning concepts" }), 200],
	["search.memories with all", () => client.search.memories(memorySearch), 200],
	["search.documents", () => client.search.documents({ q: "machine learning concepts" }), 200],
	["search.documents with all", () => client.search.documents(documentSearch), 200],
	["search.documents in a document that is not there", () => client.search.documents({ ...documentSearch, docId: "docId" }), 404],
	["search.execute", () => client.search.execute({ q: "machine learning concepts" }), 200],
	["search.execute with all", () => client.search.execute(documentSearch), 200],
	["profile", () => client.profile({ containerTag: "containerTag" }), 200],
	["profile with all", () => client.profile({ containerTag: "containerTag", filters, q: "q", threshold: 0 } as never), 200],
	["settings.update", () => client.settings.update({}), 200],
	["settings.get", () => client.settings.get(), 200],
	["connections.list", () => client.connections.list({}), 200],
	["connections.import", () => client.connections.import("notion", {}), 200],
	["connections.listDocuments", () => client.connections.listDocuments("notion", {}), 200],
	["connections.create of a provider without a connector", () => client.connections.create("gmail", {}), 501],
	["connections.create without what the provider needs", () => client.connections.create("notion", {}), 400],
	["connections.configure of what is not there", () => client.connections.configure("connectionId", { resources: [{ foo: "bar" }] }), 404],
	["connections.getByID of what is not there", () => client.connections.getByID("connectionId"), 404],
	["connections.getByTag of what is not there", () => client.connections.getByTag("notion", connection), 404],
	["connections.deleteByProvider of what is not there", () => client.connections.deleteByProvider("notion", connection), 404],
	["connections.deleteByID at an unknown path", () => client.get("/_stainless_unknown_path"), 404],
	["connections.resources of what is not there", () => client.connections.resources("connectionId"), 404],
	["documents.delete", () => client.documents.delete("id"), 200],
	["documents.delete again", () => client.documents.delete("id"), 404],
];

describe("the client's own suite", () => {
	for (const [name, call, status] of rows) {
		test(`${name} → ${status}`, async () => {
			const answer = await thrownBy(call());
			if (status === 200) expect(answer).not.toBeInstanceOf(Error);
			else expect(answer).toMatchObject({ status, error: { error: expect.any(String), details: expect.any(String) } });
		});
	}
});

test("promises answer with the data, the response, or both", async () => {
	const promise = client.documents.listProcessing();
	const raw = await promise.asResponse();
	expect(raw).toBeInstanceOf(Response);
	const both = await promise.withResponse();
	expect(both.response).toBe(raw);
	expect(both.data).toEqual(await promise);
});
