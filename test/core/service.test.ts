/** The whole core over the RAM storage: what goes in is found, changes replace, deletes stay deleted, failures say why. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { asId, fail, type OrganisationId } from "cairn-memory";
import { type Caller, type DocumentId, wholeOrganisation } from "cairn-memory/stores";
import type { AddRequest } from "../../core/ingest/receive.ts";
import type { Parts } from "../../core/parts.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import type { DocumentQuery } from "../../core/search/search-documents.ts";
import { createService, runWorker, type Service } from "../../core/service.ts";
import { createTestParts, linesExtractor } from "../doubles/parts.ts";
import { createTestWorld, settle, type TestWorld } from "../doubles/world.ts";

const us: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };
const them: Caller = { organisation: asId<OrganisationId>("2222222222222222222222"), role: "admin", grants: null };
const forever = new AbortController().signal;

let world: TestWorld;
let parts: Parts;
let service: Service;
let stopping: AbortController;
let working: Promise<void>;

function begin(overrides: Partial<Parts> = {}): void {
	world = createTestWorld();
	parts = createTestParts(world, overrides);
	const notifier = createNotifier();
	service = createService(parts, notifier);
	stopping = new AbortController();
	working = runWorker(parts, "test", 4, notifier, stopping.signal);
}

beforeEach(() => begin());
afterEach(async () => {
	stopping.abort();
	await working;
});

function request(text: string, overrides: Partial<AddRequest> = {}): AddRequest {
	return {
		content: { kind: "text", text, mediaType: "text/plain" },
		customId: null,
		containerTags: ["home"],
		metadata: {},
		filepath: null,
		taskType: "memory",
		dreaming: "instant",
		...overrides,
	};
}

async function addDone(text: string, overrides: Partial<AddRequest> = {}) {
	const { id } = await service.add(us, request(text, overrides));
	await settle();
	return service.get(us, id);
}

function query(words: string, overrides: Partial<DocumentQuery> = {}): DocumentQuery {
	return {
		query: words,
		scope: wholeOrganisation,
		limit: 10,
		chunkThreshold: 0,
		documentThreshold: 0,
		onlyMatchingChunks: false,
		rerank: false,
		rewriteQuery: false,
		...overrides,
	};
}

const found = async (words: string, overrides: Partial<DocumentQuery> = {}) => service.searchDocuments(us, query(words, overrides), forever);
const memories = async (words: string, overrides = {}) =>
	service.searchMemories(
		us,
		{
			query: words,
			scope: wholeOrganisation,
			mode: "memories",
			limit: 10,
			threshold: 0,
			rerank: false,
			rewriteQuery: false,
			includeForgotten: false,
			includeRelatives: true,
			includeChunks: true,
			...overrides,
		},
		forever,
	);

describe("the way of a document", () => {
	test("ends done and is found, best first, with its neighbours as context", async () => {
		const document = await addDone("the heron stands in the reeds\nthe glacier moves\nquartz is hard");
		expect(document).toMatchObject({ status: "done", dreamingStatus: "done", publishedRevision: 1, failure: null });
		const [best] = await found("glacier");
		expect(best?.chunks.map(({ chunk, isRelevant }) => [chunk.position, isRelevant])).toEqual([
			[1, true],
			[0, false],
			[2, false],
		]);
		const [strict] = await found("glacier moves", { chunkThreshold: 0.6 });
		expect(strict?.chunks.filter(({ isRelevant }) => isRelevant).map(({ chunk }) => chunk.text)).toEqual(["the glacier moves"]);
		expect(strict?.chunks.filter(({ isRelevant }) => !isRelevant).map(({ chunk }) => chunk.position)).toEqual([0, 2]);
		const [only] = await found("glacier moves", { chunkThreshold: 0.6, onlyMatchingChunks: true });
		expect(only?.chunks).toHaveLength(1);
	});

	test("an update keeps the old text searchable until the new is ready", async () => {
		const gate = Promise.withResolvers<void>();
		let isHeld = false;
		stopping.abort();
		await working;
		begin({
			extractors: [
				{
					...linesExtractor,
					extract: async (source, step) => {
						if (isHeld) await gate.promise;
						return linesExtractor.extract(source, step);
					},
				},
			],
		});
		const { id } = await addDone("old harbour");
		isHeld = true;
		await service.revise(us, id, { content: { kind: "text", text: "new lighthouse", mediaType: "text/plain" } });
		await settle();
		expect((await service.get(us, id)).status).toBe("extracting");
		expect(await found("harbour", { chunkThreshold: 0.6 })).toHaveLength(1);
		gate.resolve();
		await settle();
		expect((await service.get(us, id)).status).toBe("done");
		expect(await found("harbour", { chunkThreshold: 0.6 })).toHaveLength(0);
		expect(await found("lighthouse", { chunkThreshold: 0.6 })).toHaveLength(1);
	});

	test("a delete while it is processed brings nothing back", async () => {
		const gate = Promise.withResolvers<void>();
		stopping.abort();
		await working;
		begin({
			extractors: [
				{
					...linesExtractor,
					extract: async (source, step) => {
						await gate.promise;
						return linesExtractor.extract(source, step);
					},
				},
			],
		});
		const { id } = await service.add(us, request("vanishing point"));
		await settle();
		await service.remove(us, id);
		gate.resolve();
		await settle();
		await expect(service.get(us, id)).rejects.toMatchObject({ code: "DOCUMENT_MISSING" });
		expect(await found("vanishing")).toHaveLength(0);
		expect(await parts.storage.jobs.depth()).toEqual({ waiting: 0, leased: 0 });
	});

	test("what cannot be read ends failed with code, stage and hint, and the rest goes on", async () => {
		const bad = await addDone("UNREADABLE");
		const good = await addDone("readable");
		expect(bad).toMatchObject({ status: "failed", failure: { code: "FILE_BROKEN", stage: "extracting", retryAt: null } });
		expect(bad.failure?.hint).not.toBeNull();
		expect(good.status).toBe("done");
	});

	test("a passing fault is tried again later, and five times in all", async () => {
		let tries = 0;
		stopping.abort();
		await working;
		begin({
			extractors: [
				{
					...linesExtractor,
					extract: async () => {
						tries++;
						throw fail("ADDRESS_FAILED", "x", "no answer");
					},
				},
			],
		});
		const { id } = await service.add(us, request("later"));
		await settle();
		const waiting = await service.get(us, id);
		expect(waiting).toMatchObject({ status: "queued", failure: { code: "ADDRESS_FAILED" } });
		expect(waiting.failure?.retryAt?.getTime()).toBeGreaterThan(world.now().getTime());
		for (let i = 0; i < 300; i++) {
			world.advance(1_000);
			await settle(4);
		}
		expect(tries).toBe(5);
		expect(await service.get(us, id)).toMatchObject({ status: "failed", failure: { code: "ADDRESS_FAILED", retryAt: null } });
	});

	test("a plugin that throws something odd fails its stage only", async () => {
		stopping.abort();
		await working;
		begin({
			chunkers: [
				{
					name: "odd",
					accepts: ["*/*"],
					chunk: async () => {
						throw new TypeError("undefined is not a function");
					},
				},
			],
		});
		const document = await addDone("text");
		expect(document).toMatchObject({ status: "failed", failure: { code: "STAGE_FAILED", stage: "chunking" } });
		expect(document.failure?.message).not.toContain("undefined");
	});

	test("a vector of the wrong length is refused before it reaches an index", async () => {
		stopping.abort();
		await working;
		const { embedder } = createTestParts(world);
		begin({ embedder: { ...embedder, embed: async (texts) => texts.map(() => new Float32Array(3).fill(1)) } });
		expect(await addDone("text")).toMatchObject({ status: "failed", failure: { code: "EMBEDDING_MALFORMED", stage: "embedding" } });
	});
});

