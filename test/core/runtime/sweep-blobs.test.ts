/** The sweep of blobs: what nothing needs goes when it is old, and a store on another machine is listed seldom and by its own clock. */

import { expect, test } from "bun:test";
import { asId, type BlobStorePlugin, type HeldBlob, type OrganisationId } from "cairn-memory";
import { blobSweeper } from "../../../core/runtime/sweep-blobs.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("organisationAAAAAAAAAA");
const hourMs = 60 * 60_000;
const signal = new AbortController().signal;

function scene(sweepEveryMs?: number, manyWriters = false) {
	const world = createTestWorld();
	const held = new Map<string, HeldBlob>();
	let lists = 0;
	const store: BlobStorePlugin = {
		name: "test",
		...(sweepEveryMs !== undefined && { sweepEveryMs }),
		organisation: () => ({
			put: () => Promise.reject(new Error("nothing is put")),
			get: async () => null,
			remove: async (key) => void held.delete(key),
		}),
		list: async function* () {
			lists++;
			yield* [...held.values()];
		},
	};
	const put = (key: string, agoMs: number) => {
		const at = new Date(world.now().getTime() - agoMs);
		held.set(key, { organisation, key, writtenAt: at, placedAt: at, byteLength: 10 });
	};
	const records = {
		supports: { manyWriters, durable: true },
		blobsNeeded: async (_organisation: OrganisationId, keys: readonly string[]) => new Set(keys.filter((key) => key === "needed")),
	};
	let ownedSince: Date | null = new Date(8.64e15);
	let hasHesitated = true;
	const asked: boolean[] = [];
	const owner = {
		takeTurn: async () => ownedSince,
		hasHesitated: async (isMost: boolean) => {
			asked.push(isMost);
			return !isMost || hasHesitated;
		},
	};
	const sweeper = blobSweeper(records, store, owner, world);
	const own = (since: Date | null) => {
		ownedSince = since;
	};
	const hesitate = (yes: boolean) => {
		hasHesitated = !yes;
	};
	return { world, put, sweeper, own, hesitate, asked, keys: () => [...held.keys()], lists: () => lists };
}

test("of a store on this machine, the first sweep takes what an earlier run has left, and later ones what is old", async () => {
	const { world, put, sweeper, keys } = scene();
	put("needed", 2 * hourMs);
	put("earlier-run", 1_000);
	expect(sweeper.listedBytes()).toBeNull();
	await sweeper.sweep(signal);
	expect([keys(), sweeper.listedBytes()]).toEqual([["needed"], 20]);
	put("young", 0);
	await sweeper.sweep(signal);
	expect(keys()).toEqual(["needed", "young"]);
	world.advance(hourMs + 1);
	await sweeper.sweep(signal);
	expect(keys()).toEqual(["needed"]);
});

test("of a store elsewhere, nothing is taken for a blob of an earlier run, and it is listed as seldom as it says", async () => {
	const { world, put, sweeper, keys, lists } = scene(6 * hourMs);
	// By the other clock, which is slow, it was there before the start.
	put("just-put", 1_000);
	put("old", 2 * hourMs);
	await sweeper.sweep(signal);
	expect(keys()).toEqual(["just-put"]);
	world.advance(5 * hourMs);
	await sweeper.sweep(signal);
	expect([keys(), lists()]).toEqual([["just-put"], 1]);
	world.advance(hourMs);
	await sweeper.sweep(signal);
	expect([keys(), lists()]).toEqual([[], 2]);
});

test("where several programs write, the first sweep leaves what another one may have just put there", async () => {
	const { put, sweeper, keys } = scene(undefined, true);
	put("of-another-program", 1_000);
	put("old", 2 * hourMs);
	await sweeper.sweep(signal);
	expect(keys()).toEqual(["of-another-program"]);
});

test("blobs of another database are counted and stay", async () => {
	const { put, sweeper, own, keys } = scene();
	own(null);
	put("of-another-database", 2 * hourMs);
	await sweeper.sweep(signal);
	expect([keys(), sweeper.listedBytes()]).toEqual([["of-another-database"], 10]);
});

test("of a store that others may reach, only what is older than the turn before goes", async () => {
	const { world, put, sweeper, own, keys } = scene(6 * hourMs);
	own(new Date(world.now().getTime() - 3 * hourMs));
	put("before", 5 * hourMs);
	put("just-before", 3.5 * hourMs);
	put("after", 2 * hourMs);
	await sweeper.sweep(signal);
	expect(keys()).toEqual(["just-before", "after"]);
});

test("more than half of many blobs go only after the sweep has hesitated", async () => {
	const { put, sweeper, hesitate, asked, keys } = scene();
	hesitate(true);
	for (let i = 0; i < 150; i++) put(`needless-${i}`, 2 * hourMs);
	put("needed", 2 * hourMs);
	await sweeper.sweep(signal);
	expect(keys().length).toBe(151);
	hesitate(false);
	await sweeper.sweep(signal);
	expect([keys(), asked]).toEqual([["needed"], [true, true]]);
});

test("more needless blobs than one sweep holds are searched for again at once only if it removed some", async () => {
	const { world, put, sweeper, hesitate, lists, keys } = scene(6 * hourMs);
	hesitate(true);
	for (let i = 0; i < 20_200; i++) put(`needless-${i}`, 2 * hourMs);
	await sweeper.sweep(signal);
	await sweeper.sweep(signal);
	expect(lists()).toBe(1);
	hesitate(false);
	world.advance(6 * hourMs);
	await sweeper.sweep(signal);
	await sweeper.sweep(signal);
	expect([keys(), lists()]).toEqual([[], 3]);
});
