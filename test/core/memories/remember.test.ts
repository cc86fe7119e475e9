/** What a document says is remembered once in each of its containers, however often it is read, and taken back when it is no longer said. */

import { beforeEach, expect, test } from "bun:test";
import type { Chunk, Embedder, MemoryExtractor } from "cairn-memory";
import { type Document, isCurrent, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import { remember } from "../../../core/memories/remember.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld();
const samples = createSamples(23);
let tenant: TenantStore;
beforeEach(() => {
	tenant = ramStorage(world.now).organisation(sampleOrganisation);
});

/** A document of one chunk for each line, published. */
async function publish(
	lines: readonly string[],
	overrides: Partial<Document> = {},
): Promise<{ readonly document: Document; readonly chunks: readonly Chunk[] }> {
	const document = samples.makeDocument({ publishedRevision: null, containerTags: ["home"], ...overrides });
	if ((await tenant.documents.get(document.id)) === null) await tenant.documents.add(document, samples.makeJob(document));
	const chunks = lines.map((text, position) => samples.makeChunk(document, { text, indexedText: text, position }));
	const vectors = await lettersEmbedder.embed(lines, "document", createStep());
	const embedded = chunks.map((chunk, i) => ({ chunk, vector: vectors[i] ?? new Float32Array(27) }));
	await tenant.documents.stage(document.id, document.revision, lettersEmbedder.space, embedded);
	await tenant.documents.publish(document.id, document.revision, world.now());
	return { document, chunks };
}

const parts = (more: { readonly embedder?: Embedder; readonly memoryExtractors?: readonly MemoryExtractor[] } = {}) => {
	const { storage: _storage, ...rest } = createTestParts(world, more);
	return { ...rest, tenant, oneAtATime: createKeyedMutex() };
};
const run = async ({ document, chunks }: Awaited<ReturnType<typeof publish>>, given = parts()) =>
	(await remember(document, chunks, given, createStep())).written;

async function known(tag = "home"): Promise<readonly string[]> {
	const page = { offset: 0, limit: 100, sort: "createdAt", order: "asc" } as const;
	const { memories } = await tenant.memories.list({ ...wholeOrganisation, containerTags: [tag] }, true, page);
	return memories.filter((memory) => isCurrent(memory, world.now())).map(({ text }) => text);
}

test("read again, a document adds nothing", async () => {
	const note = await publish(["Ada is a nurse", "no fact"]);
	expect(await run(note)).toBe(1);
	expect(await run(note)).toBe(0);
	expect(await known()).toEqual(["Ada is a nurse"]);
});

test("each of its containers has memories of its own", async () => {
	await run(await publish(["Ada is a nurse"], { containerTags: ["home", "work"] }));
	expect([await known("home"), await known("work")]).toEqual([["Ada is a nurse"], ["Ada is a nurse"]]);
});

test("what two documents say is one memory, and a later word about the same replaces it", async () => {
	await run(await publish(["Ada is a nurse"]));
	expect(await run(await publish(["Ada is a nurse"]))).toBe(0);
	expect(await run(await publish(["Ada is a pilot"]))).toBe(1);
	expect(await known()).toEqual(["Ada is a pilot"]);
});

test("where the embedder fails nothing is taken back and nothing is written: all is as it was", async () => {
	const first = await publish(["Ada is a nurse"]);
	await run(first);
	const changed = await publish(["Ben is a smith"], { ...first.document, revision: 1 });
	const broken = { ...lettersEmbedder, embed: () => Promise.reject(new Error("no answer")) };
	expect(String(await run(changed, parts({ embedder: broken })).catch((thrown: unknown) => thrown))).toContain("no answer");
	expect(await known()).toEqual(["Ada is a nurse"]);
});

test("what the document no longer says is taken back", async () => {
	const first = await publish(["Ada is a nurse", "Ben is a smith"]);
	await run(first);
	await run({ document: first.document, chunks: first.chunks.slice(0, 1) });
	expect(await known()).toEqual(["Ada is a nurse"]);
});

test("a save that finds its neighbours changed looks again, and gives up in the end with a remark", async () => {
	const note = await publish(["Ada is a nurse"]);
	let saves = 0;
	const { memories } = tenant;
	const failing = (times: number) => ({
		...parts(),
		tenant: { ...tenant, memories: { ...memories, save: async (...given: Parameters<typeof memories.save>) => ++saves > times && memories.save(...given) } },
	});
	expect(await run(note, failing(2))).toBe(1);
	expect([saves, await known()]).toEqual([3, ["Ada is a nurse"]]);
	const step = createStep();
	const other = await publish(["Cleo is a judge"]);
	expect((await remember(other.document, other.chunks, failing(100), step)).written).toBe(0);
	expect(step.warnings).toMatchObject([{ code: "MEMORIES_CONTESTED" }]);
	expect(await known()).toEqual(["Ada is a nurse"]);
});