describe("adding again", () => {
	test("under a known customId changes that document; the same content runs nothing", async () => {
		const first = await addDone("alpha", { customId: "a", metadata: { x: 1, y: 1 } });
		const same = await addDone("alpha", { customId: "a", metadata: { y: 2 } });
		expect(same).toMatchObject({ id: first.id, revision: 1, status: "done", metadata: { x: 1, y: 2 } });
		const other = await addDone("omega", { customId: "a" });
		expect(other).toMatchObject({ id: first.id, revision: 2, status: "done" });
		expect(await found("alpha", { chunkThreshold: 0.6 })).toHaveLength(0);
	});

	test("a hundred at once with one customId end as one document", async () => {
		const added = await Promise.all(Array.from({ length: 100 }, (_, i) => service.add(us, request(`text ${i % 3}`, { customId: "one" }))));
		await settle(60);
		expect(new Set(added.map(({ id }) => id)).size).toBe(1);
		expect(await found("*")).toHaveLength(1);
	});

	test("a failed document is tried again by the same content", async () => {
		const bad = await addDone("UNREADABLE", { customId: "b" });
		const again = await addDone("UNREADABLE", { customId: "b" });
		expect(again).toMatchObject({ id: bad.id, revision: 2, status: "failed" });
	});

	test("a customId of another document is refused", async () => {
		await addDone("alpha", { customId: "a" });
		const second = await addDone("beta", { customId: "b" });
		await expect(service.revise(us, second.id, { customId: "a" })).rejects.toMatchObject({ code: "CUSTOM_ID_TAKEN", kind: "conflict" });
	});
});

