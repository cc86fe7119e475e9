/** A listed vector index answers what the storage's own search answers, however far it is, and whatever becomes of it. */

import { afterEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { OrganisationId, VectorCollection, VectorIndex } from "cairn-memory";
import { type Document, type MemoryFilter, type Scope, type Storage, type VectorSearch, wholeOrganisation } from "cairn-memory/stores";
import type { Embedders } from "../../../core/embedding-spaces/embedders.ts";
import { withVectorIndex } from "../../../core/indexes/with-indexes.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { exactIndex } from "../../doubles/exact-index.ts";
import { createFastWorld } from "../../doubles/fast-world.ts";
import { until } from "../../doubles/until.ts";
import { createTestWorld } from "../../doubles/world.ts";

const now = new Date("2026-06-01T00:00:00.000Z");
const everything: MemoryFilter = { scope: wholeOrganisation, includeForgotten: false, now };
const wide: Scope = { ...wholeOrganisation, containerTags: ["wide"] };
const narrow: Scope = { ...wholeOrganisation, containerTags: ["narrow"] };
/** More texts than are compared without an index. */
const many = 2_400;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

interface Ground {
	readonly storage: Storage;
	readonly samples: ReturnType<typeof createSamples>;
	readonly own: VectorSearch;
	readonly indexed: VectorSearch;
	readonly publish: (count: number, tags: readonly string[]) => Promise<Document>;
	/** Feeds the index until it holds what the storage holds. */
	readonly feed: () => Promise<void>;
	/** Feeds it until the test ends. */
	readonly start: () => void;
	readonly isFed: () => Promise<boolean>;
}

const sampleEmbedder = { name: "sample", space: sampleSpace, batchMax: 1, embed: async () => [] };

async function prepare(index: VectorIndex, spoilSource?: (storage: Storage) => Storage, ofSpace: Embedders["ofSpace"] = () => sampleEmbedder): Promise<Ground> {
	const storage = ramStorage();
	const samples = createSamples(11);
	const tenant = storage.organisation(sampleOrganisation);
	await storage.accounts.addOrganisation({ id: sampleOrganisation, name: "sample", slug: "sample", createdAt: now });
	const world = { ...createTestWorld(), ...createFastWorld(1_000) };
	const digest = (text: string) => createHash("sha256").update(text).digest("hex");
	const { storage: wrapped, feed } = withVectorIndex(spoilSource?.(storage) ?? storage, index, { embedders: { ofSpace }, digest, world });
	const publish = async (count: number, containerTags: readonly string[]) => {
		const document = samples.makeDocument({ containerTags });
		await tenant.documents.add(document, samples.makeJob(document));
		const chunks = Array.from({ length: count }, (_, position) => ({ chunk: samples.makeChunk(document, { position }), vector: samples.makeVector() }));
		await tenant.documents.stage(document.id, 1, sampleSpace, chunks);
		await tenant.documents.publish(document.id, 1, samples.nextTime());
		return document;
	};
	const own = tenant.vectors(sampleSpace);
	const held = async (kind: "chunk" | "memory") => {
		const name = (await index.names()).find((each) => each.startsWith(kind));
		if (name === undefined) return [];
		return (await index.open(name, sampleSpace.dimensions, sampleOrganisation)).nearest(samples.makeVector(), 10_000, {
			containerTags: [],
			tagsMatch: "all",
			allowedIds: null,
		});
	};
	const isFed = async () => {
		const chunks = idsOf(await own.nearestChunks(samples.makeVector(), wholeOrganisation, 10_000));
		const memories = idsOf(await own.nearestMemories(samples.makeVector(), everything, 10_000));
		return isSame(await held("chunk"), chunks) && isSame(await held("memory"), memories);
	};
	return {
		storage,
		samples,
		publish,
		own,
		indexed: wrapped.organisation(sampleOrganisation).vectors(sampleSpace),
		feed: async () => {
			const stopping = new AbortController();
			const feeding = feed(stopping.signal);
			while (!(await isFed())) await Bun.sleep(1);
			stopping.abort();
			await feeding;
		},
		start: () => {
			const stopping = new AbortController();
			const feeding = feed(stopping.signal);
			stops.push(async () => {
				stopping.abort();
				await feeding;
			});
		},
		isFed,
	};
}

function idsOf(hits: readonly { readonly id: string }[]): readonly string[] {
	return hits.map(({ id }) => id);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
	return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/** The same hits as the storage's own search, in the same order, with the same scores. */
async function expectAlike({ own, indexed, samples }: Ground, scopes: readonly Scope[] = [wholeOrganisation, wide, narrow]): Promise<void> {
	for (const scope of scopes) {
		for (const limit of [0, 1, 10, 100]) {
			const query = samples.makeVector();
			expect(await indexed.nearestChunks(query, scope, limit)).toEqual([...(await own.nearestChunks(query, scope, limit))]);
			const grants = { ...everything, scope };
			expect(await indexed.nearestMemories(query, grants, limit)).toEqual([...(await own.nearestMemories(query, grants, limit))]);
		}
	}
}

/** Counts what an index is asked, and may be told to fail. */
function watched(index: VectorIndex) {
	const seen = { asked: 0, isBroken: false };
	const watch = (collection: VectorCollection): VectorCollection => ({
		...collection,
		nearest: (...asked) => {
			seen.asked++;
			return seen.isBroken ? Promise.reject(new Error("broken")) : collection.nearest(...asked);
		},
	});
	return { seen, index: { ...index, open: async (...asked: Parameters<VectorIndex["open"]>) => watch(await index.open(...asked)) } };
}

for (const filters of ["payload", "allowed-ids"] as const) {
	describe(`an index that filters by ${filters}`, () => {
		test("answers as the storage does, before it is fed and after", async () => {
			const { index, seen } = watched(exactIndex(filters));
			const ground = await prepare(index);
			await ground.publish(many, ["wide"]);
			await ground.publish(30, ["narrow"]);
			await ground.storage.organisation(sampleOrganisation).memories.save(
				sampleSpace,
				Array.from({ length: 50 }, () => ({ memory: ground.samples.makeMemory({ containerTag: "narrow" }), vector: ground.samples.makeVector() })),
				[],
			);
			await expectAlike(ground);
			expect(seen.asked).toBe(0);
			await ground.feed();
			await expectAlike(ground);
			expect(seen.asked).toBeGreaterThan(0);
		});

		test("finds what was published, moved and removed since it was fed", async () => {
			const { index, seen } = watched(exactIndex(filters));
			const ground = await prepare(index);
			await ground.publish(many, ["wide"]);
			const [goner, mover] = [await ground.publish(300, ["wide"]), await ground.publish(300, ["elsewhere"])];
			await ground.feed();
			const { documents } = ground.storage.organisation(sampleOrganisation);
			await ground.publish(300, ["wide"]);
			await documents.change(mover.id, { containerTags: ["wide"] }, now, null);
			await documents.remove(goner.id, now);
			await expectAlike(ground);
			expect(seen.asked).toBeGreaterThan(0);
			await ground.feed();
			await expectAlike(ground);
		});

		test("asks for more where a filter that it does not know leaves too few", async () => {
			const ground = await prepare(exactIndex(filters));
			const { documents } = ground.storage.organisation(sampleOrganisation);
			await ground.publish(3 * many, ["wide"]);
			const other = await ground.publish(many, ["wide"]);
			await documents.change(other.id, { filepath: "/plans/roof" }, now, null);
			await ground.feed();
			await expectAlike(ground, [
				{ ...wide, filepath: "/plans/roof" },
				{ ...wholeOrganisation, document: other.id },
			]);
		});
	});
}

test("while an index fails the storage answers, and it is used again when it does not", async () => {
	const { index, seen } = watched(exactIndex());
	const ground = await prepare(index);
	await ground.publish(many, ["wide"]);
	await ground.feed();
	seen.isBroken = true;
	await expectAlike(ground);
	seen.isBroken = false;
	const before = seen.asked;
	await expectAlike(ground);
	expect(seen.asked).toBeGreaterThan(before);
});

test("an index that cannot be fed is dropped after a while, and made anew", async () => {
	const exact = exactIndex();
	let failures = 0;
	const open: VectorIndex["open"] = async (...asked) => {
		const collection = await exact.open(...asked);
		return { ...collection, apply: (changes) => (failures++ < 4 ? Promise.reject(new Error("damaged")) : collection.apply(changes)) };
	};
	const ground = await prepare({ ...exact, open });
	await ground.publish(many, ["wide"]);
	await ground.feed();
	expect(failures).toBeGreaterThan(4);
	await expectAlike(ground);
});

test("where the log does not reach back to an index it is dropped and made anew, while searches go on", async () => {
	const exact = exactIndex();
	let [isSwept, dropped] = [false, 0];
	const sweeping = (storage: Storage): Storage => ({
		...storage,
		vectorSource: (...asked) => {
			const source = storage.vectorSource(...asked);
			return { ...source, changesSince: async (kind, from, limit) => (isSwept && from !== null ? null : source.changesSince(kind, from, limit)) };
		},
	});
	const drop: VectorIndex["drop"] = async (name) => {
		await exact.drop(name);
		dropped++;
		isSwept = false;
	};
	const ground = await prepare({ ...exact, drop }, sweeping);
	await ground.publish(many, ["wide"]);
	await ground.feed();
	isSwept = true;
	ground.start();
	while (dropped === 0 || !(await ground.isFed())) {
		await expectAlike(ground, [wide]);
		await Bun.sleep(0);
	}
	await expectAlike(ground);
});

test("a collection that no organisation and no space wants any more is dropped", async () => {
	const index = exactIndex();
	const old = "chunk-of-a-space-that-was";
	await index.open(old, 8, sampleOrganisation);
	const ground = await prepare(index);
	await ground.publish(3, ["narrow"]);
	ground.start();
	await until(async () => {
		const names = await index.names();
		return names.length > 0 && !names.includes(old);
	});
});

test("a server without the embedder of a space feeds each organisation's vectors as they are, whatever their dimensions", async () => {
	const index = exactIndex();
	const opened = new Set<string>();
	const open: VectorIndex["open"] = (name, dimensions, organisation) => {
		opened.add(`${organisation}: ${dimensions}`);
		return index.open(name, dimensions, organisation);
	};
	const { storage, samples, start } = await prepare({ ...index, open }, undefined, () => null);
	const otherOrganisation = "organisationBBBBBBBBBB" as OrganisationId;
	await storage.accounts.addOrganisation({ id: otherOrganisation, name: "other", slug: "other", createdAt: now });
	for (const [organisation, dimensions] of [[sampleOrganisation, 16] as const, [otherOrganisation, 4] as const])
		await storage
			.organisation(organisation)
			.memories.save({ ...sampleSpace, dimensions }, [{ memory: samples.makeMemory(), vector: samples.makeVector(dimensions) }], []);
	start();
	await until(async () => opened.size >= 2);
	expect([...opened].toSorted()).toEqual([`${sampleOrganisation}: 16`, `${otherOrganisation}: 4`].toSorted());
});

test("a server without the embedder of a space asks anew for the dimensions of vectors that were gone", async () => {
	const index = exactIndex();
	const opened = new Set<number>();
	const open: VectorIndex["open"] = (name, dimensions, organisation) => {
		opened.add(dimensions);
		return index.open(name, dimensions, organisation);
	};
	let stored: number | null = sampleSpace.dimensions;
	const storedAs = (storage: Storage): Storage => {
		const organisations = async () => (stored === null ? [] : [sampleOrganisation]);
		return { ...storage, spaces: { ...storage.spaces, organisations, dimensionsOf: async () => stored } };
	};
	const ground = await prepare({ ...index, open }, storedAs, () => null);
	await ground.publish(3, ["narrow"]);
	ground.start();
	await until(async () => opened.has(sampleSpace.dimensions));
	stored = null;
	await until(async () => (await index.names()).length === 0);
	const shorter = { memory: ground.samples.makeMemory(), vector: ground.samples.makeVector(4) };
	await ground.storage.organisation(sampleOrganisation).memories.save({ ...sampleSpace, dimensions: 4 }, [shorter], []);
	stored = 4;
	await until(async () => opened.has(4));
});

test("a server without the embedder of a space keeps its collections, and feeds them for those that search them", async () => {
	const index = exactIndex();
	let dropped = 0;
	const drop: VectorIndex["drop"] = async (name) => {
		dropped++;
		await index.drop(name);
	};
	let embedder: typeof sampleEmbedder | null = sampleEmbedder;
	const ground = await prepare({ ...index, drop }, undefined, () => embedder);
	await ground.publish(many, ["wide"]);
	await ground.feed();
	embedder = null;
	await ground.publish(3, ["narrow"]);
	await ground.feed();
	expect(dropped).toBe(0);
	await expectAlike(ground);
});
