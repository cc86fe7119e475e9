/** What a document store promises about chunks: staged is invisible, published is whole, removed is gone. */

import { type DocumentChange, type EmbeddedChunk, wholeOrganisation } from "cairn-memory";
import { demandEqual } from "../demand-equal.ts";
import { demand, type Law } from "../law.ts";
import { evidenceIn, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	chunksByVector,
	chunksByWords,
	embedTexts,
	everything,
	type Ground,
	idsOf,
	later,
	memoriesByVector,
	memoriesByWords,
	memoriesIn,
	type OpenStorage,
	publishTexts,
	reread,
	saveDrawn,
	sortedIdsOf,
	storageLaw,
} from "./ground.ts";

export function publishingLaws(open: OpenStorage): readonly Law[] {
	const law = (name: string, holds: (ground: Ground) => Promise<void>) => storageLaw(open, `publishing: ${name}`, holds);
	return [
		law("what is staged is seen by nobody", stagedInvisible),
		law("what is published is whole", publishedWhole),
		law("a revision may be staged in several calls", stagedInParts),
		law("staging from position 0 drops what was staged before", restageReplaces),
		law("staging a published revision again changes nothing until it is published again", restagePublished),
		law("publishing drops the older revision", publishDropsOlder),
		law("publishing drops what was staged for others", publishDropsOtherStaged),
		law("a stale revision is neither staged nor published", staleRefused),
		law("chunks come in the order of the ids or positions asked for", chunksInOrder),
		law("after removal nothing is left, and nothing brings it back", removeIsFinal),
		law("a document can be removed while it is staged", removeStaged),
		law("removal takes memories without another source and keeps the rest", removeMemories),
		law("removal tells which blobs nothing points to any more", removeBlobs),
	];
}

async function demandUnseen(ground: Ground, embedded: readonly EmbeddedChunk[], word: string): Promise<void> {
	const { rooms } = ground;
	const ids = embedded.map(({ chunk }) => chunk.id);
	demandEqual(await rooms.documents.chunks(ids), [], "chunks that nobody should see, by id");
	demandEqual(await chunksByWords(rooms, word), [], "chunks that nobody should see, by words");
	demandEqual(await chunksByVector(ground), [], "chunks that nobody should see, by vector");
	demandEqual([...(await rooms.vectors(sampleSpace).chunkVectors(ids)).keys()], [], "vectors that nobody should see");
}

async function stagedInvisible(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["the lighthouse keeper", "the lighthouse lamp"]);
	demand(await rooms.documents.stage(document.id, 1, sampleSpace, embedded), "a known revision could not be staged");
	await demandUnseen(ground, embedded, "lighthouse");
	demandEqual(await rooms.documents.chunksOf(document.id), [], "the chunks of a document that is only staged");
	demandEqual(await rooms.documents.chunksAt(new Map([[document.id, [0, 1]]])), [], "the chunks at positions that are only staged");
	demandEqual((await reread(ground, document)).publishedRevision, null, "the published revision of a document that is only staged");
}

async function publishedWhole(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	const chunk = samples.makeChunk(document, {
		text: "café | naïve",
		indexedText: "Menu › café | naïve",
		place: { page: 3, box: [1, 2, 3.5, 4], sheet: "Übersicht", row: 2, seconds: [0.5, 1], span: [0, 12] },
	});
	const embedded = [{ chunk, vector: samples.makeVector() }, ...embedTexts(samples, document, ["the lighthouse"], 1)];
	await rooms.documents.stage(document.id, 1, sampleSpace, embedded);
	const publishedAt = samples.nextTime();
	demand(await rooms.documents.publish(document.id, 1, publishedAt), "a staged revision could not be published");
	const chunks = embedded.map((each) => each.chunk);
	demandEqual(await rooms.documents.chunksOf(document.id), chunks, "the chunks of a published document");
	demandEqual(await rooms.documents.chunks(chunks.map(({ id }) => id)), chunks, "published chunks by id");
	demandEqual(await chunksByVector(ground), sortedIdsOf(chunks), "published chunks by vector");
	demandEqual(await chunksByWords(rooms, "cafe menu"), [chunk.id], "a published chunk by a word of its indexed text");
	const now = await reread(ground, document);
	demandEqual([now.publishedRevision, now.status, now.revision], [1, "queued", 1], "a published document");
	const vectors = await rooms.vectors(sampleSpace).chunkVectors(chunks.map(({ id }) => id));
	for (const each of embedded) demandEqual(vectors.get(each.chunk.id), each.vector, "a published vector");
}

async function stagedInParts(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["one", "two", "three", "four", "five"]);
	for (const [begin, end] of [[0, 2] as const, [2, 4] as const, [4, 5] as const]) {
		demand(await rooms.documents.stage(document.id, 1, sampleSpace, embedded.slice(begin, end)), "a part could not be staged");
	}
	await rooms.documents.publish(document.id, 1, later);
	demandEqual(idsOf(await rooms.documents.chunksOf(document.id)), idsOf(embedded.map(({ chunk }) => chunk)), "a revision staged in three calls");
}