describe("memories", () => {
	test("are versioned: a later statement replaces an earlier one, and says which", async () => {
		await addDone("the sky is blue");
		await addDone("the sky is grey");
		const [latest, ...rest] = await memories("sky");
		expect(rest).toEqual([]);
		expect(latest).toMatchObject({ kind: "memory", memory: { text: "the sky is grey", version: 2, isLatest: true } });
		expect(latest?.kind === "memory" && latest.relatives.parents.map(({ memory, distance, relation }) => [memory.text, distance, relation])).toEqual([
			["the sky is blue", -1, "updates"],
		]);
		const all = await memories("sky", { includeForgotten: true });
		expect(all).toHaveLength(2);
	});

	test("said twice is one memory with two sources, and outlives the first of them", async () => {
		const one = await addDone("tea is hot");
		await addDone("tea is hot");
		expect(await memories("tea")).toMatchObject([{ documents: [{}, {}] }]);
		await service.remove(us, one.id);
		expect(await memories("tea")).toMatchObject([{ documents: [{}] }]);
	});

	test("are drawn into every container of a document, again and again", async () => {
		const { id } = await addDone("salt is white", { containerTags: ["kitchen", "lab"] });
		expect(await parts.storage.organisation(us.organisation).memories.ofDocument(asId<DocumentId>(id))).toHaveLength(2);
		await service.revise(us, id, { content: { kind: "text", text: "salt is grey", mediaType: "text/plain" } });
		await settle();
		const kept = await parts.storage.organisation(us.organisation).memories.ofDocument(asId<DocumentId>(id));
		expect(kept.map(({ containerTag, text }) => `${containerTag}: ${text}`).sort()).toEqual(["kitchen: salt is grey", "lab: salt is grey"]);
	});

	test("left for later are drawn by a job of their own", async () => {
		const { id } = await service.add(us, request("moss is green", { dreaming: "dynamic" }));
		await settle(40);
		world.advance(3_000);
		await settle(40);
		expect(await service.get(us, id)).toMatchObject({ status: "done", dreamingStatus: "done" });
		expect(await memories("moss")).toHaveLength(1);
	});

	test("are not drawn for superrag", async () => {
		expect(await addDone("lead is heavy", { taskType: "superrag" })).toMatchObject({ dreamingStatus: "done" });
		expect(await memories("lead")).toHaveLength(0);
		expect(await memories("lead", { mode: "hybrid" })).toHaveLength(1);
	});

	test("hybrid shows one text once", async () => {
		await addDone("iron is strong");
		expect(await memories("iron strong", { mode: "hybrid" })).toHaveLength(1);
	});
});

describe("search", () => {
	test("a rewriting finds what the words of the client do not", async () => {
		await addDone("an application programming interface joins programs");
		await addDone("qqq zzz");
		const plain = await found("API", { chunkThreshold: 0.6 });
		const rewritten = await found("API", { chunkThreshold: 0.6, rewriteQuery: true });
		expect([plain.length, rewritten.length]).toEqual([0, 1]);
	});

	test("never shows another organisation's documents", async () => {
		await addDone("our secret canary");
		expect(await service.searchDocuments(them, query("canary"), forever)).toEqual([]);
		expect(await service.searchDocuments(them, query("*"), forever)).toEqual([]);
		const [ours] = await found("canary");
		await expect(service.get(them, ours?.document.id ?? "")).rejects.toMatchObject({ code: "DOCUMENT_MISSING" });
		await expect(service.remove(them, ours?.document.id ?? "")).rejects.toMatchObject({ code: "DOCUMENT_MISSING" });
	});

	test("widens until there are enough documents, though one has most of the chunks", async () => {
		await addDone(Array.from({ length: 300 }, (_, i) => `common words ${i}`).join("\n"));
		for (let i = 0; i < 5; i++) await addDone(`common words apart zebra ${i}`);
		expect(await found("common words", { limit: 6 })).toHaveLength(6);
	});

	test("scores fall and stay between 0 and 1, reranked or not", async () => {
		for (const text of ["red fox", "red fox jumps over a lazy dog", "blue whale", "fox"]) await addDone(text);
		for (const rerank of [false, true]) {
			const scores = (await found("red fox", { rerank })).map(({ score }) => score);
			expect(scores).toEqual(scores.toSorted((a, b) => b - a));
			expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
		}
	});
});
