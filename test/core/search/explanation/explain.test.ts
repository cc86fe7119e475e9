/** A search that explains itself answers what one that does not would, and only it looks further than it must. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { asId, fail, type OrganisationId } from "cairn-memory";
import { type Caller, type Storage, wholeOrganisation } from "cairn-memory/stores";
import type { AddRequest } from "../../../../core/ingest/receive.ts";
import type { Parts } from "../../../../core/parts.ts";
import { createNotifier } from "../../../../core/runtime/notifier.ts";
import { withOpinion } from "../../../../core/search/rerank.ts";
import { createService, runWorker, type Service } from "../../../../core/service.ts";
import { createTestParts } from "../../../doubles/parts.ts";
import { documentQuery, memoryQuery } from "../../../doubles/queries.ts";
import { createTestWorld, settle } from "../../../doubles/world.ts";

const us: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };
const never = new AbortController().signal;

let parts: Parts;
let service: Service;
let stopping: AbortController;
let working: Promise<void>;

beforeEach(() => {
	const world = createTestWorld();
	const rewriter = { name: "again", rewrite: async (query: string) => [`${query} once more`] };
	parts = createTestParts(world, { queryRewriters: [rewriter] });
	const notifier = createNotifier();
	service = createService(parts, notifier);
	stopping = new AbortController();
	working = runWorker(parts, "test", 4, notifier, stopping.signal);
});
afterEach(async () => {
	stopping.abort();
	await working;
});

async function add(text: string, overrides: Partial<AddRequest> = {}) {
	const request = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "memory", dreaming: "instant" } as const;
	await service.add(us, { content: { kind: "text", text, mediaType: "text/plain" }, ...request, ...overrides });
	await settle();
}

/** Where nothing may be counted. */
function uncounting(storage: Storage): Storage {
	const refuse = async () => {
		throw fail("INTERNAL");
	};
	return {
		...storage,
		organisation: (id) => {
			const tenant = storage.organisation(id);
			return { ...tenant, documents: { ...tenant.documents, tally: refuse }, memories: { ...tenant.memories, count: refuse } };
		},
	};
}

test("the results are the same, and only the explained search counts", async () => {
	for (const text of ["the harbour is open", "the garden is shut", "the harbour opens at dawn"]) await add(text);
	const bare = createService({ ...parts, storage: uncounting(parts.storage) }, createNotifier());
	const documents = await service.explainDocuments(us, documentQuery, never);
	expect(documents.results).toEqual(await bare.searchDocuments(us, documentQuery, never));
	const memories = await service.explainMemories(us, memoryQuery, never);
	expect(memories.results).toEqual(await bare.searchMemories(us, memoryQuery, never));
	expect(documents.results.length).toBe(3);
	await expect(bare.explainDocuments(us, documentQuery, never)).rejects.toMatchObject({ code: "INTERNAL" });
});

test("the parts make the score of a document: fused, then the reranker's share; what memory search shows falls as they fall", async () => {
	await add("the harbour is open");
	await add("the garden is shut");
	const { results, scorePartsOf, explanation } = await service.explainDocuments(us, { ...documentQuery, rerank: true, rewriteQuery: true }, never);
	expect(explanation.variants).toEqual(["the harbour", "the harbour once more"]);
	for (const { score, chunks } of results) {
		const [best] = chunks;
		const told = scorePartsOf(best?.chunk.id ?? "");
		expect(told).not.toBeNull();
		expect(score).toBeCloseTo(withOpinion(told?.fused ?? 0, told?.rerank ?? 0), 10);
		expect(told?.trust).toBe(told?.variant === "the harbour" ? 1 : 0.9);
	}
	const plain = await service.explainMemories(us, memoryQuery, never);
	const told = plain.results.map((item) => plain.scorePartsOf(item.kind === "memory" ? item.memory.id : item.chunk.id));
	for (const parts of told) expect(parts?.rerank).toBeNull();
	const worths = told.map((parts) => (parts?.fused ?? 0) * (parts?.inference ?? 0));
	expect(worths).toEqual(worths.toSorted((a, b) => b - a));
	expect(scorePartsOf("nobody")).toBeNull();
});

test("what fell below a threshold is counted, and the best of it told", async () => {
	await add("the harbour is open");
	await add("zzz");
	const all = await service.explainDocuments(us, documentQuery, never);
	const scores = all.results.map(({ score }) => score);
	const [first = 0, second = 0] = scores;
	const chunkThreshold = (first + second) / 2;
	for (const thresholds of [{ chunkThreshold }, { documentThreshold: chunkThreshold }]) {
		const { explanation, results } = await service.explainDocuments(us, { ...documentQuery, ...thresholds }, never);
		expect(results.length).toBe(1);
		expect(explanation.candidates).toEqual({ seen: 2, threshold: chunkThreshold, belowThreshold: 1, bestBelow: second });
		expect(explanation.why).toContain("fell below the threshold");
	}
});

test("what a star lists was seen, and nothing of it compared", async () => {
	for (const text of ["the harbour is open", "the garden is shut"]) await add(text);
	const documents = await service.explainDocuments(us, { ...documentQuery, query: "*" }, never);
	expect([documents.results.length, documents.explanation.candidates]).toEqual([2, { seen: 2, threshold: 0, belowThreshold: 0, bestBelow: null }]);
	const memories = await service.explainMemories(us, { ...memoryQuery, query: "*", limit: 3 }, never);
	expect([memories.results.length, memories.explanation.candidates.seen]).toEqual([3, 3]);
	expect(memories.results.map((item) => memories.scorePartsOf(item.kind === "memory" ? item.memory.id : item.chunk.id))).toEqual([null, null, null]);
});

test("the filter, the failed and the memories are counted", async () => {
	await add("the harbour is open", { metadata: { kind: "note" } });
	await add("the garden is shut", { metadata: { kind: "plan" } });
	await add("UNREADABLE", { metadata: { kind: "note" } });
	const filter = { kind: "equals", key: "kind", value: "note", ignoreCase: false, negate: false } as const;
	const { explanation } = await service.explainMemories(us, { ...memoryQuery, scope: { ...wholeOrganisation, filter } }, never);
	expect(explanation.documents).toEqual({ inScope: 2, removedByFilter: 1, beingIndexed: 0, failed: 1, dreaming: 0 });
	expect(explanation.memories).toEqual({ inScope: 1, removedByFilter: 1 });
	expect(explanation.why).toBe("1 document in scope failed and cannot be found. The filter keeps out 1 document and 1 memory.");
});

test("a list of what is processed goes on from its place, and takes no more than it shows", async () => {
	stopping.abort();
	await working;
	for (let i = 0; i < 9; i++) await add(`note ${i}`);
	const met: string[] = [];
	let page = await service.processing(us, { limit: 4 });
	for (;;) {
		met.push(...page.documents.map(({ id }) => id));
		if (page.next === null) break;
		page = await service.processing(us, { limit: 4, after: page.next });
	}
	expect([met.length, new Set(met).size, page.total]).toEqual([9, 9, 9]);
	expect((await service.processing(us)).next).toBeNull();
});
