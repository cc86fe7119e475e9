/** An index is fed page by page: also where a page holds nothing that may be seen, and others get their turn in between. */

import { expect, test } from "bun:test";
import type { OrganisationId, World } from "../../../core/index.ts";
import { createCollections } from "../../../core/indexes/collections.ts";
import { feedCollections } from "../../../core/indexes/feed-collections.ts";
import { exactIndex } from "../../doubles/exact-index.ts";

test("pages of texts that are not published are passed over, and no collection is made for them", async () => {
	const index = exactIndex();
	const asked: (string | null)[] = [];
	const stopping = new AbortController();
	let sleeps = 0;
	const world = {
		elapsedMs: () => 0,
		log: () => undefined,
		sleep: async () => {
			sleeps += 1;
			if (sleeps > 8) stopping.abort();
		},
	} as unknown as World;
	await feedCollections(
		{
			index,
			storage: {},
			collections: createCollections(index, (text) => text),
			addresses: async () => [{ organisation: "org" as OrganisationId, space: null, kind: "chunk" }],
			sourceOf: () => ({
				changesSince: async (_kind, from) => {
					asked.push(from);
					const page = Number(from ?? 0) + 1;
					return { put: [], gone: [`staged-${page}`], position: String(Math.min(page, 3)), isAtEnd: page >= 3 };
				},
			}),
			entryOf: () => ({ id: "", containerTags: [], vector: new Float32Array() }),
			world,
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(asked.slice(0, 4)).toEqual([null, "1", "2", "3"]);
	expect(sleeps).toBeGreaterThan(asked.length - 1);
	expect(await index.names()).toEqual([]);
});

test("an index is told whether more follows, also by a last page that has nothing", async () => {
	const applied: (readonly [position: string, moreFollow: boolean | undefined])[] = [];
	const index = exactIndex();
	const stopping = new AbortController();
	const noted: typeof index.open = async (...asked) => {
		const collection = await index.open(...asked);
		const apply: typeof collection.apply = async (changes) => {
			applied.push([changes.position, changes.moreFollow]);
			await collection.apply(changes);
		};
		return { ...collection, apply };
	};
	let sleeps = 0;
	const world = {
		elapsedMs: () => 0,
		log: () => undefined,
		sleep: async () => {
			if (++sleeps > 8) stopping.abort();
		},
	} as unknown as World;
	await feedCollections(
		{
			index,
			storage: {},
			collections: createCollections({ ...index, open: noted }, (text) => text),
			addresses: async () => [{ organisation: "org" as OrganisationId, space: null, kind: "chunk" }],
			sourceOf: () => ({
				changesSince: async (_kind, from) => {
					const page = Number(from ?? 0) + 1;
					const put = page < 3 ? [{ id: `text${page}`, containerTags: [], vector: Float32Array.of(1) }] : [];
					return { put, gone: [], position: String(Math.min(page, 3)), isAtEnd: page >= 3 };
				},
			}),
			entryOf: (entry) => entry,
			world,
			reportLag: () => undefined,
		},
		stopping.signal,
	);
	expect(applied).toEqual([
		["1", true],
		["2", true],
		["3", false],
	]);
});

test("a collection that could not be fed counts no longer when its organisation is gone", async () => {
	const index = exactIndex();
	const stopping = new AbortController();
	const lags: number[] = [];
	let at = 0;
	const world = {
		elapsedMs: () => at,
		log: () => undefined,
		sleep: async () => {
			at += 1_000;
			if (lags.length > 6) stopping.abort();
		},
	} as unknown as World;
	const [gone, kept] = ["gone", "kept"].map((organisation) => ({ organisation: organisation as OrganisationId, space: null, kind: "chunk" as const }));
	if (gone === undefined || kept === undefined) throw new Error("unreachable");
	await feedCollections(
		{
			index,
			storage: {},
			collections: createCollections(index, (text) => text),
			addresses: async () => (lags.length < 3 ? [gone, kept] : [kept]),
			sourceOf: ({ organisation }) => ({
				changesSince: async () => {
					if (organisation === gone.organisation) throw new Error("its rows cannot be read");
					return { put: [], gone: [], position: "1", isAtEnd: true };
				},
			}),
			entryOf: () => ({ id: "", containerTags: [], vector: new Float32Array() }),
			world,
			reportLag: (seconds) => lags.push(seconds),
		},
		stopping.signal,
	);
	expect(lags[2]).toBeGreaterThan(0);
	expect(lags.slice(4).every((lag) => lag === 0)).toBe(true);
});