async function restageReplaces(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	await rooms.documents.stage(document.id, 1, sampleSpace, embedTexts(samples, document, ["alpha", "beta", "gamma"]));
	const { chunks } = await publishTexts(ground, document, ["delta"]);
	demandEqual(await rooms.documents.chunksOf(document.id), chunks, "a revision staged twice");
	demandEqual(await chunksByWords(rooms, "alpha beta gamma"), [], "the first staging, by words");
	demandEqual(await chunksByVector(ground), idsOf(chunks), "what can be found of a revision staged twice");
}

async function restagePublished(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const { document, chunks } = await addPublished(ground, ["the old lighthouse"]);
	const again = embedTexts(samples, document, ["the new lighthouse"]);
	demand(await rooms.documents.stage(document.id, 1, sampleSpace, again), "a published revision could not be staged again");
	demandEqual(await rooms.documents.chunksOf(document.id), chunks, "a published revision while it is staged again");
	demandEqual(await chunksByWords(rooms, "lighthouse"), idsOf(chunks), "a published revision while it is staged again, by words");
	demandEqual(await chunksByVector(ground), idsOf(chunks), "a published revision while it is staged again, by vector");
	await rooms.documents.publish(document.id, 1, later);
	demandEqual(idsOf(await rooms.documents.chunksOf(document.id)), idsOf(again.map(({ chunk }) => chunk)), "a revision published twice");
	demandEqual((await chunksByVector(ground)).length, 1, "how many chunks a revision published twice has");
}

const newContent: DocumentChange = { content: { kind: "text", text: "new", mediaType: "text/plain" } };

async function publishDropsOlder(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const { document, chunks: older } = await addPublished(ground, ["the old lighthouse", "the old harbour"]);
	const changed = await rooms.documents.change(document.id, newContent, samples.nextTime(), null);
	demand(changed !== null && changed !== "taken", "a document could not be given new content");
	const { chunks } = await publishTexts(ground, changed, ["the new lighthouse"]);
	demandEqual(await rooms.documents.chunksOf(document.id), chunks, "a document after its second revision");
	demandEqual(await chunksByWords(rooms, "old harbour lighthouse"), idsOf(chunks), "both revisions by words");
	demandEqual(await chunksByVector(ground), idsOf(chunks), "both revisions by vector");
	demandEqual(await rooms.documents.chunks(older.map(({ id }) => id)), [], "chunks of the older revision");
	demandEqual((await reread(ground, document)).publishedRevision, 2, "the published revision");
}

async function publishDropsOtherStaged(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	await rooms.documents.stage(document.id, 1, sampleSpace, embedTexts(samples, document, ["the stale lighthouse", "the stale harbour"]));
	const changed = await rooms.documents.change(document.id, newContent, samples.nextTime(), null);
	demand(changed !== null && changed !== "taken", "a document could not be given new content");
	const { chunks } = await publishTexts(ground, changed, ["the fresh lighthouse"]);
	demandEqual(await chunksByWords(rooms, "lighthouse harbour"), idsOf(chunks), "what was staged for an older revision");
	demand(!(await rooms.documents.publish(document.id, 1, later)), "an older revision was published");
	demandEqual(await rooms.documents.chunksOf(document.id), chunks, "the newer revision after that");
}

async function staleRefused(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground, { revision: 2 });
	for (const revision of [1, 3]) {
		const embedded = embedTexts(samples, { id: document.id, revision }, ["the lighthouse"]);
		demand(!(await rooms.documents.stage(document.id, revision, sampleSpace, embedded)), "a stale revision was staged");
		demand(!(await rooms.documents.publish(document.id, revision, later)), "a stale revision was published");
		await demandUnseen(ground, embedded, "lighthouse");
	}
	demandEqual(await reread(ground, document), document, "the document after stale writes");
}

async function chunksInOrder(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const { document, chunks } = await addPublished(ground, ["zero", "one", "two", "three"]);
	const [zero, one, two, three] = chunks;
	demand(zero !== undefined && one !== undefined && two !== undefined && three !== undefined, "there are no four chunks");
	const gone = (await addPublished(ground, ["gone"])).chunks[0] ?? zero;
	await rooms.documents.remove(gone.document, later);
	demandEqual(idsOf(await rooms.documents.chunks([two.id, gone.id, zero.id, three.id])), [two.id, zero.id, three.id], "chunks in the order of the ids");
	demandEqual(await rooms.documents.chunks([]), [], "the chunks of no ids");
	const other = await addPublished(ground, ["another zero", "another one"]);
	const places = new Map([
		[other.document.id, [1]],
		[gone.document, [0]],
		[document.id, [3, 9, 1]],
	]);
	demandEqual(idsOf(await rooms.documents.chunksAt(places)), [other.chunks[1]?.id ?? "", one.id, three.id], "chunks at positions, document by document");
	demandEqual(await rooms.documents.chunksAt(new Map([[document.id, []]])), [], "chunks at no positions");
	demandEqual(await rooms.documents.chunksAt(new Map()), [], "chunks of no documents");
	const many = Array.from({ length: 450 }, (_, position) => position);
	demandEqual(
		idsOf(
			await rooms.documents.chunksAt(
				new Map([
					[document.id, many],
					[other.document.id, many],
				]),
			),
		),
		idsOf([...chunks, ...other.chunks]),
		"at more positions than there are",
	);
}

