/** Of several programs that share an index one feeds it, and the others see how far it is, and that it was dropped and made anew. */

import { expect, test } from "bun:test";
import type { OrganisationId, VectorCollection, VectorIndex, World } from "../../../core/index.ts";
import { type CollectionAddress, createCollections } from "../../../core/indexes/collections.ts";
import { feedCollections } from "../../../core/indexes/feed-collections.ts";
import { exactIndex } from "../../doubles/exact-index.ts";

const address: CollectionAddress = { organisation: "org" as OrganisationId, space: null, kind: "chunk" };

function moveTo(collection: VectorCollection, position: string): Promise<void> {
	return collection.apply({ put: [], remove: [], position });
}

test("who does not feed an index reads its positions again", async () => {
	const index = exactIndex();
	const [feeding, reading] = [createCollections(index, (text) => text), createCollections(index, (text) => text)];
	const fed = await feeding.open(address);
	await moveTo(fed, "1");
	const state = await reading.state(address);
	expect(state.position).toBe("1");
	await moveTo(fed, "2");
	await reading.refresh();
	expect(state).toMatchObject({ position: "2", generation: 0, collection: fed });

	await feeding.drop(address);
	const anew = await feeding.open(address);
	await moveTo(anew, "3");
	await reading.refresh();
	// A search that has begun with the old one notices it by the generation.
	expect(state).toMatchObject({ position: "3", generation: 1, collection: anew });
	await feeding.drop(address);
	await reading.refresh();
	expect(await reading.state(address)).toMatchObject({ position: null, collection: null });
});

