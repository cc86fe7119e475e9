/** Kin of memories: two generations each way, and nothing that was forgotten unless it is asked for. */

import { expect, test } from "bun:test";
import { findRelatives } from "../../../core/search/relatives.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, edgeBetween, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";

async function chainOf(length: number) {
	const samples = createSamples(1);
	const { memories: store } = ramStorage().organisation(sampleOrganisation);
	const chain = Array.from({ length }, (_, i) => samples.makeMemory({ text: `memory ${i}` }));
	const edges = chain.slice(1).flatMap((memory, i) => {
		const older = chain[i];
		return older === undefined ? [] : [edgeBetween(memory, "extends", older)];
	});
	await store.save(
		sampleSpace,
		chain.map((memory) => ({ memory, vector: samples.makeVector() })),
		edges,
	);
	return { store, chain, ids: chain.map(({ id }) => id) };
}

test("parents and children are told to the second generation, nearest first", async () => {
	const { store, ids } = await chainOf(7);
	const middle = ids.slice(3, 4);
	const relatives = (await findRelatives(middle, store, { includeForgotten: false, now: new Date() })).get(middle[0] as never);
	expect(relatives?.parents.map(({ memory, distance }) => [memory.text, distance])).toEqual([
		["memory 2", -1],
		["memory 1", -2],
	]);
	expect(relatives?.children.map(({ memory, distance }) => [memory.text, distance])).toEqual([
		["memory 4", 1],
		["memory 5", 2],
	]);
});

/** A hub that has grown for a year: an older version, three parents, and a child a minute. */
async function hubOf(children: number) {
	const samples = createSamples(2);
	const { memories: store } = ramStorage().organisation(sampleOrganisation);
	const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
	const parents = [0, 1, 2].map((i) => samples.makeMemory({ text: `parent ${i}`, createdAt: at(i) }));
	const old = samples.makeMemory({ text: "old version", createdAt: at(0) });
	const hub = samples.makeMemory({ text: "hub", version: 2, createdAt: at(10) });
	const young = Array.from({ length: children }, (_, i) => samples.makeMemory({ text: `child ${i}`, createdAt: at(20 + i) }));
	const edges = [
		...parents.map((parent) => edgeBetween(hub, "extends", parent)),
		edgeBetween(hub, "updates", old),
		...young.map((child) => edgeBetween(child, "extends", hub)),
	];
	const embedded = [...parents, old, hub, ...young].map((memory) => ({ memory, vector: samples.makeVector() }));
	await store.save(sampleSpace, embedded, edges);
	return { store, hub, young };
}

test("five are shown: the other version first, then the nearest, the newest of them first", async () => {
	const { store, hub } = await hubOf(600);
	const relatives = (await findRelatives([hub.id], store, { includeForgotten: false, now: new Date() })).get(hub.id);
	expect(relatives?.parents.map(({ memory }) => memory.text)).toEqual(["old version"]);
	expect(relatives?.children.map(({ memory }) => memory.text)).toEqual(["child 599", "child 598", "child 597", "child 596"]);
});

test("of a memory with thousands of relatives no more than some are read", async () => {
	const { store, hub, young } = await hubOf(3_000);
	const read = { edges: 0, memories: 0 };
	const counted: typeof store = {
		...store,
		edges: () => Promise.reject(new Error("all edges were asked for")),
		newestEdges: async (...asked) => {
			const edges = await store.newestEdges(...asked);
			read.edges += edges.length;
			return edges;
		},
		get: async (ids) => {
			read.memories += ids.length;
			return store.get(ids);
		},
	};
	const now = new Date();
	// The newest are hidden, so that it has to look on, and stops all the same.
	await store.forget(
		young.slice(-20).map(({ id }) => id),
		null,
		now,
	);
	await findRelatives([hub.id], counted, { includeForgotten: false, now });
	expect(read.edges).toBeLessThan(200);
	expect(read.memories).toBeLessThan(200);
});

test("of an earlier moment the newest are those of then", async () => {
	const { store, hub, young } = await hubOf(100);
	const knownAt = young[50]?.createdAt ?? new Date();
	const relatives = (await findRelatives([hub.id], store, { includeForgotten: false, now: new Date(), moment: { knownAt, trueAt: null } })).get(hub.id);
	expect(relatives?.children[0]?.memory.text).toBe("child 50");
});

test("what was forgotten is no kin, unless it is asked for", async () => {
	const { store, ids } = await chainOf(3);
	const [first, , last] = ids;
	await store.forget([first as never], null, new Date());
	const parentsOf = async (includeForgotten: boolean) =>
		(await findRelatives([last as never], store, { includeForgotten, now: new Date() })).get(last as never)?.parents.map(({ memory }) => memory.text);
	expect(await parentsOf(false)).toEqual(["memory 1"]);
	expect(await parentsOf(true)).toEqual(["memory 1", "memory 0"]);
});
