/** A merge of a connection's container while a sync brings its items: whenever it does, what is known of a document moves along. */

import { expect, test } from "bun:test";
import { type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import type { Connection } from "../../../core/connections/connection.ts";
import { connectionStore } from "../../../core/connections/connection-store.ts";
import { putItem } from "../../../core/connections/put-item.ts";
import { type Merge, mergeStore } from "../../../core/containers/merge.ts";
import { mergeHandler } from "../../../core/jobs/merge-handler.ts";
import type { Document } from "../../../core/model/document.ts";
import { syncedCustomId } from "../../../core/model/reserved-custom-ids.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, edgeBetween, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { addPublished, firstChunk, memoriesIn, saveExtracted } from "../../contract/storage/ground.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld(Date.parse("2026-06-01T00:00:00Z"));
const merge: Merge = {
	...{ id: "merge", sourceTags: ["old"], targetTag: "new", status: "queued", documents: 0, memories: 0, error: null, by: "key" },
	...{ createdAt: "2026-06-01T00:00:00.000Z", updatedAt: "2026-06-01T00:00:00.000Z" },
};
const text = (said: string) => ({ kind: "text", text: said, mediaType: "text/plain" }) as const;

/** A connection with one document, and a merge of its container "old". */
async function bench(containerTags: readonly string[], overrides: Partial<Document> = {}) {
	const storage = ramStorage();
	const tenant = storage.organisation(sampleOrganisation);
	const ground = { tenant, samples: createSamples(3) };
	const connections = connectionStore(tenant.records, world);
	const connection: Connection = {
		...{ id: "shelf", provider: "shelf", containerTags, documentLimit: 9, metadata: {}, sealed: "", chosen: null, source: "[]", by: "key" },
		...{ createdAt: merge.createdAt, nextSyncAt: null, runs: [], deletion: null },
	};
	await connections.add(connection);
	const customId = syncedCustomId(connection.id, "1");
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { customId, content: text("a ferry"), containerTags, status: "done", ...overrides }));
	await mergeStore(tenant.records, world).put(merge);
	const currentConnection = async () => (await connections.get(connection.id)) ?? connection;
	const put = (key: string, said: string) =>
		putItem(
			{ key, content: text(said), title: null, metadata: {}, containerTag: null },
			{ currentConnection, organisation: sampleOrganisation, tenant, world },
		);
	/** @returns whether the merge was still under way before that write. */
	const runWith = async (put: () => Promise<void>, write: number): Promise<boolean> => {
		let writes = 0;
		const met = meeting(tenant, async () => (writes++ === write ? put() : undefined));
		const handle = mergeHandler({ storage: { ...storage, organisation: () => met }, digest: (given) => given, world }, createKeyedMutex());
		await handle({ organisation: sampleOrganisation, subject: merge.id } as never).run(new AbortController().signal);
		return writes > write;
	};
	return { storage, tenant, ground, chunk, put, runWith, currentConnection };
}

/** The stores of a process that meets another one before each of its writes. */
function meeting(tenant: TenantStore, meet: () => Promise<void>): TenantStore {
	const met = <Store extends object>(store: Store, names: readonly (keyof Store)[]): Store => {
		const withMeeting = (name: keyof Store) => {
			const write = store[name] as (...args: unknown[]) => Promise<unknown>;
			return [name, (...args: unknown[]) => meet().then(() => write(...args))];
		};
		return { ...store, ...Object.fromEntries(names.map(withMeeting)) };
	};
	return {
		...tenant,
		documents: met(tenant.documents, ["change"]),
		memories: met(tenant.memories, ["forget", "rehome"]),
		containers: met(tenant.containers, ["change", "remove"]),
		records: met(tenant.records, ["put"]),
		events: met(tenant.events, ["append"]),
	};
}

/** Saves what is known of the document in both of its containers. @returns what there is at the end, and what there should be */
async function remember({ tenant, ground, chunk, currentConnection }: Awaited<ReturnType<typeof bench>>) {
	const [drawn, forgotten] = [await saveExtracted(ground, chunk, { containerTag: "old" }), await saveExtracted(ground, chunk, { containerTag: "old" })];
	const corrected = ground.samples.makeMemory({ containerTag: "old", version: 2, parent: drawn.id, root: drawn.id, evidence: drawn.evidence });
	await tenant.memories.save(sampleSpace, [{ memory: corrected, vector: ground.samples.makeVector() }], [edgeBetween(corrected, "updates", drawn)]);
	const beside = await saveExtracted(ground, chunk, { containerTag: "kept" });
	await tenant.memories.forget([forgotten.id], "asked to", world.now());
	const page = { offset: 0, limit: 9, sort: "createdAt", order: "asc" } as const;
	const state = async () => ({
		memories: (await memoriesIn(tenant, wholeOrganisation, false)).map(({ id, containerTag, isForgotten }) => `${id} ${containerTag} ${isForgotten}`).sort(),
		documents: (await tenant.documents.list(wholeOrganisation, ["queued", "done"], page, false)).documents.map(({ containerTags }) => containerTags),
		source: await tenant.containers.get("old"),
		connection: (({ containerTags, mergedTags }) => ({ containerTags, mergedTags }))(await currentConnection()),
	});
	const wanted: Awaited<ReturnType<typeof state>> = {
		memories: [`${drawn.id} new false`, `${corrected.id} new false`, `${forgotten.id} new true`, `${beside.id} kept false`].sort(),
		documents: [
			["new", "kept"],
			["new", "kept"],
		],
		source: null,
		connection: { containerTags: ["new", "kept"], mergedTags: undefined },
	};
	return { state, wanted };
}

test.each(["a ferry", "a ferry with a mast"])("what was corrected and forgotten of a document in several containers stays so, brought as %j", async (said) => {
	let write = 0;
	for (let isUnderWay = true; isUnderWay; write++) {
		const set = await bench(["old", "kept"], { dreamingStatus: "done" });
		const { state, wanted } = await remember(set);
		const bring = () => set.put("1", said).then(() => set.put("2", "a buoy"));
		isUnderWay = await set.runWith(bring, write);
		if (!isUnderWay) await bring();
		expect(await state(), `brought before write ${write}`).toEqual(wanted);
	}
	expect(write).toBeGreaterThan(6);
});

test("so it does if the merge breaks off, and is done again only after the sync", async () => {
	for (let write = 0, isUnderWay = true; isUnderWay; write++) {
		const set = await bench(["old", "kept"], { dreamingStatus: "done" });
		const { state, wanted } = await remember(set);
		const end = () => Promise.reject(new Error("broken off"));
		isUnderWay = await set.runWith(end, write).catch(() => true);
		await set.put("1", "a ferry with a mast");
		await set.put("2", "a buoy");
		await set.runWith(async () => undefined, 0);
		expect(await state(), `broken off before write ${write}`).toEqual(wanted);
	}
});

test("a document whose memories are still to be drawn has them drawn in the target", async () => {
	for (let write = 0, isUnderWay = true; isUnderWay; write++) {
		const { storage, put, runWith } = await bench(["old"], { dreamingStatus: "dreaming", dreaming: "dynamic" });
		isUnderWay = await runWith(() => put("1", "a ferry"), write);
		const jobs = await storage.jobs.claim("worker", ["remember"], 9, world.now(), 1_000);
		expect(
			jobs.map(({ subject }) => subject),
			`brought before write ${write}`,
		).toEqual(["new"]);
	}
});
