/** A search of documents reads what it shows, reaches no further than it must, and shows the best first. */

import { beforeEach, describe, expect, test } from "bun:test";
import { type ChunkId, type Document, type DocumentId, type Page, type Scope, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import { type DocumentQuery, searchDocuments } from "../../../core/search/search-documents.ts";
import { searchMemories } from "../../../core/search/search-memories.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { documentQuery, memoryQuery } from "../../doubles/queries.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const samples = createSamples(5);
const filler = "quartz granite basalt";

let tenant: TenantStore;
/** What was asked of the store. */
let asked: { texts: number; limits: number[]; scopes: Scope[]; placeLists: number };

beforeEach(() => {
	tenant = ramStorage().organisation(sampleOrganisation);
	asked = { texts: 0, limits: [], scopes: [], placeLists: 0 };
});

async function publish(texts: readonly string[], overrides: Partial<Document> = {}): Promise<DocumentId> {
	const document = samples.makeDocument({ publishedRevision: null, ...overrides });
	await tenant.documents.add(document, samples.makeJob(document));
	const vectors = await lettersEmbedder.embed(texts, "document", createStep());
	const chunks = texts.map((text, position) => ({
		chunk: samples.makeChunk(document, { text, indexedText: text, position }),
		vector: vectors[position] ?? new Float32Array(27),
	}));
	await tenant.documents.stage(document.id, document.revision, lettersEmbedder.space, chunks);
	await tenant.documents.publish(document.id, document.revision, samples.nextTime());
	return document.id;
}

/** A long text in which one sentence is told apart from the others by its words. */
function long(sentence: string, at: number, length = 150): readonly string[] {
	return Array.from({ length }, (_, i) => (i === at ? sentence : `${filler} harbour ${i}`));
}

function watched(): TenantStore {
	const { documents, vectors } = tenant;
	const count = <FoundItem extends readonly unknown[]>(found: FoundItem): FoundItem => {
		asked.texts += found.length;
		return found;
	};
	return {
		...tenant,
		documents: {
			...documents,
			chunks: async (ids: readonly ChunkId[]) => count(await documents.chunks(ids)),
			chunksAt: async (...places) => {
				asked.placeLists += 1;
				return count(await documents.chunksAt(...places));
			},
		},
		vectors: (space) => ({
			...vectors(space),
			nearestChunks: (vector, scope, limit) => {
				asked.limits.push(limit);
				asked.scopes.push(scope);
				return vectors(space).nearestChunks(vector, scope, limit);
			},
		}),
	};
}

const parts = () => ({ ...createTestParts(createTestWorld()), tenant: watched() });

async function search(overrides: Partial<DocumentQuery> = {}) {
	return searchDocuments({ ...documentQuery, query: "harbour", ...overrides }, parts(), createStep());
}

test("texts are read of what is shown and of nothing else, for all results at once", async () => {
	for (let i = 0; i < 80; i++) await publish([`before ${i}`, `the harbour ${"is ".repeat(i % 7)}open`, `after ${i}`]);
	const found = await search({ limit: 5, onlyMatchingChunks: false });
	expect(found).toHaveLength(5);
	expect(found.every(({ chunks }) => chunks.length === 3)).toBe(true);
	expect(asked).toMatchObject({ texts: 15, placeLists: 1 });
});

test("what is said to the letter is looked for in the texts, and a reranker is given as many as it takes", async () => {
	for (let i = 0; i < 60; i++) await publish([`the harbour ERR_CONN_${4000 + i} is open`]);
	const [best] = await search({ query: "harbour ERR_CONN_4012", limit: 1 });
	expect(best?.chunks[0]?.chunk.text).toContain("ERR_CONN_4012");
	asked.texts = 0;
	const reranker = { name: "two", candidatesMax: 2, score: async (_: string, texts: readonly string[]) => texts.map(() => 0.5) };
	await searchDocuments({ ...documentQuery, limit: 3, rerank: true }, { ...parts(), reranker }, createStep());
	expect(asked.texts).toBe(2 + 3);
});

test("relevant chunks come by score, and their context after them in reading order", async () => {
	await publish(["harbour harbour town", filler, filler, "the harbour of the town at the harbour wall", filler, "harbour"]);
	const [found] = await search({ query: "harbour wall", onlyMatchingChunks: false, chunkThreshold: 0.3 });
	const relevant = found?.chunks.filter(({ isRelevant }) => isRelevant) ?? [];
	expect(relevant.length).toBeGreaterThan(0);
	expect(found?.chunks.slice(0, relevant.length)).toEqual(relevant);
	expect(relevant[0]?.chunk.position).toBe(3);
	expect(relevant.map(({ score }) => score)).toEqual(relevant.map(({ score }) => score).toSorted((a, b) => b - a));
	const context = found?.chunks.slice(relevant.length).map(({ chunk }) => chunk.position) ?? [];
	expect(context).toEqual(context.toSorted((a, b) => a - b));
	expect(context.length).toBeGreaterThan(0);
});

test("few long documents are found without reaching for further ones that do not exist", async () => {
	const ids = [];
	for (let i = 0; i < 4; i++) ids.push(await publish(long(`harbour harbour harbour wall ${i}`, 20 * i)));
	const found = await search({ query: "harbour wall" });
	expect(found.map(({ document }) => document.id).toSorted()).toEqual(ids.toSorted());
	expect(Math.max(...asked.limits)).toBe(40);
	expect(asked.limits.length).toBeLessThanOrEqual(1 + ids.length);
});

test("documents that lie far below the others are found, in the order of their best chunk", async () => {
	for (let i = 0; i < 9; i++) await publish(long(`the harbour wall ${"of stone ".repeat(i)}`, 3 * i));
	const low = await publish(["nothing but kites and the wall"]);
	const lowest = await publish(["zzz"]);
	const found = await search({ query: "harbour wall" });
	expect(found).toHaveLength(10);
	const ids = found.map(({ document }) => document.id);
	expect(ids).toContain(low);
	expect(ids).not.toContain(lowest);
	expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
	expect(Math.max(...asked.limits)).toBe(40);
});

test("containers, filters and thresholds hold for documents that are searched one by one", async () => {
	const mine = { containerTags: ["mine"], metadata: { kind: "long" } };
	const first = await publish(long("the harbour wall", 5), mine);
	const second = await publish(["kites fly"], mine);
	await publish(["the harbour wall is elsewhere"], { containerTags: ["other"], metadata: { kind: "long" } });
	await publish(["the harbour wall is short"], { containerTags: ["mine"], metadata: { kind: "short" } });
	const kind = { kind: "equals", key: "kind", value: "long", ignoreCase: false, negate: false } as const;
	const scope = { ...wholeOrganisation, containerTags: ["mine"], filter: kind };
	const idsOf = async (overrides: Partial<DocumentQuery>) => (await search({ query: "harbour wall", scope, ...overrides })).map(({ document }) => document.id);
	expect(await idsOf({})).toEqual([first, second]);
	expect(asked.scopes.every(({ containerTags, filter }) => containerTags[0] === "mine" && filter === kind)).toBe(true);
	expect(await idsOf({ chunkThreshold: 0.8 })).toEqual([first]);
	expect(await idsOf({ documentThreshold: 0.8 })).toEqual([first]);
});

test("a document that leaves the container during the search is not shown with what it says since", async () => {
	const leaving = await publish(["the harbour wall"], { containerTags: ["mine"] });
	const staying = await publish(["the harbour wall too"], { containerTags: ["mine"] });
	const { documents, ...others } = watched();
	const getMany: typeof documents.getMany = async (...args) => {
		await documents.change(leaving, { containerTags: ["other"] }, samples.nextTime(), null);
		return documents.getMany(...args);
	};
	const scope = { ...wholeOrganisation, containerTags: ["mine"] };
	const found = await searchDocuments(
		{ ...documentQuery, query: "harbour wall", scope },
		{ ...parts(), tenant: { ...others, documents: { ...documents, getMany } } },
		createStep(),
	);
	expect(found.map(({ document }) => document.id)).toEqual([staying]);
});

/** As `watched`, with a document that leaves its container right after texts were read. */
function leavingAfterTexts(id: Document["id"]) {
	const { documents, ...others } = watched();
	const leave = () => documents.change(id, { containerTags: ["other"] }, samples.nextTime(), null);
	const chunks: typeof documents.chunks = async (...args) => {
		const read = await documents.chunks(...args);
		await leave();
		return read;
	};
	const chunksAt: typeof documents.chunksAt = async (...args) => {
		const read = await documents.chunksAt(...args);
		await leave();
		return read;
	};
	return { ...parts(), tenant: { ...others, documents: { ...documents, chunks, chunksAt } } };
}

/** Of two documents in a container, the second is to stay. */
async function publishTwo(): Promise<readonly [leaving: DocumentId, staying: DocumentId]> {
	const mine = { containerTags: ["mine"], status: "done" } as const;
	return [await publish(["the harbour wall"], mine), await publish(["the harbour wall too"], mine)];
}

const inMine = { ...wholeOrganisation, containerTags: ["mine"] };

test("a document that leaves the container is not listed by a star", async () => {
	const [leaving, staying] = await publishTwo();
	const found = await searchDocuments({ ...documentQuery, query: "*", scope: inMine }, leavingAfterTexts(leaving), createStep());
	expect(found.map(({ document }) => document.id)).toEqual([staying]);
});

for (const query of ["*", "harbour wall"]) {
	test(`a document that leaves the container is not shown beside memories for ${query}`, async () => {
		const [leaving, staying] = await publishTwo();
		const asking = { ...memoryQuery, query, scope: inMine, now: new Date() };
		const found = await searchMemories(asking, leavingAfterTexts(leaving), createStep());
		expect(found.map((each) => each.kind === "chunk" && each.document.id)).toEqual([staying]);
	});
}

test("a star counts no further than it shows", async () => {
	const pages: Page[] = [];
	const { documents, memories, ...others } = watched();
	const watchedDocuments: typeof documents = {
		...documents,
		list: (scope, statuses, page, ...rest) => {
			pages.push(page);
			return documents.list(scope, statuses, page, ...rest);
		},
	};
	const watchedMemories: typeof memories = {
		...memories,
		list: (scope, latestOnly, page, ...rest) => {
			pages.push(page);
			return memories.list(scope, latestOnly, page, ...rest);
		},
	};
	const tenant = { ...others, documents: watchedDocuments, memories: watchedMemories };
	await searchDocuments({ ...documentQuery, query: "*", limit: 3 }, { ...parts(), tenant }, createStep());
	await searchMemories({ ...memoryQuery, query: "*", mode: "hybrid", limit: 3, now: new Date() }, { ...parts(), tenant }, createStep());
	expect(pages.map(({ limit, totalMax }) => [limit, totalMax])).toEqual([
		[3, 3],
		[3, 3],
		[3, 3],
	]);
});

test("inside one long document a search reaches once", async () => {
	const id = await publish(long("the harbour wall", 77));
	const [found] = await search({ query: "harbour wall", scope: { ...wholeOrganisation, document: id } });
	expect(found?.chunks[0]?.chunk.position).toBe(77);
	expect(asked.limits).toEqual([40]);
});

test("chunks beside memories are read until as many differ as are shown", async () => {
	for (let i = 0; i < 80; i++) await publish([i < 3 ? "the harbour wall" : `the harbour wall, part ${i}`]);
	const found = await searchMemories({ ...memoryQuery, query: "harbour wall", mode: "documents", limit: 4, now: new Date() }, parts(), createStep());
	const texts = found.map((each) => (each.kind === "chunk" ? each.chunk.text : ""));
	expect(new Set(texts).size).toBe(4);
	// The best fifteen are read to see what they cover.
	expect(asked.texts).toBeLessThanOrEqual(15);
});

test("a star asked beside memories lists documents by their first chunks", async () => {
	await publish(["the harbour wall", "boats at the quay"], { status: "done" });
	const found = await searchMemories({ ...memoryQuery, query: "*", mode: "hybrid", threshold: 0.9, now: new Date() }, parts(), createStep());
	expect(found.map((each) => each.kind === "chunk" && { text: each.chunk.text, score: each.score })).toEqual([{ text: "the harbour wall", score: 1 }]);
});

describe("what answers nothing", () => {
	/** Its best chunk has a relevance of little more than the line. */
	const justAbove = "harbour fog november rain";

	test("is shown in the same order, and none of it as relevant", async () => {
		await publish(["the harbour wall", "boats at the quay"]);
		for (const query of ["x", "capital of Peru"]) {
			const found = await search({ query, onlyMatchingChunks: false });
			expect(found.map(({ chunks }) => chunks.map(({ isRelevant }) => isRelevant))).toEqual([[false, false]]);
			expect(found.flatMap(({ chunks }) => chunks).some(({ isContext }) => !isContext)).toBe(true);
		}
	});

	test("is decided before the reranker, however it judges", async () => {
		await publish(["the harbour wall"]);
		await publish(["boats at the quay"]);
		const relevantWith = async (query: string, opinion: number | null) => {
			const reranker =
				opinion === null ? null : { name: "judge", candidatesMax: 10, score: async (_: string, texts: readonly string[]) => texts.map(() => opinion) };
			const found = await searchDocuments({ ...documentQuery, query, limit: 1, rerank: true }, { ...parts(), reranker }, createStep());
			return found.flatMap(({ chunks }) => chunks.map(({ isRelevant }) => isRelevant));
		};
		for (const opinion of [null, 0, 1]) {
			expect(await relevantWith("capital of Peru", opinion)).toEqual([false]);
			expect(await relevantWith(justAbove, opinion)).toEqual([true]);
		}
	});

	test("one good chunk makes all that was found relevant, also of other documents", async () => {
		await publish(["the harbour wall"]);
		await publish(["a wall"]);
		const found = await search({ query: "harbour wall in the evening fog of a cold november" });
		expect(found).toHaveLength(2);
		expect(found.every(({ chunks }) => chunks.every(({ isRelevant }) => isRelevant))).toBe(true);
	});
});
