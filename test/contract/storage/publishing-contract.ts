/** What a document store promises about chunks: staged is invisible, published is whole, removed is gone. */

import { type DocumentChange, type EmbeddedChunk, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
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
	saveExtracted,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

export function publishingContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `publishing: ${name}`, holds);
	return [
		contractTest("what is staged is seen by nobody", stagedInvisible),
		contractTest("what is published is whole", publishedWhole),
		contractTest("a revision may be staged in several calls", stagedInParts),
		contractTest("staging from position 0 drops what was staged before", restageReplaces),
		contractTest("the very chunks that were staged before may be staged again, however many", restageSame),
		contractTest("staging a published revision again changes nothing until it is published again", restagePublished),
		contractTest("publishing drops the older revision", publishDropsOlder),
		contractTest("publishing drops what was staged for others", publishDropsOtherStaged),
		contractTest("a stale revision is neither staged nor published", staleRefused),
		contractTest("chunks come in the order of the ids or positions asked for", chunksInOrder),
		contractTest("after removal nothing is left, and nothing brings it back", removeIsFinal),
		contractTest("a document can be removed while it is staged", removeStaged),
		contractTest("removal takes memories without another source and keeps the rest", removeMemories),
		contractTest("removal tells which blobs nothing points to any more", removeBlobs),
	];
}

async function demandUnseen(ground: Ground, embedded: readonly EmbeddedChunk[], word: string): Promise<void> {
	const { tenant } = ground;
	const ids = embedded.map(({ chunk }) => chunk.id);
	demandEqual(await tenant.documents.chunks(ids), [], "chunks that nobody should see, by id");
	demandEqual(await chunksByWords(tenant, word), [], "chunks that nobody should see, by words");
	demandEqual(await chunksByVector(ground), [], "chunks that nobody should see, by vector");
	demandEqual([...(await tenant.vectors(sampleSpace).chunkVectors(ids)).keys()], [], "vectors that nobody should see");
}

async function stagedInvisible(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["the lighthouse keeper", "the lighthouse lamp"]);
	demand(await tenant.documents.stage(document.id, 1, sampleSpace, embedded), "a known revision could not be staged");
	await demandUnseen(ground, embedded, "lighthouse");
	demandEqual(await tenant.documents.chunksOf(document.id), [], "the chunks of a document that is only staged");
	demandEqual(await tenant.documents.chunksAt(new Map([[document.id, [0, 1]]])), [], "the chunks at positions that are only staged");
	demandEqual((await reread(ground, document)).publishedRevision, null, "the published revision of a document that is only staged");
}

async function publishedWhole(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const chunk = samples.makeChunk(document, {
		text: "café | naïve",
		indexedText: "Menu › café | naïve",
		place: { page: 3, box: [1, 2, 3.5, 4], sheet: "Übersicht", row: 2, seconds: [0.5, 1], span: [0, 12] },
	});
	const embedded = [{ chunk, vector: samples.makeVector() }, ...embedTexts(samples, document, ["the lighthouse"], 1)];
	await tenant.documents.stage(document.id, 1, sampleSpace, embedded);
	const publishedAt = samples.nextTime();
	demand(await tenant.documents.publish(document.id, 1, publishedAt), "a staged revision could not be published");
	const chunks = embedded.map((each) => each.chunk);
	demandEqual(await tenant.documents.chunksOf(document.id), chunks, "the chunks of a published document");
	demandEqual(await tenant.documents.chunks(chunks.map(({ id }) => id)), chunks, "published chunks by id");
	demandEqual(await chunksByVector(ground), sortedIdsOf(chunks), "published chunks by vector");
	demandEqual(await chunksByWords(tenant, "cafe menu"), [chunk.id], "a published chunk by a word of its indexed text");
	const now = await reread(ground, document);
	demandEqual([now.publishedRevision, now.status, now.revision], [1, "queued", 1], "a published document");
	const vectors = await tenant.vectors(sampleSpace).chunkVectors(chunks.map(({ id }) => id));
	for (const each of embedded) demandEqual(vectors.get(each.chunk.id), each.vector, "a published vector");
}

async function stagedInParts(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["one", "two", "three", "four", "five"]);
	for (const [begin, end] of [[0, 2] as const, [2, 4] as const, [4, 5] as const]) {
		demand(await tenant.documents.stage(document.id, 1, sampleSpace, embedded.slice(begin, end)), "a part could not be staged");
	}
	await tenant.documents.publish(document.id, 1, later);
	demandEqual(idsOf(await tenant.documents.chunksOf(document.id)), idsOf(embedded.map(({ chunk }) => chunk)), "a revision staged in three calls");
}