test("who is to feed an index from now on begins where another program has left it", async () => {
	const shared = exactIndex();
	const claims = [false, false, true];
	const index = { ...shared, claim: async () => claims.shift() ?? true };
	const collections = createCollections(index, (text) => text);
	await collections.state(address);
	const asked: (string | null)[] = [];
	const stopping = new AbortController();
	const rounds = [async () => moveTo(await shared.open(await nameOf(), 0, "org"), "7")];
	const nameOf = async () => {
		await createCollections(shared, (text) => text).open(address);
		return (await shared.names())[0] ?? "";
	};
	const world = { elapsedMs: () => 0, log: () => undefined, sleep: async () => rounds.shift()?.() } as unknown as World;
	await feedCollections(
		{
			...{ index, storage: {}, collections, world },
			addresses: async () => [address],
			sourceOf: () => ({
				changesSince: async (_kind, from) => {
					asked.push(from);
					stopping.abort();
					return { put: [], gone: [], position: "8", isAtEnd: true };
				},
			}),
			entryOf: () => ({ id: "", containerTags: [], vector: new Float32Array() }),
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(asked).toEqual(["7"]);
});

test("words of another analysis are not searched, and are made anew from the first change on", async () => {
	const index = exactIndex();
	const [older, newer] = [1, 2].map((analysis) => createCollections(index, (text) => text, analysis));
	if (older === undefined || newer === undefined) throw new Error("unreachable");
	await moveTo(await older.open(address), "7");
	expect(await newer.state(address)).toMatchObject({ position: null, collection: null });
	const asked: (string | null)[] = [];
	const stopping = new AbortController();
	await feedCollections(
		{
			...{ index, storage: {}, collections: newer, addresses: async () => [address] },
			sourceOf: () => ({
				changesSince: async (_kind, from) => {
					asked.push(from);
					return { put: [{ id: "a", vector: Float32Array.of(1), containerTags: [] }] as never, gone: [], position: "8", isAtEnd: true };
				},
			}),
			entryOf: (changed) => changed as never,
			world: { elapsedMs: () => 0, log: () => undefined, sleep: async () => stopping.abort() } as unknown as World,
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(asked).toEqual([null]);
	expect(await newer.state(address)).toMatchObject({ position: "8" });
	// What an older server had is gone, so that it searches the records until it ends.
	await older.refresh();
	expect(await older.state(address)).toMatchObject({ position: null, collection: null });
	expect((await index.names()).length).toBe(1);
});

test("words of an earlier analysis are kept until those in their place are up to date, and those of a removed organisation are not", async () => {
	const index = exactIndex();
	const [older, newer] = [1, 2].map((analysis) => createCollections(index, (text) => text, analysis));
	if (older === undefined || newer === undefined) throw new Error("unreachable");
	await moveTo(await older.open(address), "7");
	await older.open({ ...address, organisation: "removed" as OrganisationId });
	const listed: number[] = [];
	const ends = [false, false, true];
	const stopping = new AbortController();
	await feedCollections(
		{
			...{ index, storage: {}, collections: newer, addresses: async () => [address] },
			sourceOf: () => ({
				changesSince: async () => {
					listed.push((await index.names()).length);
					const [isAtEnd = true] = ends.splice(0, 1);
					return { put: [{ id: "a", vector: Float32Array.of(1), containerTags: [] }] as never, gone: [], position: "8", isAtEnd };
				},
			}),
			entryOf: (changed) => changed as never,
			world: { elapsedMs: () => 0, log: () => undefined, sleep: async (ms: number) => (ms > 1 ? stopping.abort() : undefined) } as unknown as World,
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(listed.slice(0, 3)).toEqual([2, 2, 2]);
	expect((await index.names()).length).toBe(1);
	await older.refresh();
	expect(await older.state(address)).toMatchObject({ position: null });
});

test("a change that was made although the index said that it failed is not taken for a fault of the index", async () => {
	const shared = exactIndex();
	const drops: string[] = [];
	let isLost = true;
	/** As on a server: a change is only made at the position that this program has read. */
	const index: VectorIndex = {
		...shared,
		claim: async () => true,
		drop: async (name) => void drops.push(name),
		open: async (...asked) => {
			const collection = await shared.open(...asked);
			let known: string | null = null;
			return {
				...collection,
				position: async () => {
					known = await collection.position();
					return known;
				},
				apply: async (changes) => {
					if (known !== (await collection.position())) throw new Error("fed by another program");
					await collection.apply(changes);
					if (isLost) {
						isLost = false;
						throw new Error("the connection was lost before the answer");
					}
					known = changes.position;
				},
			};
		},
	};
	const stopping = new AbortController();
	let rounds = 0;
	const world = { elapsedMs: () => 0, log: () => undefined, sleep: async () => void (++rounds > 20 && stopping.abort()) } as unknown as World;
	const collections = createCollections(index, (text) => text);
	await feedCollections(
		{
			...{ index, storage: {}, collections, world },
			addresses: async () => [address],
			sourceOf: () => ({
				changesSince: async (_kind, from) => {
					const next = Math.min(Number(from ?? 0) + 1, 3);
					return { put: [{ id: `${next}`, containerTags: [], vector: Float32Array.of(1) }] as never, gone: [], position: `${next}`, isAtEnd: next === 3 };
				},
			}),
			entryOf: (changed) => changed as never,
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(drops).toEqual([]);
	expect(await collections.state(address)).toMatchObject({ position: "3", isBehind: false });
});

test("a collection that fails for good has no other one read again", async () => {
	const addresses = ["bad", "one", "two"].map((organisation) => ({ ...address, organisation: organisation as OrganisationId }));
	const shared = exactIndex();
	const reads = new Map<string, number>();
	const index: VectorIndex = {
		...shared,
		claim: async () => true,
		open: async (...asked) => {
			const collection = await shared.open(...asked);
			const [, , organisation] = asked;
			return {
				...collection,
				position: async () => {
					reads.set(organisation, (reads.get(organisation) ?? 0) + 1);
					return collection.position();
				},
				apply: async (changes) => {
					if (organisation === "bad") throw new Error("its entries are broken");
					await collection.apply(changes);
				},
			};
		},
	};
	const stopping = new AbortController();
	let rounds = 0;
	const world = { elapsedMs: () => 0, log: () => undefined, sleep: async () => void (++rounds > 20 && stopping.abort()) } as unknown as World;
	await feedCollections(
		{
			...{ index, storage: {}, collections: createCollections(index, (text) => text), world },
			addresses: async () => addresses,
			sourceOf: () => ({
				changesSince: async (_kind, from) => ({
					put: from === null ? [{ id: "1", containerTags: [], vector: Float32Array.of(1) } as never] : [],
					gone: [],
					position: "1",
					isAtEnd: true,
				}),
			}),
			entryOf: (changed) => changed as never,
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(reads.get("bad")).toBeGreaterThan(2);
	expect([reads.get("one") ?? 0, reads.get("two") ?? 0]).toEqual([0, 0]);
});

test("while a collection is being dropped, searches do not wait for it", async () => {
	const shared = exactIndex();
	const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const calls: string[] = [];
	const index: VectorIndex = {
		...shared,
		names: async () => {
			calls.push("names");
			return shared.names();
		},
		open: async (...asked) => {
			calls.push("open");
			return shared.open(...asked);
		},
		drop: async (name) => {
			begun.resolve();
			await ended.promise;
			throw new Error(`another program feeds ${name}`);
		},
	};
	await moveTo(await createCollections(shared, (text) => text).open(address), "1");
	const collections = createCollections(index, (text) => text);
	expect(await collections.state(address)).toMatchObject({ position: "1" });
	calls.length = 0;
	const dropping = collections.drop(address).catch((thrown: unknown) => String(thrown));
	await begun.promise;
	expect(await collections.state(address)).toMatchObject({ position: null, collection: null });
	expect(calls).toEqual([]);
	ended.resolve();
	expect(await dropping).toContain("another program feeds");
	// Nothing was dropped, which is read again.
	expect(await collections.state(address)).toMatchObject({ position: "1" });
});
