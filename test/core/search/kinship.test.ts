/** Kin of memories: two generations each way, and nothing that was forgotten unless it is asked for. */

import { expect, test } from "bun:test";
import { kinship } from "../../../core/search/kinship.ts";
import { ramStorage } from "../../../plugins/storage/ram/storage.ts";
import { createSamples, edgeBetween, sampleOrganisation, sampleSpace } from "../../conformance/samples.ts";

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
	const kin = (await kinship(middle, store, { includeForgotten: false, now: new Date() })).get(middle[0] as never);
	expect(kin?.parents.map(({ memory, distance }) => [memory.text, distance])).toEqual([
		["memory 2", -1],
		["memory 1", -2],
	]);
	expect(kin?.children.map(({ memory, distance }) => [memory.text, distance])).toEqual([
		["memory 4", 1],
		["memory 5", 2],
	]);
});

test("what was forgotten is no kin, unless it is asked for", async () => {
	const { store, ids } = await chainOf(3);
	const [first, , last] = ids;
	await store.forget([first as never], null, new Date());
	const parentsOf = async (includeForgotten: boolean) =>
		(await kinship([last as never], store, { includeForgotten, now: new Date() })).get(last as never)?.parents.map(({ memory }) => memory.text);
	expect(await parentsOf(false)).toEqual(["memory 1"]);
	expect(await parentsOf(true)).toEqual(["memory 1", "memory 0"]);
});
