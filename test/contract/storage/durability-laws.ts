/** What a storage promises as a whole: it can be asked how it is, tended at any time, and keeps what it claims to keep. */

import { documentStatuses, limits, type OrganisationRooms, queryWords, type Storage, wholeOrganisation } from "cairn-memory";
import { demandEqual } from "../demand-equal.ts";
import { demand, type Law } from "../law.ts";
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
	saveDrawn,
	storageLaw,
} from "./ground.ts";

export function durabilityLaws(open: OpenStorage): readonly Law[] {
	const law = (name: string, holds: (ground: Ground) => Promise<void>) => storageLaw(open, `storage: ${name}`, holds);
	return [
		law("it has a name and says that it is well", saysItIsWell),
		law("tending loses nothing", tendLosesNothing),
		law("tending ends when told to", tendEnds),
		law("what was acknowledged outlives close, where that is claimed", outlivesClose),
	];
}

async function saysItIsWell({ storage }: Ground): Promise<void> {
	demand(storage.name !== "", "a storage has no name");
	await storage.check();
}

/** Fills every table, and leaves one document staged and one lease held. */
async function fill(ground: Ground): Promise<void> {
	const { rooms, samples, storage } = ground;
	await storage.accounts.addOrganisation({ id: sampleOrganisation, name: "Harbour", slug: "harbour", createdAt: later });
	await storage.accounts.addKey(samples.makeKey({ hash: "cd".repeat(32) }));
	const { document, chunks } = await addPublished(ground, ["the lighthouse keeper", "the harbour 灯塔"], {
		customId: "kept",
		metadata: { colour: "red", list: ["a"] },
	});
	await rooms.documents.describe(document.id, 1, { title: "T", text: "# T" });
	const [chunk] = chunks;
	demand(chunk !== undefined, "there is no chunk");
	const old = await saveDrawn(ground, chunk, { text: "Ada lives in Porto", metadata: { colour: "blue" } });
	const fresh = samples.makeMemory({ text: "Ada lives in Lisbon" });
	await rooms.memories.save(sampleSpace, [{ memory: fresh, vector: samples.makeVector() }], [edgeBetween(fresh, "updates", old)]);
	await rooms.memories.forget([(await saveDrawn(ground, chunk)).id], "asked to", later);
	const staged = await addDocument(ground, { customId: "staged" });
	await rooms.documents.stage(staged.id, 1, sampleSpace, embedTexts(samples, staged, ["the staged lighthouse"]));
	const removed = await addPublished(ground, ["the removed lighthouse"]);
	await rooms.documents.remove(removed.document.id, later);
	await rooms.blobs.put("kept", bytes("the very bytes"), 100);
	await storage.jobs.claim("worker", ["ingest"], 1, sampleDawn, 1_000);
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
	yield new TextEncoder().encode(text);
}

/** Everything a client could ever read, in an order of its own. */
async function survey(storage: Storage, rooms: OrganisationRooms, { vector }: { readonly vector: Float32Array }) {
	const page = { offset: 0, limit: plenty, sort: "createdAt", order: "desc" } as const;
	const { documents } = await rooms.documents.list(wholeOrganisation, documentStatuses, page, true);
	const memories = await memoriesIn(rooms, wholeOrganisation, false, plenty);
	const [words, index] = [queryWords("lighthouse 灯塔 Ada", limits.queryWordsMax), rooms.vectors(sampleSpace)];
	const found = await index.nearestChunks(vector, wholeOrganisation, plenty);
	return {
		documents,
		chunks: await Promise.all(documents.map(({ id }) => rooms.documents.chunksOf(id))),
		memories,
		edges: await rooms.memories.edges(memories.map(({ id }) => id)),
		worded: await rooms.words.matchChunks(words, wholeOrganisation, plenty),
		wordedMemories: await rooms.words.matchMemories(words, { ...everything, includeForgotten: true }, plenty),
		near: idsOf(found),
		nearMemories: idsOf(await index.nearestMemories(vector, everything, plenty)),
		vectors: [...(await index.chunkVectors(found.map(({ id }) => id)))].sort(),
		blob: new TextDecoder().decode((await rooms.blobs.get("kept")) ?? new Uint8Array()),
		depth: await storage.jobs.depth(),
		due: await storage.jobs.nextDue(),
		organisations: await storage.accounts.organisations(),
		key: await storage.accounts.keyByHash("cd".repeat(32)),
	};
}

async function tendLosesNothing(ground: Ground): Promise<void> {
	const { storage, rooms, samples } = ground;
	await fill(ground);
	const asked = { vector: samples.makeVector() };
	const before = await survey(storage, rooms, asked);
	await storage.tend(new AbortController().signal);
	await storage.tend(new AbortController().signal);
	demandEqual(await survey(storage, rooms, asked), before, "what a storage holds after it was tended");
}

async function tendEnds({ storage }: Ground): Promise<void> {
	await storage.tend(AbortSignal.abort()).catch(() => undefined);
	await storage.check();
}

/** Nothing but `close` stands between the last answer and the reading: no pause, no tending. */
async function outlivesClose(ground: Ground): Promise<void> {
	const { storage, reopen, samples } = ground;
	if (!storage.supports.durable) return;
	demand(reopen !== undefined, "a storage that claims to be durable cannot be opened anew");
	await fill(ground);
	const asked = { vector: samples.makeVector() };
	const before = await survey(storage, ground.rooms, asked);
	await storage.close();
	const reopened = await reopen();
	await reopened.migrate();
	const rooms = reopened.organisation(sampleOrganisation);
	demandEqual(await survey(reopened, rooms, asked), before, "what a storage holds after it was closed and opened anew");
	const staged = await rooms.documents.byCustomId("staged");
	demand(staged !== null && (await rooms.documents.publish(staged.id, 1, later)), "what was staged before the close could not be published after it");
	demandEqual(
		(await rooms.documents.chunksOf(staged.id)).map(({ text }) => text),
		["the staged lighthouse"],
		"what was staged before the close",
	);
}
