/** A conversation grows: what was read is not read again, and its memories stay what they are. */

import { beforeEach, expect, test } from "bun:test";
import type { Chunk, Memory, MemoryExtractor } from "cairn-memory";
import type { Document, TenantStore } from "cairn-memory/stores";
import { wholeOrganisation } from "cairn-memory/stores";
import { withdrawMemories } from "../../../core/ingest/receive.ts";
import { remember } from "../../../core/memories/remember.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld();
const samples = createSamples(29);
const turns = ["Ada is a nurse", "Ben is a smith", "Cleo is a judge", "Dora is a pilot"];
let tenant: TenantStore;
let read: string[];
/** What happens while a document is read. */
let meanwhile: () => Promise<unknown>;
beforeEach(() => {
	tenant = ramStorage(world.now).organisation(sampleOrganisation);
	read = [];
	meanwhile = async () => undefined;
});

const parts = () => {
	const { storage: _storage, ...rest } = createTestParts(world);
	const watched = (extractor: MemoryExtractor): MemoryExtractor => ({
		...extractor,
		extract: async (input, step) => {
			read.push(...input.chunks.map(({ text }) => text));
			const drafts = await extractor.extract(input, step);
			await meanwhile();
			return drafts;
		},
	});
	return { ...rest, memoryExtractors: rest.memoryExtractors.map(watched), tenant, oneAtATime: createKeyedMutex() };
};

/** The conversation with these turns, a chunk each. Every revision has chunks of its own. */
async function say(lines: readonly string[], before: Document | null): Promise<Document> {
	const content = { kind: "text", text: lines.join("\n"), mediaType: "application/x-chat+json" } as const;
	const revision = (before?.revision ?? 0) + 1;
	const document = samples.makeDocument({ publishedRevision: null, containerTags: ["home"], ...before, content, revision });
	if (before === null) await tenant.documents.add(document, samples.makeJob(document));
	else await tenant.documents.change(document.id, { content }, world.now(), null);
	const chunks = lines.map((text, position): Chunk => samples.makeChunk(document, { text, indexedText: text, position, revision }));
	const vectors = await lettersEmbedder.embed(lines, "document", createStep());
	const embedded = chunks.map((chunk, i) => ({ chunk, vector: vectors[i] ?? new Float32Array(27) }));
	await tenant.documents.stage(document.id, revision, lettersEmbedder.space, embedded);
	await tenant.documents.publish(document.id, revision, world.now());
	read = [];
	await remember(document, chunks, parts(), createStep());
	return document;
}

async function known(tag = "home"): Promise<readonly Memory[]> {
	const page = { offset: 0, limit: 100, sort: "createdAt", order: "asc" } as const;
	return (await tenant.memories.list({ ...wholeOrganisation, containerTags: [tag] }, false, page)).memories;
}

const sorted = (memories: readonly Memory[]) => memories.map(({ text }) => text).toSorted();

test("what was added is read with the chunk before it, and nothing else", async () => {
	const first = await say(turns.slice(0, 3), null);
	expect(read).toEqual(turns.slice(0, 3));
	await say(turns, first);
	expect(read).toEqual(turns.slice(2));
	expect(sorted(await known())).toEqual(turns);
});

test("a container to which it is added while the rest is read gets all of its memories", async () => {
	const first = await say(turns.slice(0, 3), null);
	meanwhile = async () => {
		meanwhile = async () => undefined;
		await tenant.documents.change(first.id, { containerTags: ["home", "work"] }, world.now(), null);
	};
	await say(turns, first);
	expect([sorted(await known("home")), sorted(await known("work"))]).toEqual([turns, turns]);
});

test("one that was only searched for a while has its memories again", async () => {
	const document = await say(turns, null);
	await tenant.documents.change(document.id, { taskType: "superrag" }, world.now(), null);
	await withdrawMemories(document, tenant, world.now());
	expect(await known()).toEqual([]);
	await tenant.documents.change(document.id, { taskType: "memory" }, world.now(), null);
	await remember(document, await tenant.documents.chunksOf(document.id), parts(), createStep());
	expect(sorted(await known())).toEqual(turns);
});

test("its memories keep their ids, and rest on the chunks that there are now", async () => {
	const first = await say(turns.slice(0, 3), null);
	const before = await known();
	const second = await say(turns, first);
	const after = new Map((await known()).map((memory) => [memory.id, memory]));
	for (const memory of before) expect(after.get(memory.id)?.text).toBe(memory.text);
	const chunks = new Set((await tenant.documents.chunksOf(second.id)).map(({ id }) => id));
	for (const { evidence } of after.values()) expect(evidence.map(({ chunk }) => chunks.has(chunk))).toEqual([true]);
});

test("what a person has forgotten stays forgotten", async () => {
	const first = await say(turns.slice(0, 3), null);
	const [memory] = (await known()).filter(({ text }) => text === "Ada is a nurse");
	await tenant.memories.forget(memory === undefined ? [] : [memory.id], null, world.now());
	const second = await say(turns, first);
	await say([...turns, "no fact"], second);
	expect((await known()).filter(({ text }) => text === "Ada is a nurse").map(({ isForgotten }) => isForgotten)).toEqual([true]);
});

test("where a turn has changed all from there on is read again, and what is no longer said goes", async () => {
	const first = await say(turns, null);
	await say(["Ada is a nurse", "Ben is a baker", "Cleo is a judge", "Dora is a pilot"], first);
	expect(read).toEqual(["Ada is a nurse", "Ben is a baker", "Cleo is a judge", "Dora is a pilot"]);
	const current = (await known()).filter(({ isLatest }) => isLatest);
	expect(sorted(current)).toEqual(["Ada is a nurse", "Ben is a baker", "Cleo is a judge", "Dora is a pilot"]);
});

test("a shorter history loses what is gone", async () => {
	const first = await say(turns, null);
	await say(turns.slice(0, 2), first);
	expect(sorted(await known())).toEqual(turns.slice(0, 2));
});

test("a container that has come since gets all of it", async () => {
	const first = await say(turns.slice(0, 3), null);
	await tenant.documents.change(first.id, { containerTags: ["home", "work"] }, world.now(), null);
	await say(turns, { ...first, containerTags: ["home", "work"] });
	const page = { offset: 0, limit: 100, sort: "createdAt", order: "asc" } as const;
	const { memories } = await tenant.memories.list({ ...wholeOrganisation, containerTags: ["work"] }, true, page);
	expect(sorted(memories)).toEqual(turns);
});

test("memories of words that nobody noted make it read as a whole", async () => {
	const first = await say(turns.slice(0, 3), null);
	await tenant.records.remove("read-chunks", first.id);
	await say(turns, first);
	expect(read).toEqual(turns);
	expect(sorted(await known())).toEqual(turns);
});
