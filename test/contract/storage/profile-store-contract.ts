/** What a profile store promises: only what is current, the newest first, and buckets that follow their sorting. */

import type { Memory } from "cairn-memory";
import type { ContractTest } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { type Ground, idsOf, later, type OpenStorage, plenty, saveMemory, saveReplacement, storageTest } from "./ground.ts";

export function profileStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `profiles: ${name}`, holds);
	return [
		contractTest("the newest first, by part and container, as many as wanted", parts),
		contractTest("what was replaced, forgotten or has expired is in no part and no bucket", hidden),
		contractTest("a memory is in the buckets it was sorted into, under that sorting only", buckets),
		contractTest("what has to be sorted is told until it is", unsorted),
		contractTest("buckets of other organisations are apart", apart),
	];
}

async function parts(ground: Ground): Promise<void> {
	const { profiles } = ground.tenant;
	const [trait, passing, guess] = [await saveMemory(ground, { isStatic: true }), await saveMemory(ground), await saveMemory(ground, { isInference: true })];
	await saveMemory(ground, { isStatic: true, containerTag: "elsewhere" });
	const recent = async (part: "static" | "dynamic" | "inferred", limit = plenty) => idsOf(await profiles.recent("team", part, limit, later));
	demandEqual(await profiles.recent("team", "static", plenty, later), [trait], "the lasting traits");
	demandEqual(await recent("dynamic"), idsOf([guess, passing]), "everything else");
	demandEqual(await recent("dynamic", 1), [guess.id], "the newest of everything else");
	demandEqual(await recent("inferred"), [guess.id], "what was inferred");
	demandEqual(await profiles.recent("nowhere", "static", plenty, later), [], "the traits of a container that is not there");
}

async function hidden(ground: Ground): Promise<void> {
	const { memories, profiles } = ground.tenant;
	const [replaced, forgotten, expired] = [await saveMemory(ground), await saveMemory(ground), await saveMemory(ground, { forgetAfter: later })];
	await profiles.sort("s", sortedInto("b", [replaced, forgotten, expired]));
	const fresh = await saveReplacement(ground, replaced);
	await memories.forget([forgotten.id], null, later);
	demandEqual(idsOf(await profiles.recent("team", "dynamic", plenty, later)), [fresh.id], "what is current");
	demandEqual(await profiles.inBucket("team", ["s"], "b", plenty, later), [], "what is current in a bucket");
	demandEqual(idsOf(await profiles.unsorted("team", ["s"], plenty)), [fresh.id], "what has to be sorted");
	await memories.restore([forgotten.id], later);
	demandEqual(idsOf(await profiles.inBucket("team", ["s"], "b", plenty, later)), [forgotten.id], "what is in a bucket after it was restored");
}

async function buckets(ground: Ground): Promise<void> {
	const { profiles } = ground.tenant;
	const [first, second, third] = [await saveMemory(ground), await saveMemory(ground), await saveMemory(ground)];
	await profiles.sort("s", [...sortedInto("b", [first, third]), { memory: second.id, buckets: ["b", "c"] }]);
	const inside = async (bucket: string, sorting = "s", limit = plenty) => idsOf(await profiles.inBucket("team", [sorting], bucket, limit, later));
	demandEqual(await inside("b"), idsOf([third, second, first]), "the memories of a bucket");
	demandEqual(await inside("b", "s", 2), idsOf([third, second]), "the newest of them");
	demandEqual(await inside("c"), [second.id], "the memories of another bucket");
	demandEqual([await inside("d"), await inside("b", "t")], [[], []], "an unknown bucket, and another sorting");
	demandEqual(await profiles.inBucket("elsewhere", ["s"], "b", plenty, later), [], "the same bucket of another container");
	await profiles.sort("t", [
		{ memory: third.id, buckets: [] },
		{ memory: second.id, buckets: ["d"] },
	]);
	demandEqual([await inside("b"), await inside("b", "t"), await inside("d", "t")], [[first.id], [], [second.id]], "after some were sorted anew");
}

async function unsorted(ground: Ground): Promise<void> {
	const { profiles } = ground.tenant;
	const [first, second] = [await saveMemory(ground), await saveMemory(ground)];
	const left = async (sorting: string, limit = plenty) => idsOf(await profiles.unsorted("team", [sorting], limit));
	demandEqual([await left("m"), await left("m", 1)], [idsOf([second, first]), [second.id]], "what was never sorted");
	await profiles.sort("m", sortedInto("b", [second]));
	demandEqual(await left("m"), [first.id], "what is left to be sorted");
	// One that comes before and one that comes after in the order of names.
	for (const sorting of ["a", "z"]) demandEqual(await left(sorting), idsOf([second, first]), "what has to be sorted anew");
	await profiles.sort("m", [{ memory: first.id, buckets: [] }]);
	demandEqual(await left("m"), [], "what is left when all are sorted");
	const [third, fourth] = [await saveMemory(ground), await saveMemory(ground)];
	await profiles.sort("k", sortedInto("b", [third]));
	const leftBy = async (...sortings: string[]) => idsOf(await profiles.unsorted("team", sortings, plenty));
	demandEqual([await leftBy("m", "k"), await leftBy("k", "m", "a")], [[fourth.id], [fourth.id]], "what was sorted under none of several names");
	demandEqual(await leftBy("k", "z"), idsOf([fourth, second, first]), "what was sorted under a name between theirs");
	const both = idsOf(await profiles.inBucket("team", ["m", "k"], "b", plenty, later));
	demandEqual(both, idsOf([third, second]), "what is in a bucket under either of two names");
}

async function apart({ tenant, others, samples, storage, reopen }: Ground): Promise<void> {
	const ground = { tenant, others, samples, storage, reopen };
	const memory = await saveMemory(ground);
	await others.profiles.sort("s", sortedInto("b", [memory]));
	demandEqual(await tenant.profiles.inBucket("team", ["s"], "b", plenty, later), [], "what another organisation sorted");
	await tenant.profiles.sort("s", sortedInto("b", [memory]));
	demandEqual(await others.profiles.inBucket("team", ["s"], "b", plenty, later), [], "the bucket of another organisation");
}

function sortedInto(bucket: string, memories: readonly Memory[]) {
	return memories.map(({ id }) => ({ memory: id, buckets: [bucket] }));
}
