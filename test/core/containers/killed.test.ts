/** Merging and deleting containers, killed before each of their writes in turn: done again, the end is the same. */

import { describe, expect, test } from "bun:test";
import { attachmentsPrefix, type Storage, type TenantStore } from "cairn-memory/stores";
import { batch } from "../../../core/containers/container-contents.ts";
import { mergeStore } from "../../../core/containers/merge.ts";
import { removeContainer } from "../../../core/containers/remove-container.ts";
import { mergeHandler } from "../../../core/jobs/merge-handler.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { addDocument, addPublished, firstChunk, saveExtracted, saveMemory } from "../../contract/storage/ground.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld(Date.parse("2026-06-01T00:00:00Z"));
const forever = new AbortController().signal;
const merge = {
	id: "merge",
	sourceTags: ["old"],
	targetTag: "new",
	status: "queued",
	documents: 0,
	memories: 0,
	error: null,
	by: "key",
	createdAt: "2026-06-01T00:00:00.000Z",
	updatedAt: "2026-06-01T00:00:00.000Z",
} as const;

class Killed extends Error {}

/** Rooms of the same storage whose writes end after so many: all that the process had done is there, the rest is not. */
function mortal(tenant: TenantStore, writesMax: number): TenantStore {
	let writes = 0;
	const guarded = <Store extends object>(store: Store, names: readonly (keyof Store)[]): Store => {
		const guard = (name: keyof Store) => {
			const write = store[name] as (...args: unknown[]) => Promise<unknown>;
			return [name, async (...args: unknown[]) => (writes++ < writesMax ? write(...args) : Promise.reject(new Killed()))];
		};
		return { ...store, ...Object.fromEntries(names.map(guard)) };
	};
	return {
		...tenant,
		documents: guarded(tenant.documents, ["change", "remove"]),
		memories: guarded(tenant.memories, ["forget", "rehome"]),
		containers: guarded(tenant.containers, ["change", "remove"]),
		records: guarded(tenant.records, ["put"]),
		events: guarded(tenant.events, ["append"]),
	};
}

/** Two containers: one document of the first alone, one of both, one of the first and a third; memories of each, and one of none. */
async function filled(): Promise<{ storage: Storage; tenant: TenantStore }> {
	const storage = ramStorage();
	const ground = { tenant: storage.organisation(sampleOrganisation), samples: createSamples(7) };
	const own = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["old"] }));
	const shared = await firstChunk(addPublished(ground, ["a buoy"], { containerTags: ["old", "new"], dreamingStatus: "done" }));
	const third = await firstChunk(addPublished(ground, ["a crane"], { containerTags: ["third", "old"], dreamingStatus: "done" }));
	await addDocument(ground, { containerTags: ["new"] });
	await saveExtracted(ground, own, { containerTag: "old", text: "the ferry is late" });
	for (const containerTag of ["old", "new"]) await saveExtracted(ground, shared, { containerTag, text: "the buoy is red" });
	for (const containerTag of ["third", "old"]) await saveExtracted(ground, third, { containerTag, text: "the crane is tall" });
	await saveMemory(ground, { containerTag: "old", text: "nobody's" });
	await ground.tenant.containers.change("old", { entityContext: "about ships", profileBuckets: [{ key: "ships", description: "" }] }, world.now());
	return { storage, tenant: ground.tenant };
}

async function stateOf(tenant: TenantStore) {
	const page = { offset: 0, limit: 100, sort: "createdAt", order: "asc" } as const;
	const scope = { containerTags: [], tagsMatch: "any", filter: null, document: null, filepath: null } as const;
	const { documents } = await tenant.documents.list(scope, ["queued"], page, false);
	const { memories } = await tenant.memories.list(scope, true, page);
	return {
		documents: documents.map(({ containerTags }) => containerTags.join(" ")).sort(),
		memories: memories.map(({ containerTag, text, isForgotten }) => `${containerTag}: ${text}${isForgotten ? " (forgotten)" : ""}`).sort(),
		containers: (await tenant.containers.list())
			.map(({ container: { tag, entityContext, profileBuckets } }) => [tag, entityContext, profileBuckets.length])
			.sort(),
	};
}