async function removeIsFinal(ground: Ground): Promise<void> {
	const { rooms, samples, storage } = ground;
	const { document, embedded } = await addPublished(ground, ["the lighthouse keeper", "the lighthouse lamp"], { customId: "mine" });
	demandEqual(await rooms.documents.remove(document.id, later), [], "the blobs of a removed text");
	const demandGone = async () => {
		demandEqual(await rooms.documents.get(document.id), null, "a removed document");
		demandEqual(await rooms.documents.byCustomId("mine"), null, "a removed document by its customId");
		demandEqual(await rooms.documents.chunksOf(document.id), [], "the chunks of a removed document");
		await demandUnseen(ground, embedded, "lighthouse");
	};
	await demandGone();
	demandEqual(await storage.jobs.depth(), { waiting: 0, leased: 0 }, "jobs after a removal");
	demandEqual(await rooms.documents.remove(document.id, later), null, "a second removal");
	demand(!(await rooms.documents.stage(document.id, 1, sampleSpace, embedded)), "a removed document was staged");
	demand(!(await rooms.documents.publish(document.id, 1, later)), "a removed document was published");
	demand(!(await rooms.documents.describe(document.id, 1, { title: "back" })), "a removed document was described");
	demand(!(await rooms.documents.move(document.id, 1, ["queued"], "extracting", later)), "a removed document was moved");
	await rooms.documents.progress(document.id, 1, { done: 1, total: 2, unit: "page" });
	await demandGone();
	await addDocument({ rooms, samples }, { customId: "mine" });
}

async function removeStaged(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["the lighthouse"]);
	await rooms.documents.stage(document.id, 1, sampleSpace, embedded);
	await rooms.documents.remove(document.id, later);
	demand(!(await rooms.documents.publish(document.id, 1, later)), "a removed document was published");
	await demandUnseen(ground, embedded, "lighthouse");
}

async function removeMemories(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const [first, second] = [await addPublished(ground, ["Ada lives in Lisbon"]), await addPublished(ground, ["Ada has moved to Lisbon"])];
	const [chunk] = first.chunks;
	const [otherChunk] = second.chunks;
	demand(chunk !== undefined && otherChunk !== undefined, "there are no chunks");
	const lone = await saveDrawn(ground, chunk, { text: "lone Ada" });
	const shared = await saveDrawn(ground, chunk, { text: "shared Ada", evidence: [evidenceIn(chunk), evidenceIn(otherChunk)] });
	const strange = await saveDrawn(ground, otherChunk, { text: "strange Ada" });
	await rooms.documents.remove(first.document.id, later);
	demandEqual(sortedIdsOf(await rooms.memories.get([lone.id, shared.id, strange.id])), sortedIdsOf([shared, strange]), "memories after a removal");
	demandEqual((await rooms.memories.get([shared.id]))[0]?.evidence, [evidenceIn(otherChunk)], "the evidence of a memory that kept one source");
	demandEqual(await rooms.memories.ofDocument(first.document.id), [], "the memories of a removed document");
	demandEqual((await memoriesByWords(rooms, "Ada")).toSorted(), sortedIdsOf([shared, strange]), "memories by words after a removal");
	demandEqual(await memoriesByVector(ground, { ...everything, includeForgotten: true }), sortedIdsOf([shared, strange]), "memories by vector after a removal");
	await rooms.documents.remove(second.document.id, later);
	demandEqual(await memoriesIn(rooms, wholeOrganisation, false, 10), [], "memories after the removal of every source");
}

async function removeBlobs(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const file = (blob: string) => ({ kind: "file", blob, fileName: "a.pdf", claimedMediaType: null, byteLength: 1, sha256: "ab".repeat(32) }) as const;
	const lone = await addDocument(ground, { content: file("lone") });
	const [first, second] = [await addDocument(ground, { content: file("shared") }), await addDocument(ground, { content: file("shared") })];
	demandEqual(await rooms.documents.remove(lone.id, later), ["lone"], "the blobs of a removed file");
	demandEqual(await rooms.documents.remove(first.id, later), [], "the blobs of a removed file that another document shares");
	demandEqual(await rooms.documents.remove(second.id, later), ["shared"], "the blobs of the last document of a file");
}