async function restageReplaces(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	await tenant.documents.stage(document.id, 1, sampleSpace, embedTexts(samples, document, ["alpha", "beta", "gamma"]));
	const { chunks } = await publishTexts(ground, document, ["delta"]);
	demandEqual(await tenant.documents.chunksOf(document.id), chunks, "a revision staged twice");
	demandEqual(await chunksByWords(tenant, "alpha beta gamma"), [], "the first staging, by words");
	demandEqual(await chunksByVector(ground), idsOf(chunks), "what can be found of a revision staged twice");
}

async function restageSame(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(
		samples,
		document,
		Array.from({ length: 1_100 }, (_, i) => `piece ${i}`),
	);
	for (const until of [embedded.length, 3, embedded.length])
		demand(await tenant.documents.stage(document.id, 1, sampleSpace, embedded.slice(0, until)), "the same chunks could not be staged again");
	await tenant.documents.publish(document.id, 1, later);
	demandEqual(idsOf(await tenant.documents.chunksOf(document.id)), idsOf(embedded.map(({ chunk }) => chunk)), "what was staged three times");
}

async function restagePublished(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const { document, chunks } = await addPublished(ground, ["the old lighthouse"]);
	const again = embedTexts(samples, document, ["the new lighthouse"]);
	demand(await tenant.documents.stage(document.id, 1, sampleSpace, again), "a published revision could not be staged again");
	demandEqual(await tenant.documents.chunksOf(document.id), chunks, "a published revision while it is staged again");
	demandEqual(await chunksByWords(tenant, "lighthouse"), idsOf(chunks), "a published revision while it is staged again, by words");
	demandEqual(await chunksByVector(ground), idsOf(chunks), "a published revision while it is staged again, by vector");
	await tenant.documents.publish(document.id, 1, later);
	demandEqual(idsOf(await tenant.documents.chunksOf(document.id)), idsOf(again.map(({ chunk }) => chunk)), "a revision published twice");
	demandEqual((await chunksByVector(ground)).length, 1, "how many chunks a revision published twice has");
}

const newContent: DocumentChange = { content: { kind: "text", text: "new", mediaType: "text/plain" } };

async function publishDropsOlder(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const { document, chunks: older } = await addPublished(ground, ["the old lighthouse", "the old harbour"]);
	const changed = await tenant.documents.change(document.id, newContent, samples.nextTime(), null);
	demand(changed !== null && changed !== "taken", "a document could not be given new content");
	const { chunks } = await publishTexts(ground, changed, ["the new lighthouse"]);
	demandEqual(await tenant.documents.chunksOf(document.id), chunks, "a document after its second revision");
	demandEqual(await chunksByWords(tenant, "old harbour lighthouse"), idsOf(chunks), "both revisions by words");
	demandEqual(await chunksByVector(ground), idsOf(chunks), "both revisions by vector");
	demandEqual(await tenant.documents.chunks(older.map(({ id }) => id)), [], "chunks of the older revision");
	demandEqual((await reread(ground, document)).publishedRevision, 2, "the published revision");
}

async function publishDropsOtherStaged(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	await tenant.documents.stage(document.id, 1, sampleSpace, embedTexts(samples, document, ["the stale lighthouse", "the stale harbour"]));
	const changed = await tenant.documents.change(document.id, newContent, samples.nextTime(), null);
	demand(changed !== null && changed !== "taken", "a document could not be given new content");
	const { chunks } = await publishTexts(ground, changed, ["the fresh lighthouse"]);
	demandEqual(await chunksByWords(tenant, "lighthouse harbour"), idsOf(chunks), "what was staged for an older revision");
	demand(!(await tenant.documents.publish(document.id, 1, later)), "an older revision was published");
	demandEqual(await tenant.documents.chunksOf(document.id), chunks, "the newer revision after that");
}

async function staleRefused(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground, { revision: 2 });
	for (const revision of [1, 3]) {
		const embedded = embedTexts(samples, { id: document.id, revision }, ["the lighthouse"]);
		demand(!(await tenant.documents.stage(document.id, revision, sampleSpace, embedded)), "a stale revision was staged");
		demand(!(await tenant.documents.publish(document.id, revision, later)), "a stale revision was published");
		await demandUnseen(ground, embedded, "lighthouse");
	}
	demandEqual(await reread(ground, document), document, "the document after stale writes");
}