describe("a merge", () => {
	const run = (storage: Storage, tenant: TenantStore) => {
		const handle = mergeHandler({ storage: { ...storage, organisation: () => tenant }, digest: (text) => text, world }, createKeyedMutex());
		const job = { id: "j", organisation: sampleOrganisation, task: "merge", subject: merge.id, notBefore: world.now(), attempt: 1, lease: "l" } as never;
		return handle(job).run(forever);
	};

	test("ends the same, wherever it was killed before", async () => {
		let kills = 0;
		for (let writes = 0; ; writes++) {
			const { storage, tenant } = await filled();
			await mergeStore(tenant.records, world).put(merge);
			const isKilled = await run(storage, mortal(tenant, writes)).then(
				() => false,
				(thrown: unknown) => thrown instanceof Killed,
			);
			if (isKilled) kills++;
			await run(storage, tenant);
			expect(await mergeStore(tenant.records, world).get(merge.id)).toMatchObject({ status: "done", documents: 3, memories: 4 });
			expect(await stateOf(tenant), `killed before write ${writes}`).toEqual({
				documents: ["new", "new", "new", "new third"],
				memories: [
					"new: nobody's",
					"new: the buoy is red",
					"new: the buoy is red (forgotten)",
					"new: the crane is tall",
					"new: the ferry is late",
					"third: the crane is tall",
				],
				containers: [
					["new", "about ships", 1],
					["third", null, 0],
				],
			});
			if (!isKilled) break;
		}
		expect(kills).toBeGreaterThan(8);
	});

	test("of a container that is gone does nothing", async () => {
		const { storage, tenant } = await filled();
		await tenant.containers.remove("old");
		await mergeStore(tenant.records, world).put({ ...merge, sourceTags: ["nowhere"] });
		await run(storage, tenant);
		expect(await mergeStore(tenant.records, world).get(merge.id)).toMatchObject({ status: "done", documents: 0 });
	});

	test("leaves a document where a client has put it meanwhile, with its memories", async () => {
		const storage = ramStorage();
		const ground = { tenant: storage.organisation(sampleOrganisation), samples: createSamples(7) };
		const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["old"] }));
		await saveExtracted(ground, chunk, { containerTag: "old", text: "the ferry is late" });
		const { change } = ground.tenant.documents;
		const moved: typeof change = async (...given) => {
			await change(chunk.document, { containerTags: ["third"] }, world.now(), null);
			return change(...given);
		};
		await mergeStore(ground.tenant.records, world).put(merge);
		await run(storage, { ...ground.tenant, documents: { ...ground.tenant.documents, change: moved } });
		const { documents, memories, containers } = await stateOf(ground.tenant);
		expect([documents, memories, containers.map(([tag]) => tag)]).toEqual([["third"], ["third: the ferry is late"], ["new", "third"]]);
	});

	test("takes more than fits into one go, and what is added while it goes on", async () => {
		const storage = ramStorage();
		const ground = { tenant: storage.organisation(sampleOrganisation), samples: createSamples(3) };
		for (let i = 0; i < 2 * batch + 5; i++) await addDocument(ground, { containerTags: ["old"] });
		let late = 0;
		const { change } = ground.tenant.documents;
		const documents = {
			...ground.tenant.documents,
			change: async (...args: Parameters<typeof change>) => {
				if (late++ % 100 === 0) await addDocument(ground, { containerTags: ["old"] });
				return change(...args);
			},
		};
		// One more in the very moment before the container goes.
		let isLast = true;
		const containers = {
			...ground.tenant.containers,
			remove: async (tag: string) => {
				if (isLast) await addDocument(ground, { containerTags: ["old"] });
				isLast = false;
				return ground.tenant.containers.remove(tag);
			},
		};
		await mergeStore(ground.tenant.records, world).put(merge);
		await run(storage, { ...ground.tenant, documents, containers });
		const { containers: tags, documents: tagged } = await stateOf(ground.tenant);
		expect(tags).toEqual([["new", null, 0]]);
		expect(new Set(tagged)).toEqual(new Set(["new"]));
		expect((await ground.tenant.containers.list())[0]?.counts.documents).toBe(2 * batch + 5 + 3 + 1);
	});
});

describe("a deletion", () => {
	test("ends the same, wherever it was killed before, and counts nothing twice", async () => {
		let kills = 0;
		for (let writes = 0; ; writes++) {
			const { tenant } = await filled();
			const isKilled = await removeContainer("old", mortal(tenant, writes), world).then(
				() => false,
				(thrown: unknown) => thrown instanceof Killed,
			);
			if (isKilled) {
				kills++;
				expect(await tenant.containers.get("old")).not.toBeNull();
				await removeContainer("old", tenant, world);
			}
			const { documents, memories, containers } = await stateOf(tenant);
			expect(documents, `killed before write ${writes}`).toEqual(["new", "new", "third"]);
			expect(memories.filter((memory) => !memory.endsWith("(forgotten)"))).toEqual(["new: the buoy is red", "third: the crane is tall"]);
			expect(containers.map(([tag]) => tag)).toEqual(["new", "third"]);
			if (!isKilled) break;
		}
		expect(kills).toBeGreaterThan(3);
	});

	test("says how many went", async () => {
		const { tenant } = await filled();
		expect(await removeContainer("old", tenant, world)).toEqual({ documents: 1, memories: 4 });
		expect(await removeContainer("old", tenant, world)).toEqual({ documents: 0, memories: 0 });
	});

	test("counts what is inside of documents once", async () => {
		const ground = { tenant: ramStorage().organisation(sampleOrganisation), samples: createSamples(7) };
		const box = await addDocument(ground, { containerTags: ["old"], customId: null });
		const mail = await addDocument(ground, { containerTags: ["old"], customId: `${attachmentsPrefix(box)}mail.eml` });
		await addDocument(ground, { containerTags: ["old"], customId: `${attachmentsPrefix(mail)}picture.png` });
		await addDocument(ground, { containerTags: ["old"], customId: null });
		expect(await removeContainer("old", ground.tenant, world)).toEqual({ documents: 4, memories: 0 });
	});
});
