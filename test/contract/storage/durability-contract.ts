/** What a storage promises as a whole: it can be asked how it is, tended at any time, and keeps what it claims to keep. */

import { limits } from "cairn-memory";
import { documentStatuses, type Storage, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import { queryWords } from "cairn-memory/words";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, sampleDawn, sampleOrganisation, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	embedTexts,
	everything,
	type Ground,
	idsOf,
	later,
	memoriesIn,
	type OpenStorage,
	plenty,
	saveExtracted,
	storageTest,
} from "./ground.ts";

export function durabilityContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `storage: ${name}`, holds);
	return [
		contractTest("it has a name and says that it is well", saysItIsWell),
		contractTest("tending loses nothing", maintenanceLosesNothing),
		contractTest("tending ends when told to", maintenanceEnds),
		contractTest("what was acknowledged outlives close, where that is claimed", outlivesClose),
	];
}

async function saysItIsWell({ storage }: Ground): Promise<void> {
	demand(storage.name !== "", "a storage has no name");
	await storage.check();
}

/** Fills every table, and leaves one document staged and one lease held. */
async function fill(ground: Ground): Promise<void> {
	const { tenant, samples, storage } = ground;
	await storage.accounts.addOrganisation({ id: sampleOrganisation, name: "Harbour", slug: "harbour", createdAt: later });
	await storage.accounts.addKey(samples.makeKey({ hash: "cd".repeat(32) }));
	const { document, chunks } = await addPublished(ground, ["the lighthouse keeper", "the harbour 灯塔"], {
		customId: "kept",
		metadata: { colour: "red", list: ["a"] },
	});
	await tenant.documents.describe(document.id, 1, { title: "T", text: "# T" });
	const [chunk] = chunks;
	demand(chunk !== undefined, "there is no chunk");
	const old = await saveExtracted(ground, chunk, { text: "Ada lives in Porto", metadata: { colour: "blue" } });
	const fresh = samples.makeMemory({ text: "Ada lives in Lisbon" });
	await tenant.memories.save(sampleSpace, [{ memory: fresh, vector: samples.makeVector() }], [edgeBetween(fresh, "updates", old)]);
	await tenant.memories.forget([(await saveExtracted(ground, chunk)).id], "asked to", later);
	const staged = await addDocument(ground, { customId: "staged" });
	await tenant.documents.stage(staged.id, 1, sampleSpace, embedTexts(samples, staged, ["the staged lighthouse"]));
	const removed = await addPublished(ground, ["the removed lighthouse"]);
	await tenant.documents.remove(removed.document.id, later);
	await tenant.blobs.put("kept", bytes("the very bytes"), 100);
	await storage.jobs.claim("worker", ["ingest"], 1, sampleDawn, 1_000);
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
	yield new TextEncoder().encode(text);
}

/** Everything a client could ever read, in an order of its own. */
async function survey(storage: Storage, tenant: TenantStore, { vector }: { readonly vector: Float32Array }) {
	const page = { offset: 0, limit: plenty, sort: "createdAt", order: "desc" } as const;
	const { documents } = await tenant.documents.list(wholeOrganisation, documentStatuses, page, true);
	const memories = await memoriesIn(tenant, wholeOrganisation, false, plenty);
	const [words, index] = [queryWords("lighthouse 灯塔 Ada", limits.queryWordsMax), tenant.vectors(sampleSpace)];
	const found = await index.nearestChunks(vector, wholeOrganisation, plenty);
	return {
		documents,
		chunks: await Promise.all(documents.map(({ id }) => tenant.documents.chunksOf(id))),
		memories,
		edges: await tenant.memories.edges(memories.map(({ id }) => id)),
		wordHits: (await tenant.words.matchChunks(words, wholeOrganisation, plenty)).hits,
		wordedMemories: (await tenant.words.matchMemories(words, { ...everything, includeForgotten: true }, plenty)).hits,
		near: idsOf(found),
		nearMemories: idsOf(await index.nearestMemories(vector, everything, plenty)),
		vectors: [...(await index.chunkVectors(found.map(({ id }) => id)))].sort(),
		blob: new TextDecoder().decode((await tenant.blobs.get("kept")) ?? new Uint8Array()),
		depth: await storage.jobs.depth(),
		due: await storage.jobs.nextDue(),
		organisations: await storage.accounts.organisations(),
		key: await storage.accounts.keyByHash("cd".repeat(32)),
	};
}

async function maintenanceLosesNothing(ground: Ground): Promise<void> {
	const { storage, tenant, samples } = ground;
	await fill(ground);
	const asked = { vector: samples.makeVector() };
	const before = await survey(storage, tenant, asked);
	await storage.maintain(new AbortController().signal);
	await storage.maintain(new AbortController().signal);
	demandEqual(await survey(storage, tenant, asked), before, "what a storage holds after it was tended");
}

async function maintenanceEnds({ storage }: Ground): Promise<void> {
	await storage.maintain(AbortSignal.abort()).catch(() => undefined);
	await storage.check();
}

/** Nothing but `close` stands between the last answer and the reading: no pause, no maintenance. */
async function outlivesClose(ground: Ground): Promise<void> {
	const { storage, reopen, samples } = ground;
	if (!storage.supports.durable) return;
	demand(reopen !== undefined, "a storage that claims to be durable cannot be opened anew");
	await fill(ground);
	const asked = { vector: samples.makeVector() };
	const before = await survey(storage, ground.tenant, asked);
	await storage.close();
	const reopened = await reopen();
	await reopened.migrate();
	const tenant = reopened.organisation(sampleOrganisation);
	demandEqual(await survey(reopened, tenant, asked), before, "what a storage holds after it was closed and opened anew");
	const staged = (await tenant.documents.byCustomId("staged", [], 1))[0] ?? null;
	demand(staged !== null && (await tenant.documents.publish(staged.id, 1, later)), "what was staged before the close could not be published after it");
	demandEqual(
		(await tenant.documents.chunksOf(staged.id)).map(({ text }) => text),
		["the staged lighthouse"],
		"what was staged before the close",
	);
}