async function chunksInOrder(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const { document, chunks } = await addPublished(ground, ["zero", "one", "two", "three"]);
	const [zero, one, two, three] = chunks;
	demand(zero !== undefined && one !== undefined && two !== undefined && three !== undefined, "there are no four chunks");
	const gone = (await addPublished(ground, ["gone"])).chunks[0] ?? zero;
	await tenant.documents.remove(gone.document, later);
	demandEqual(idsOf(await tenant.documents.chunks([two.id, gone.id, zero.id, three.id])), [two.id, zero.id, three.id], "chunks in the order of the ids");
	demandEqual(await tenant.documents.chunks([]), [], "the chunks of no ids");
	const other = await addPublished(ground, ["another zero", "another one"]);
	const places = new Map([
		[other.document.id, [1]],
		[gone.document, [0]],
		[document.id, [3, 9, 1]],
	]);
	demandEqual(idsOf(await tenant.documents.chunksAt(places)), [other.chunks[1]?.id ?? "", one.id, three.id], "chunks at positions, document by document");
	demandEqual(await tenant.documents.chunksAt(new Map([[document.id, []]])), [], "chunks at no positions");
	demandEqual(await tenant.documents.chunksAt(new Map()), [], "chunks of no documents");
	const many = Array.from({ length: 450 }, (_, position) => position);
	demandEqual(
		idsOf(
			await tenant.documents.chunksAt(
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
	const { tenant, samples, storage } = ground;
	const { document, embedded } = await addPublished(ground, ["the lighthouse keeper", "the lighthouse lamp"], { customId: "mine" });
	demandEqual(await tenant.documents.remove(document.id, later), [], "the blobs of a removed text");
	const demandGone = async () => {
		demandEqual(await tenant.documents.get(document.id), null, "a removed document");
		demandEqual((await tenant.documents.byCustomId("mine", [], 1))[0] ?? null, null, "a removed document by its customId");
		demandEqual(await tenant.documents.chunksOf(document.id), [], "the chunks of a removed document");
		await demandUnseen(ground, embedded, "lighthouse");
	};
	await demandGone();
	demandEqual(await storage.jobs.depth(), { waiting: 0, leased: 0 }, "jobs after a removal");
	demandEqual(await tenant.documents.remove(document.id, later), null, "a second removal");
	demand(!(await tenant.documents.stage(document.id, 1, sampleSpace, embedded)), "a removed document was staged");
	demand(!(await tenant.documents.publish(document.id, 1, later)), "a removed document was published");
	demand(!(await tenant.documents.describe(document.id, 1, { title: "back" })), "a removed document was described");
	demand(!(await tenant.documents.move(document.id, 1, ["queued"], "extracting", later)), "a removed document was moved");
	await tenant.documents.progress(document.id, 1, { done: 1, total: 2, unit: "page" });
	await demandGone();
	await addDocument({ tenant, samples }, { customId: "mine" });
}

async function removeStaged(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["the lighthouse"]);
	await tenant.documents.stage(document.id, 1, sampleSpace, embedded);
	await tenant.documents.remove(document.id, later);
	demand(!(await tenant.documents.publish(document.id, 1, later)), "a removed document was published");
	await demandUnseen(ground, embedded, "lighthouse");
}

async function removeMemories(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [first, second] = [await addPublished(ground, ["Ada lives in Lisbon"]), await addPublished(ground, ["Ada has moved to Lisbon"])];
	const [chunk] = first.chunks;
	const [otherChunk] = second.chunks;
	demand(chunk !== undefined && otherChunk !== undefined, "there are no chunks");
	const lone = await saveExtracted(ground, chunk, { text: "lone Ada" });
	const shared = await saveExtracted(ground, chunk, { text: "shared Ada", evidence: [evidenceIn(chunk), evidenceIn(otherChunk)] });
	const strange = await saveExtracted(ground, otherChunk, { text: "strange Ada" });
	await tenant.documents.remove(first.document.id, later);
	demandEqual(sortedIdsOf(await tenant.memories.get([lone.id, shared.id, strange.id])), sortedIdsOf([shared, strange]), "memories after a removal");
	demandEqual((await tenant.memories.get([shared.id]))[0]?.evidence, [evidenceIn(otherChunk)], "the evidence of a memory that kept one source");
	demandEqual(await tenant.memories.ofDocument(first.document.id), [], "the memories of a removed document");
	demandEqual((await memoriesByWords(tenant, "Ada")).toSorted(), sortedIdsOf([shared, strange]), "memories by words after a removal");
	demandEqual(await memoriesByVector(ground, { ...everything, includeForgotten: true }), sortedIdsOf([shared, strange]), "memories by vector after a removal");
	await tenant.documents.remove(second.document.id, later);
	demandEqual(await memoriesIn(tenant, wholeOrganisation, false, 10), [], "memories after the removal of every source");
}

async function removeBlobs(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const file = (blob: string) => ({ kind: "file", blob, fileName: "a.pdf", claimedMediaType: null, byteLength: 1, sha256: "ab".repeat(32) }) as const;
	const lone = await addDocument(ground, { content: file("lone") });
	const [first, second] = [await addDocument(ground, { content: file("shared") }), await addDocument(ground, { content: file("shared") })];
	demandEqual(await tenant.documents.remove(lone.id, later), ["lone"], "the blobs of a removed file");
	demandEqual(await tenant.documents.remove(first.id, later), [], "the blobs of a removed file that another document shares");
	demandEqual(await tenant.documents.remove(second.id, later), ["shared"], "the blobs of the last document of a file");
}
