/** The npm package `supermemory` as its users have it: only the base URL is changed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Supermemory, { AuthenticationError, BadRequestError, ConflictError, NotFoundError, toFile } from "supermemory";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";

let official: OfficialClient;
let client: Supermemory;
let finished: OfficialClient["finished"];

beforeAll(async () => {
	official = await startOfficialClient();
	({ client, finished } = official);
});
afterAll(() => official.dispose());

describe("documents", () => {
	test("add by both names, get, update, list what is processed, delete", async () => {
		const added = await client.add({
			content: "Ada Lovelace wrote the first program.",
			containerTag: "ada",
			customId: "ada-1",
			metadata: { year: 1843, isTrue: true, tags: ["a", "b"] },
		});
		expect(added).toEqual({ id: expect.any(String), status: "queued" });
		const again = await client.documents.add({ content: "Grace Hopper found a moth in a relay.", containerTags: ["grace", "navy"] });
		expect(await finished(added.id)).toMatchObject({
			id: added.id,
			customId: "ada-1",
			content: "Ada Lovelace wrote the first program.",
			containerTags: ["ada"],
			status: "done",
			type: "text",
			metadata: { year: 1843, isTrue: true, tags: ["a", "b"] },
			createdAt: expect.stringMatching(/Z$/),
		});
		expect(await finished(again.id)).toMatchObject({ containerTags: ["grace", "navy"] });

		expect(await client.documents.update(added.id, { metadata: { year: 1842 } })).toEqual({ id: added.id, status: "done" });
		expect(await client.documents.update("ada-1", {})).toEqual({ id: added.id, status: "done" });
		expect(await client.documents.update("ada-1", { content: "Ada wrote notes on the engine." })).toEqual({ id: added.id, status: "queued" });
		const processing = await client.documents.listProcessing();
		expect(processing).toMatchObject({ documents: expect.any(Array), totalCount: expect.any(Number) });
		expect(await finished(added.id)).toMatchObject({ content: "Ada wrote notes on the engine.", metadata: { year: 1842, isTrue: true } });

		expect(await client.documents.delete("ada-1")).toBeNull();
		expect(await thrownBy(client.documents.get(added.id))).toBeInstanceOf(NotFoundError);
	});

	test("every field of the client's own test is accepted", async () => {
		const everything = {
			content: "content",
			containerTag: "containerTag",
			containerTags: ["string"],
			customId: "customId",
			entityContext: "entityContext",
			filepath: "filepath",
			metadata: { foo: "string" },
			taskType: "memory" as const,
		};
		const { id } = await client.documents.add(everything);
		expect(await finished(id)).toMatchObject({ containerTags: ["containerTag", "string"], filepath: "filepath" });
	});

	test("batch, list and bulk deletion", async () => {
		const { results, failed, success } = await client.documents.batchAdd({
			documents: [{ content: "First of many." }, { content: "" }, { content: "Third of many." }],
			containerTag: "many",
		});
		expect([failed, success, results.map(({ status }) => status)]).toEqual([1, 2, ["queued", "error", "queued"]]);
		const listed = await client.documents.list({ containerTags: ["many"], limit: "10", page: 1 });
		expect(listed).toMatchObject({ memories: [{}, {}], pagination: { currentPage: 1, limit: 10, totalItems: 2, totalPages: 1 } });
		expect(await client.documents.deleteBulk({ containerTags: ["many"] })).toMatchObject({ success: true, deletedCount: 2 });
		expect(await thrownBy(client.documents.deleteBulk({}))).toBeInstanceOf(BadRequestError);
	});
});

describe("uploadFile", () => {
	const text = "Mary Anning found an ichthyosaur in Lyme Regis.";
	const uploads: readonly (readonly [name: string, upload: () => unknown, more?: Record<string, string>, expected?: Record<string, unknown>])[] = [
		[
			"a File without an extension",
			() => new File([text], "report"),
			{ containerTag: "plain" },
			{ containerTags: ["plain"], metadata: { filename: "report", source: "upload" } },
		],
		[
			"a File of a type",
			() => new File([text], "note.txt", { type: "text/plain" }),
			{ containerTags: '["user_123", "project_123"]' },
			{ containerTags: ["user_123", "project_123"] },
		],
		["toFile of bytes", () => toFile(Buffer.from(text), "README.md"), { containerTags: "only_one" }, { containerTags: ["only_one"] }],
		[
			"toFile of bytes without a name",
			() => toFile(Buffer.from(text)),
			{ metadata: '{"author":"Mary","year":1811}' },
			{ metadata: { author: "Mary", year: 1811 } },
		],
		[
			"an fs.ReadStream",
			() => createReadStream(join(official.folder, "stream.txt")),
			{ customId: "stream-1" },
			{ customId: "stream-1", metadata: { filename: "stream.txt" } },
		],
		["a Response", () => new Response(text), { filepath: "/files/mary" }, { filepath: "/files/mary" }],
	];
	for (const [name, upload, more = {}, expected = {}] of uploads) {
		test(name, async () => {
			await writeFile(join(official.folder, "stream.txt"), text);
			const { id, status } = await client.documents.uploadFile({ file: (await upload()) as File, ...more });
			expect(status).toBe("queued");
			expect(await finished(id)).toMatchObject({ status: "done", content: text, ...expected });
		});
	}

	test("every field of the client's own test is accepted", async () => {
		const { id } = await client.documents.uploadFile({
			file: await toFile(Buffer.from("Example data"), "README.md"),
			containerTag: "user",
			containerTags: '["user_123", "project_123"]',
			filepath: "/documents/reports/file.pdf",
			fileType: "image",
			mimeType: "mimeType",
			metadata: '{"category":"test"}',
			taskType: "memory",
			useAdvancedProcessing: "true",
		});
		expect(await finished(id)).toMatchObject({ containerTags: ["user", "user_123", "project_123"], metadata: { category: "test" } });
	});
});

describe("search", () => {
	test("documents and execute find chunks with their scores", async () => {
		const { id } = await client.add({ content: "Rosalind Franklin photographed the structure of DNA.", containerTag: "dna", metadata: { field: "biology" } });
		await finished(id);
		for (const search of [client.search.documents, client.search.execute]) {
			const found = await search.call(client.search, { q: "photographed DNA", containerTag: "dna", includeSummary: true, onlyMatchingChunks: true, limit: 3 });
			expect(found).toMatchObject({
				results: [
					{
						documentId: id,
						score: expect.any(Number),
						chunks: [{ content: expect.stringContaining("DNA"), isRelevant: true }],
						metadata: { field: "biology" },
					},
				],
				timing: expect.any(Number),
				total: 1,
			});
		}
		const filters = { OR: [{ key: "field", value: "Biology", filterType: "metadata", ignoreCase: "true", negate: "false", numericOperator: ">" } as const] };
		expect((await client.search.documents({ q: "DNA", filters })).total).toBe(1);
		expect((await client.search.documents({ q: "DNA", filters: { AND: [{ key: "field", value: "physics" }] } })).total).toBe(0);
		expect(await thrownBy(client.search.documents({ q: "DNA", docId: "docId" }))).toBeInstanceOf(NotFoundError);
	});

	test("memories, and the client's search as a function", async () => {
		const { id } = await client.add({ content: "Niels lives in Copenhagen and plays football.", containerTag: "niels" });
		await finished(id);
		const asked = { q: "where does Niels live?", containerTag: "niels", threshold: 0 } as const;
		for (const found of [await client.search.memories(asked), await client.search(asked)]) {
			expect(found.results[0]).toMatchObject({
				id: expect.any(String),
				memory: expect.stringContaining("Copenhagen"),
				similarity: expect.any(Number),
				version: 1,
			});
		}
		const hybrid = await client.search({
			...asked,
			searchMode: "hybrid",
			include: { documents: true, summaries: true, relatedMemories: true, forgottenMemories: true },
		});
		expect(hybrid.results.every((result) => "memory" in result !== "chunk" in result)).toBe(true);
	});
});

describe("errors", () => {
	test("have the client's class for their status, with our body", async () => {
		const stranger = new Supermemory({ apiKey: "sm_nobody_knows_this_key", baseURL: official.server.address });
		const wrongKey = await thrownBy(stranger.documents.get("x"));
		expect(wrongKey).toBeInstanceOf(AuthenticationError);
		expect(wrongKey).toMatchObject({ status: 401, error: { error: "Unauthorized", details: expect.stringContaining("Invalid or missing API key") } });
		const missing = await thrownBy(client.documents.get("nobody"));
		expect(missing).toBeInstanceOf(NotFoundError);
		expect(missing).toMatchObject({ error: { error: "Document not found", code: "DOCUMENT_MISSING" } });
		expect(await thrownBy(client.add({ content: "" }))).toBeInstanceOf(BadRequestError);
		expect(await thrownBy(client.search({ q: "x", aggregate: true, rerank: true }))).toBeInstanceOf(BadRequestError);
		expect(await thrownBy(client.get("/v3/nowhere"))).toBeInstanceOf(NotFoundError);
	});

	test("a conflict is told at once and not tried again", async () => {
		const { id } = await client.add({ content: "One of two.", customId: "taken" });
		const other = await client.add({ content: "Two of two." });
		official.sent.length = 0;
		expect(await thrownBy(client.documents.update(other.id, { customId: "taken" }))).toBeInstanceOf(ConflictError);
		expect(official.sent).toEqual([`PATCH /v3/documents/${other.id}`]);
		expect(id).not.toBe(other.id);
	});

	test("answers carry a request id, as the client's raw response shows", async () => {
		const { response } = await client.documents.listProcessing().withResponse();
		expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{12}$/);
	});
});
