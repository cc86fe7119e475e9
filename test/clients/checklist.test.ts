/** The acceptance checklist for a server of the Supermemory API, row by row, through the official client: its methods, and its generic calls where it has none. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Supermemory, { AuthenticationError, BadRequestError, ConflictError, NotFoundError, toFile } from "supermemory";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";
import { until } from "../doubles/until.ts";

type Answer = Readonly<Record<string, unknown>>;

let official: OfficialClient;
let client: Supermemory;
let finished: OfficialClient["finished"];

beforeAll(async () => {
	official = await startOfficialClient();
	({ client, finished } = official);
});
afterAll(() => official.dispose());

async function read(id: string): Promise<Answer> {
	return { ...(await client.documents.get(id)) };
}

async function added(content: string, more: Partial<Supermemory.AddParams> = {}): Promise<string> {
	const { id } = await client.add({ content, ...more });
	await finished(id);
	return id;
}

const sentence = "Caroline Herschel discovered eight comets from her garden in Slough.";

test("1: add, get at once, poll to done; both spellings are there, memories later", async () => {
	const { id } = await client.add({ content: sentence, containerTag: "one" });
	expect(await read(id)).toMatchObject({ id, containerTags: ["one"], container_tags: ["one"], createdAt: expect.any(String), created_at: expect.any(String) });
	await finished(id);
	const { results } = await client.search.memories({ q: "Who discovered comets?", containerTag: "one", threshold: 0 });
	expect(results[0]?.memory).toContain("comets");
});

test("2: a customId is one document; new content is processed, new metadata is not", async () => {
	const first = await client.add({ content: sentence, customId: "two" });
	const second = await client.add({ content: `${sentence} She also catalogued nebulae.`, customId: "two" });
	expect(second.id).toBe(first.id);
	await finished(first.id);
	expect(await client.documents.update(first.id, { content: "She was paid by the king." })).toEqual({ id: first.id, status: "queued" });
	await finished(first.id);
	expect(await client.documents.update(first.id, { metadata: { checked: true } })).toEqual({ id: first.id, status: "done" });
	expect(await read(first.id)).toMatchObject({ content: "She was paid by the king.", metadata: { checked: true } });
});

test("3: a batch takes what is good and names what is not; 601 items are too many; it is listed and deleted as one", async () => {
	const documents = [{ content: "Good." }, { content: "", customId: "bad" }];
	const { results, failed, success } = await client.documents.batchAdd({ documents, containerTag: "three" });
	expect([failed, success, results[0]?.status, results[1]?.status, results[1]?.id]).toEqual([1, 1, "queued", "error", ""]);
	const tooMany = Array.from({ length: 601 }, (_, i) => ({ content: `Item ${i}.` }));
	expect(await thrownBy(client.documents.batchAdd({ documents: tooMany }))).toBeInstanceOf(BadRequestError);
	const listed = await client.documents.list({ containerTags: ["three"], limit: "10", page: 1 });
	expect(listed).toMatchObject({ memories: [{}], pagination: { currentPage: 1, limit: 10, totalItems: 1, totalPages: 1 } });
	expect(await client.documents.deleteBulk({ containerTags: ["three"] })).toMatchObject({ success: true, deletedCount: 1 });
});

describe("4: uploads of every kind the client knows, tags in both forms of text", () => {
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
});

test("5: delete by id and by customId answers 204 without a body; then it is nowhere", async () => {
	for (const name of ["id", "customId"] as const) {
		const id = await added(`${sentence} (${name})`, { customId: `five-${name}`, containerTag: "five-deleted" });
		const response = await client.documents.delete(name === "id" ? id : `five-${name}`).asResponse();
		expect([response.status, await response.text()]).toEqual([204, ""]);
		expect(await thrownBy(client.documents.get(id))).toBeInstanceOf(NotFoundError);
	}
	expect(await client.search.documents({ q: sentence, containerTag: "five-deleted" })).toMatchObject({ results: [], total: 0 });
	expect(await client.search.memories({ q: sentence, containerTag: "five-deleted", threshold: 0 })).toMatchObject({ results: [], total: 0 });
});

test("6: document search by GET and POST, filters as text, both spellings of tags, context on and off", async () => {
	const long = ["Comets are made of ice.", sentence, "Slough lies west of London."].map((text) => `## Part\n\n${text.repeat(20)}`).join("\n\n");
	await added(long, { containerTag: "six", metadata: { field: "astronomy" } });
	const filters = JSON.stringify({ AND: [{ key: "field", value: "astronomy" }] });
	for (const query of [
		{ q: "comets", containerTag: "six", filters },
		{ q: "comets", containerTags: '["six"]', filters },
	]) {
		const got: Answer = await client.get("/v3/search", { query });
		const posted: Answer = await client.post("/v3/search", { body: { ...query, containerTags: ["six"] } });
		for (const answer of [got, posted]) expect(answer).toMatchObject({ total: 1, timing: expect.any(Number), results: [{ metadata: { field: "astronomy" } }] });
	}
	const chunksOf = async (onlyMatchingChunks: boolean) =>
		(await client.search.documents({ q: "Slough comets Herschel", containerTag: "six", onlyMatchingChunks })).results[0]?.chunks ?? [];
	expect((await chunksOf(true)).every(({ isRelevant }) => isRelevant)).toBe(true);
	expect((await chunksOf(false)).length).toBeGreaterThanOrEqual((await chunksOf(true)).length);
});

test("7: memory search in every mode; context only where it is asked for", async () => {
	await added(sentence, { containerTag: "seven" });
	const asked = { q: "discovered comets", containerTag: "seven", threshold: 0 };
	const plain: { results: Answer[] } = await client.post("/v4/search", { body: asked });
	expect(plain.results[0]).toMatchObject({ memory: expect.any(String), context: expect.any(Object), documents: expect.any(Array) });
	for (const searchMode of ["memories", "hybrid", "documents"] as const) {
		const { results }: { results: Answer[] } = await client.post("/v4/search", { body: { ...asked, searchMode } });
		expect(results.length, searchMode).toBeGreaterThan(0);
		for (const result of results) {
			expect(typeof result["context"], searchMode).not.toBe("object");
			expect("memory" in result !== "chunk" in result).toBe(true);
		}
	}
	const included = await client.search.memories({ ...asked, searchMode: "memories", include: { documents: true, summaries: true, relatedMemories: true } });
	expect(included.results[0]).toMatchObject({ documents: [{ id: expect.any(String), updatedAt: expect.any(String) }] });
});

test("8: a memory is written, listed, changed, forgotten once, and found again only when asked for", async () => {
	const containerTag = "eight";
	const response = await client
		.post("/v4/memories", { body: { containerTag, memories: [{ content: "John prefers dark mode", isStatic: true }] } })
		.asResponse();
	expect(response.status).toBe(201);
	const updated = await client.memories.updateMemory({ containerTag, content: "John prefers dark mode", newContent: "John prefers light mode" });
	expect(updated).toMatchObject({ version: 2, memory: "John prefers light mode" });
	const listed: { memoryEntries: Answer[] } = await client.post("/v4/memories/list", { body: { containerTags: [containerTag] } });
	expect(listed.memoryEntries).toMatchObject([{ id: updated.id, version: 2, isLatest: true, history: [{ version: 1, memory: "John prefers dark mode" }] }]);
	expect(await client.memories.forget({ containerTag, id: updated.id })).toMatchObject({ id: updated.id, forgotten: true });
	expect(await thrownBy(client.memories.forget({ containerTag, id: updated.id }))).toBeInstanceOf(ConflictError);
	const asked = { q: "John prefers light mode", containerTag, threshold: 0 };
	const seen = async (forgottenMemories: boolean) =>
		(await client.search.memories({ ...asked, searchMode: "memories", include: { forgottenMemories } })).results.some(({ id }) => id === updated.id);
	expect([await seen(false), await seen(true)]).toEqual([false, true]);
});

test("9: the profile of an unknown container is empty, and holds what is included", async () => {
	expect(await client.profile({ containerTag: "nobody-yet" })).toMatchObject({ profile: { static: [], dynamic: [] } });
	const some: { profile: Answer } = await client.post("/v4/profile", { body: { containerTag: "nobody-yet", include: ["static"] } });
	expect(Object.keys(some.profile)).toEqual(["static"]);
});

test("10: a growing conversation is one document; pictures in both spellings", async () => {
	const history: Answer[] = [];
	const ids = new Set<unknown>();
	for (const part of [
		{ type: "text", text: "My name is Caroline and I live in Slough." },
		{ type: "image_url", imageUrl: { url: "https://example.com/comet.png" } },
		{ type: "image_url", image_url: { url: "https://example.com/nebula.png" } },
	]) {
		history.push({ role: "user", content: [part] }, { role: "assistant", content: "Noted." });
		const answer: Answer = await client.post("/v4/conversations", { body: { conversationId: "talk-10", messages: history, containerTags: ["ten"] } });
		expect(answer).toMatchObject({ conversationId: "talk-10" });
		ids.add(answer["id"]);
		await finished(String(answer["id"]));
	}
	expect(ids.size).toBe(1);
});

test("11: PATCH makes a container, a merge is accepted and ends, deleting counts", async () => {
	expect(await client.patch<Answer>("/v3/container-tags/eleven-a", { body: { name: "Eleven" } })).toMatchObject({ name: "Eleven", profileBuckets: [] });
	await added(sentence, { containerTag: "eleven-a" });
	await added("Slough lies in Berkshire.", { containerTag: "eleven-b" });
	const response = await client
		.post("/v3/container-tags/merge", { body: { containerTags: ["eleven-a", "eleven-b"], targetContainerTag: "eleven-b" } })
		.asResponse();
	const merge: Answer = (await response.json()) as Answer;
	expect([response.status, merge["sourceTags"]]).toEqual([202, ["eleven-a"]]);
	await until(async () => (await client.get<Answer>(`/v3/container-tags/merge/${merge["mergeId"]}`))["status"] === "done");
	expect(await client.delete<Answer>("/v3/container-tags/eleven-b")).toMatchObject({ success: true, deletedDocumentsCount: 2 });
	expect(await thrownBy(client.get("/v3/container-tags/eleven-b"))).toBeInstanceOf(NotFoundError);
});

test("12: an import answers in plain text; an unknown provider is told", async () => {
	const response = await client.connections.import("notion", {}).asResponse();
	expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([202, "text/plain"]);
	for (const call of [
		() => client.connections.create("carrier-pigeon" as never, {}),
		() => client.connections.listDocuments("carrier-pigeon" as never, {}),
		() => client.connections.getByTag("carrier-pigeon" as never, { containerTags: ["twelve"] }),
	]) {
		const thrown = (await thrownBy(call())) as { readonly status?: number };
		expect([400, 404]).toContain(thrown.status ?? 0);
	}
});

test("13: 401 without a key, JSON for a route that is not there, and no second try after a 409", async () => {
	const stranger = new Supermemory({ apiKey: "", baseURL: official.server.address, maxRetries: 0 });
	expect(await thrownBy(stranger.documents.listProcessing())).toBeInstanceOf(AuthenticationError);
	expect(await thrownBy(client.get("/v3/docments/list"))).toMatchObject({ status: 404, error: { error: expect.any(String), details: expect.any(String) } });
	await client.add({ content: "First.", customId: "thirteen" });
	const { id } = await client.add({ content: "Second." });
	official.sent.length = 0;
	const conflict = (await thrownBy(client.documents.update(id, { customId: "thirteen" }))) as { readonly status: number; readonly headers: Headers };
	expect([conflict.status, conflict.headers.get("x-should-retry")]).toEqual([409, "false"]);
	expect(official.sent).toEqual([`PATCH /v3/documents/${id}`]);
});
