/** While words are being read, vectors answer if they have anything to say; else the search waits. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { asId, type Caller, type OrganisationId, type Storage, wholeOrganisation } from "cairn";
import type { Parts } from "../../../core/parts.ts";
import { createWakeUp } from "../../../core/queue/wake-up.ts";
import { createService, runWorker, type Service } from "../../../core/service.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { documentQuery, memoryQuery } from "../../doubles/queries.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const us: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", reach: null };
const never = new AbortController().signal;

let parts: Parts;
let service: Service;
let stopping: AbortController;
let working: Promise<void>;
/** What was asked of the words. */
let asked: string[];

beforeEach(async () => {
	asked = [];
	parts = createTestParts(createTestWorld());
	const wakeUp = createWakeUp();
	service = createService(parts, wakeUp);
	stopping = new AbortController();
	working = runWorker(parts, "test", 4, wakeUp, stopping.signal);
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

/** A storage whose words are never read in time, and answer whoever waits. */
function unread(storage: Storage): Storage {
	return {
		...storage,
		organisation: (id) => {
			const rooms = storage.organisation(id);
			const { matchChunks, matchMemories } = rooms.words;
			const words: typeof rooms.words = {
				matchChunks: async (...given) => (asked.push("chunks") > 0 ? matchChunks(...given) : []),
				matchMemories: async (...given) => (asked.push("memories") > 0 ? matchMemories(...given) : []),
				matchChunksWithin: async () => (asked.push("read chunk") > 0 ? null : []),
				matchMemoriesWithin: async () => (asked.push("read memory") > 0 ? null : []),
			};
			return { ...rooms, words };
		},
	};
}

const slow = () => createService({ ...parts, storage: unread(parts.storage) }, createWakeUp());

test("vectors alone answer, and the explanation says so", async () => {
	const documents = await slow().explainDocuments(us, documentQuery, never);
	expect(documents.results.length).toBe(2);
	expect(documents.partsOf(documents.results[0]?.chunks[0]?.chunk.id ?? "")).toMatchObject({ words: 0 });
	expect(documents.explanation.hint).toContain("by vectors alone");
	expect(documents.explanation.why).toContain("still being read");
	expect(asked).toEqual(["read chunk"]);
	const memories = await slow().explainMemories(us, memoryQuery, never);
	expect(memories.results.length).toBeGreaterThan(0);
	expect(memories.explanation.hint).toContain("by vectors alone");
	expect(asked.toSorted()).toEqual(["read chunk", "read chunk", "read memory"]);
});

test("where vectors alone would answer nothing, it waits and answers what it would have", async () => {
	const [best] = await service.searchDocuments(us, documentQuery, never);
	const query = { ...documentQuery, documentThreshold: best?.score ?? 1 };
	const { results, explanation } = await slow().explainDocuments(us, query, never);
	expect(results).toEqual(await service.searchDocuments(us, query, never));
	expect(results.length).toBe(1);
	expect(explanation.hint).toBeNull();
	expect(asked).toEqual(["read chunk", "chunks"]);
	const nowhere = { ...memoryQuery, scope: { ...wholeOrganisation, containerTags: ["nowhere"] } };
	expect(await slow().searchMemories(us, nowhere, never)).toEqual([]);
	expect(asked.slice(2).toSorted()).toEqual(["chunks", "memories", "read chunk", "read memory"]);
});

test("what is read in time is searched as ever", async () => {
	const { results, explanation } = await service.explainDocuments(us, documentQuery, never);
	expect(results.length).toBe(2);
	expect(explanation.hint).toBeNull();
	expect(explanation.why).not.toContain("still being read");
});
