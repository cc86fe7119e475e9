/** While words are being read, a search is answered from those that are, and by vectors. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { type Caller, type ChunkHit, type Storage, wholeOrganisation } from "cairn-memory/stores";
import type { Parts } from "../../../core/parts.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { createService, runWorker, type Service } from "../../../core/service.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { documentQuery, memoryQuery } from "../../doubles/queries.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const us: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };
const never = new AbortController().signal;

let parts: Parts;
let service: Service;
let stopping: AbortController;
let working: Promise<void>;
/** What was asked of the words. */
let asked: string[];
/** What is found among those chunks that are read. */
let readHits: readonly ChunkHit[];

beforeEach(async () => {
	asked = [];
	readHits = [];
	parts = createTestParts(createTestWorld());
	const notifier = createNotifier();
	service = createService(parts, notifier);
	stopping = new AbortController();
	working = runWorker(parts, "test", 4, notifier, stopping.signal);
	for (const text of ["the harbour is open", "the garden is shut"]) {
		const request = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "memory", dreaming: "instant" } as const;
		await service.add(us, { content: { kind: "text", text, mediaType: "text/plain" }, ...request });
		await settle();
	}
});
afterEach(async () => {
	stopping.abort();
	await working;
});

/** A storage whose words are never read in time. */
function unread(storage: Storage): Storage {
	return {
		...storage,
		organisation: (id) => {
			const tenant = storage.organisation(id);
			const { matchChunks, matchMemories } = tenant.words;
			const words: typeof tenant.words = {
				matchChunks: async (words, scope, limit, waitMs) => {
					asked.push(waitMs === undefined ? "chunks" : "read chunk");
					return waitMs === undefined ? matchChunks(words, scope, limit) : { hits: readHits, isWhole: false };
				},
				matchMemories: async (words, memoryFilter, limit, waitMs) => {
					asked.push(waitMs === undefined ? "memories" : "read memory");
					return waitMs === undefined ? matchMemories(words, memoryFilter, limit) : { hits: [], isWhole: false };
				},
			};
			return { ...tenant, words };
		},
	};
}

const slow = () => createService({ ...parts, storage: unread(parts.storage) }, createNotifier());

test("vectors answer alone where nothing is read, and the explanation says so", async () => {
	const documents = await slow().explainDocuments(us, documentQuery, never);
	expect(documents.results.length).toBe(2);
	expect(documents.scorePartsOf(documents.results[0]?.chunks[0]?.chunk.id ?? "")).toMatchObject({ words: 0 });
	expect(documents.explanation.hint).toContain("only found by their vectors");
	expect(documents.explanation.why).toContain("still being read");
	expect(asked).toEqual(["read chunk"]);
	const memories = await slow().explainMemories(us, memoryQuery, never);
	expect(memories.results.length).toBeGreaterThan(0);
	expect(memories.explanation.hint).toContain("only found by their vectors");
	expect(asked.toSorted()).toEqual(["read chunk", "read chunk", "read memory"]);
});

test("until the words are read nothing is said to answer nothing", async () => {
	const relevant = async (asking: Service) => {
		const found = await asking.searchDocuments(us, { ...documentQuery, query: "x" }, never);
		return found.map(({ chunks }) => chunks[0]?.isRelevant);
	};
	expect(await relevant(service)).toEqual([false, false]);
	expect(await relevant(slow())).toEqual([true, true]);
});

test("where nothing is found either way it does not wait", async () => {
	const nowhere = { ...memoryQuery, scope: { ...wholeOrganisation, containerTags: ["nowhere"] } };
	expect(await slow().searchMemories(us, nowhere, never)).toEqual([]);
	expect(asked.toSorted()).toEqual(["read chunk", "read memory"]);
});

test("what is read counts, whatever is not", async () => {
	const [best] = await service.searchDocuments(us, documentQuery, never);
	const chunk = best?.chunks[0]?.chunk;
	if (chunk === undefined) throw new Error("nothing was found");
	readHits = [{ id: chunk.id, document: chunk.document, position: chunk.position, score: 0.5 }];
	const { results, scorePartsOf } = await slow().explainDocuments(us, documentQuery, never);
	expect(results[0]?.document.id).toBe(chunk.document);
	expect(scorePartsOf(chunk.id)?.words).toBeGreaterThan(0);
	expect(asked).toEqual(["read chunk"]);
});

test("what is read in time is searched as ever", async () => {
	const { results, explanation } = await service.explainDocuments(us, documentQuery, never);
	expect(results.length).toBe(2);
	expect(explanation.hint).toBeNull();
	expect(explanation.why).not.toContain("still being read");
});
