/** A search of memories shows what holds now, best first, in the scope; forgotten and outdated ones only to who asks for them. */

import { beforeEach, expect, test } from "bun:test";
import { fail, type Memory } from "cairn-memory";
import { type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import { type MemoryQuery, searchMemories } from "../../../core/search/search-memories.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { memoryQuery } from "../../doubles/queries.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld(Date.parse("2026-06-01T00:00:00Z"));
const samples = createSamples(17);
let tenant: TenantStore;
beforeEach(() => {
	tenant = ramStorage(world.now).organisation(sampleOrganisation);
});

async function write(text: string, overrides: Partial<Memory> = {}): Promise<Memory> {
	const memory = samples.makeMemory({ text, ...overrides });
	const [vector = new Float32Array(27)] = await lettersEmbedder.embed([text], "document", createStep());
	expect(await tenant.memories.save(lettersEmbedder.space, [{ memory, vector }], [])).toBe(true);
	return memory;
}

const search = async (more: Partial<MemoryQuery> = {}) => {
	const parts = { ...createTestParts(world), tenant };
	const found = await searchMemories({ ...memoryQuery, mode: "memories", now: world.now(), ...more }, parts, createStep());
	return found.map((each) => ({ text: each.kind === "memory" ? each.memory.text : each.chunk.text, score: each.score }));
};
const textsOf = async (more: Partial<MemoryQuery> = {}) => (await search(more)).map(({ text }) => text);

test("the best come first, scores fall and stay between 0 and 1, and no more are shown than asked for", async () => {
	for (const text of ["quartz buzz", "the harbour is open at dawn", "the harbour is open"]) await write(text);
	const all = await search();
	expect(all[0]?.text).toBe("the harbour is open");
	expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a));
	for (const { score } of all) expect(score >= 0 && score <= 1).toBe(true);
	expect(await textsOf({ limit: 1 })).toEqual(["the harbour is open"]);
});

test("below the threshold nothing is shown", async () => {
	await write("quartz buzz");
	expect(await textsOf({ threshold: 0.9 })).toEqual([]);
});

test("what has ended by itself is not shown, a moment before it is", async () => {
	const ends = new Date(world.now().getTime() + 1_000);
	await write("the harbour is open", { forgetAfter: ends });
	expect(await textsOf()).toEqual(["the harbour is open"]);
	expect(await textsOf({ now: new Date(ends.getTime() + 1) })).toEqual([]);
});

test("what was forgotten is shown to who asks for it alone", async () => {
	const { id } = await write("the harbour is open");
	await tenant.memories.forget([id], "moved", world.now());
	expect(await textsOf()).toEqual([]);
	expect(await textsOf({ includeForgotten: true })).toEqual(["the harbour is open"]);
});

test("of a memory that was forgotten and one with the same words that holds, the one that holds is shown", async () => {
	const former = () => write("likes tea", { isForgotten: true, updatedAt: new Date("2026-02-01T00:00:00Z") });
	for (const order of [
		[former, () => write("likes tea")],
		[() => write("likes tea"), former],
	] as const) {
		tenant = ramStorage(world.now).organisation(sampleOrganisation);
		for (const writeOne of order) await writeOne();
		const parts = { ...createTestParts(world), tenant };
		const found = await searchMemories({ ...memoryQuery, mode: "memories", now: world.now(), query: "likes tea", includeForgotten: true }, parts, createStep());
		expect(found.map((each) => each.kind === "memory" && each.memory.isForgotten)).toEqual([false]);
	}
});

test("many memories with the same words leave no other out", async () => {
	for (let i = 0; i < 60; i++) await write("likes tea", { containerTag: `user_${i}` });
	await write("likes tea from a blue cup", { containerTag: "user_1" });
	expect(await textsOf({ query: "likes tea", threshold: 0, limit: 10 })).toEqual(["likes tea", "likes tea from a blue cup"]);
});

test("another container's memories are not found, however well they fit", async () => {
	await write("the harbour is open", { containerTag: "other" });
	await write("the harbour is closed", { containerTag: "own" });
	expect(await textsOf({ scope: { ...wholeOrganisation, containerTags: ["own"] } })).toEqual(["the harbour is closed"]);
});

test("an embedder that does not answer leaves the words, and nothing found is no error", async () => {
	await write("the harbour is open");
	const silent = { ...lettersEmbedder, embed: () => Promise.reject(fail("EMBEDDER_UNAVAILABLE", "letters", "no answer")) };
	const parts = { ...createTestParts(world), embedder: silent, tenant };
	const query = { ...memoryQuery, mode: "memories", now: world.now() } as const;
	expect((await searchMemories({ ...query, query: "harbour" }, parts, createStep())).length).toBe(1);
	expect(await searchMemories({ ...query, query: "zebra" }, parts, createStep())).toEqual([]);
});

test("a star lists everything, the newest first, whatever the threshold", async () => {
	const day = 86_400_000;
	const at = (days: number) => ({ createdAt: new Date(world.now().getTime() + days * day) });
	await write("the oldest", at(-3));
	const forgotten = await write("no longer so", at(-2));
	await write("the newest", at(-1));
	await tenant.memories.forget([forgotten.id], null, world.now());
	expect(await search({ query: " * ", threshold: 0.9 })).toEqual([
		{ text: "the newest", score: 1 },
		{ text: "the oldest", score: 1 },
	]);
	expect(await textsOf({ query: "*", limit: 1 })).toEqual(["the newest"]);
	expect(await textsOf({ query: "*", includeForgotten: true })).toEqual(["the newest", "no longer so", "the oldest"]);
	expect(await textsOf({ query: "*", asOf: new Date(world.now().getTime() - 2.5 * day) })).toEqual(["the oldest"]);
	expect(await textsOf({ query: "*", tokensMax: 10, threshold: 0.9 })).not.toEqual([]);
});
