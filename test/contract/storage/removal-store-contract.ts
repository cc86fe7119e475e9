/** What a removal store promises: what was set aside is seen by nobody, and comes back with all that went with it. */

import { asId, type Memory } from "cairn-memory";
import { type Document, type RemovalId, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	chunksByVector,
	chunksByWords,
	firstChunk,
	type Ground,
	idsOf,
	later,
	memoriesByVector,
	memoriesByWords,
	newest,
	type OpenStorage,
	otherOrganisation,
	reread,
	retract,
	saveExtracted,
	saveMemory,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

export function removalStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `removals: ${name}`, holds);
	return [
		contractTest("what was set aside is seen nowhere, and comes back as it was", comesBack),
		contractTest("memories come back with their links, and what they had replaced is replaced again", memoriesComeBack),
		contractTest("what has changed in the meantime stays changed", changesStay),
		contractTest("a shared memory loses a source and gets it back", sharedComesBack),
		contractTest("what was inferred goes with any of its premises, and comes back with it", inferencesFollow),
		contractTest("two versions from one document go together, and what they had replaced is the latest again", versionsTogether),
		contractTest("what was not finished is queued anew with its job", unfinishedComesBack),
		contractTest("a customId that was given away keeps its document out, until it is free", customIdTaken),
		contractTest("after its time nothing comes back, and nothing twice", expires),
		contractTest("a removal lists the last first, and none but its own", lists),
		contractTest("a blob that may be wanted again is no orphan", keepsBlobs),
		contractTest("what was noted of its words goes with a document, at once", forgetsNotes),
	];
}

const removal = asId<RemovalId>("remova1AAAAAAAAAAAAAAA");
const other = asId<RemovalId>("remova1BBBBBBBBBBBBBBB");
const until = new Date(later.getTime() + 60_000);

async function setAside({ tenant }: Ground, { id }: Pick<Document, "id">, under = removal): Promise<void> {
	demand(await tenant.removals.setAside(id, under, until, later), "a document was not set aside");
}

async function bringBack({ tenant, samples }: Ground, document: Document): Promise<Document> {
	const back = await tenant.removals.bringBack(removal, document.id, samples.makeJob(document), later);
	demand(back !== null && back !== "taken", "a document did not come back");
	return back;
}

/** All that anybody can see. */
async function seen(ground: Ground): Promise<unknown> {
	const { tenant } = ground;
	const { documents } = await tenant.documents.list(wholeOrganisation, ["queued", "done", "failed"], newest(), true);
	const { memories } = await tenant.memories.list(wholeOrganisation, false, newest());
	const timeless = <Dated extends { readonly updatedAt: Date }>({ updatedAt: _, ...rest }: Dated) => rest;
	return {
		documents: documents.map(timeless),
		memories: memories.map(timeless).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
		edges: (await tenant.memories.edges(memories.map(({ id }) => id))).map((edge) => JSON.stringify(edge)).sort(),
		chunks: await Promise.all(documents.map(({ id }) => tenant.documents.chunksOf(id))),
		byVector: await chunksByVector(ground),
		byWords: await chunksByWords(tenant, "lighthouse harbour"),
		memoriesByVector: await memoriesByVector(ground),
		memoriesByWords: (await memoriesByWords(tenant, "harbour")).toSorted(),
		tagged: (await tenant.documents.list({ ...wholeOrganisation, containerTags: ["team"] }, ["queued", "done", "failed"], newest(), false)).total,
	};
}

async function finish({ tenant }: Ground, { id, revision }: Document): Promise<void> {
	await tenant.documents.setDreaming(id, revision, "done", later);
	await tenant.documents.move(id, revision, ["queued"], "done", later);
}

async function comesBack(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const { document, chunks } = await addPublished(ground, ["the lighthouse at the harbour", "a second lighthouse"], {
		customId: "guide",
		metadata: { shelf: 3, tags: ["a", "b"] },
	});
	await tenant.documents.describe(document.id, 1, { title: "Guide", text: "the lighthouse" });
	await finish(ground, document);
	const [chunk] = chunks;
	demand(chunk !== undefined, "there is no chunk");
	await saveExtracted(ground, chunk, { metadata: { mood: "calm" } });
	await addPublished(ground, ["another harbour"]);
	const before = await seen(ground);
	await setAside(ground, document);
	demandEqual(await tenant.documents.get(document.id), null, "a document that was set aside");
	demandEqual((await tenant.documents.byCustomId("guide", [], 1))[0] ?? null, null, "the same by customId");
	demandEqual(await tenant.documents.chunks(idsOf(chunks) as never), [], "its chunks");
	demandEqual(await chunksByWords(tenant, "lighthouse"), [], "its chunks by words");
	demandEqual((await chunksByVector(ground)).length, 1, "how many chunks are left by vector");
	demandEqual(await memoriesByVector(ground), [], "its memories by vector");
	demandEqual(await memoriesByWords(tenant, "harbour"), [], "its memories by words");
	demandEqual((await tenant.memories.list(wholeOrganisation, false, newest())).total, 0, "how many memories are listed");
	const back = await bringBack(ground, document);
	demandEqual([back.status, back.dreamingStatus, back.createdAt], ["done", "done", document.createdAt], "a document that came back");
	demandEqual(await seen(ground), before, "all that can be seen afterwards");
	const shelf = { ...wholeOrganisation, filter: { kind: "equals", key: "shelf", value: "3", ignoreCase: false, negate: false } } as const;
	demandEqual((await tenant.documents.list(shelf, ["done"], newest(), false)).total, 1, "what a filter on its metadata finds");
	demandEqual(await tenant.removals.list(removal, later), [], "what is left of a removal that was undone");
}

async function save({ tenant, samples }: Ground, memory: Memory, replaced: Memory): Promise<Memory> {
	const saved = await tenant.memories.save(sampleSpace, [{ memory, vector: samples.makeVector() }], [edgeBetween(memory, "updates", replaced)]);
	demand(saved, "an update of the latest memory was refused");
	return memory;
}

async function inferencesFollow(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const [first, second] = [
		await firstChunk(addPublished(ground, ["Ada works at Brightwater"], { status: "done" })),
		await firstChunk(addPublished(ground, ["Brightwater is in Ulm"], { status: "done" })),
	];
	const [work, place] = [await saveExtracted(ground, first), await saveExtracted(ground, second)];
	const inferred = samples.makeMemory({ isInference: true, extractor: "sentences-1", evidence: [evidenceIn(first), evidenceIn(second)] });
	const further = samples.makeMemory({ isInference: true, extractor: "sentences-1", evidence: [evidenceIn(second)] });
	const approved = samples.makeMemory({ isInference: false, extractor: "sentences-1", evidence: [evidenceIn(second)] });
	const embedded = [inferred, further, approved].map((memory) => ({ memory, vector: samples.makeVector() }));
	const edges = [
		edgeBetween(inferred, "derives", work),
		edgeBetween(inferred, "derives", place),
		edgeBetween(further, "derives", inferred),
		edgeBetween(approved, "derives", work),
	];
	demand(await tenant.memories.save(sampleSpace, embedded, edges), "inferences were not saved");
	const before = await seen(ground);
	await setAside(ground, { id: first.document });
	demandEqual(await memoriesByVector(ground), sortedIdsOf([place, approved]), "what is left without a premise");
	await bringBack(ground, { ...samples.makeDocument(), id: first.document });
	demandEqual(await seen(ground), before, "all that can be seen after the removal was undone");
	await retract(tenant, first.document);
	demandEqual(await memoriesByVector(ground), sortedIdsOf([place, approved]), "what is left when a premise was retracted");
}

async function versionsTogether(ground: Ground): Promise<void> {
	const { samples } = ground;
	const old = await saveExtracted(ground, await firstChunk(addPublished(ground, ["Ada lives in Porto"], { status: "done" })));
	const chunk = await firstChunk(addPublished(ground, ["Ada lives in Lisbon. Ada lives in Faro."], { status: "done" }));
	const extracted = { extractor: "sentences-1", evidence: [evidenceIn(chunk)], root: old.id };
	const middle = await save(ground, samples.makeMemory({ version: 2, parent: old.id, ...extracted }), old);
	const last = await save(ground, samples.makeMemory({ version: 3, parent: middle.id, ...extracted }), middle);
	const before = await seen(ground);
	demandEqual(await memoriesByVector(ground), [last.id], "the latest of three versions");
	await setAside(ground, { id: chunk.document });
	demandEqual(await memoriesByVector(ground), [old.id], "the latest of what is left");
	await bringBack(ground, { ...samples.makeDocument(), id: chunk.document });
	demandEqual(await seen(ground), before, "all that can be seen after the removal was undone");
}

async function memoriesComeBack(ground: Ground): Promise<void> {
	const { samples } = ground;
	const [first, second] = [
		await firstChunk(addPublished(ground, ["Ada lives in Porto"], { status: "done" })),
		await firstChunk(addPublished(ground, ["Ada lives in Lisbon"], { status: "done" })),
	];
	const old = await saveExtracted(ground, first, { text: "the harbour of Porto" });
	const middle = await save(
		ground,
		samples.makeMemory({ version: 2, parent: old.id, root: old.id, extractor: "sentences-1", evidence: [evidenceIn(second)] }),
		old,
	);
	await save(ground, samples.makeMemory({ version: 3, parent: middle.id, root: old.id }), middle);
	const before = await seen(ground);
	for (const document of [first.document, second.document]) {
		await setAside(ground, { id: document });
		await bringBack(ground, { ...samples.makeDocument(), id: document });
		demandEqual(await seen(ground), before, "all that can be seen after the removal of one was undone");
	}
	await setAside(ground, { id: first.document });
	await setAside(ground, { id: second.document });
	for (const { id } of await ground.tenant.removals.list(removal, later)) await bringBack(ground, { ...samples.makeDocument(), id });
	demandEqual(await seen(ground), before, "all that can be seen after the removal of both was undone");
}

async function changesStay(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["Ada lives in Lisbon"], { status: "done" }));
	const old = await saveMemory(ground, { text: "the harbour of Porto" });
	const gone = await save(
		ground,
		samples.makeMemory({ version: 2, parent: old.id, root: old.id, extractor: "sentences-1", evidence: [evidenceIn(chunk)] }),
		old,
	);
	await setAside(ground, { id: chunk.document });
	demandEqual((await tenant.memories.get([old.id]))[0]?.isLatest, true, "whether the replaced memory is the latest meanwhile");
	const fresh = await save(ground, samples.makeMemory({ version: 2, parent: old.id, root: old.id }), old);
	await bringBack(ground, { ...samples.makeDocument(), id: chunk.document });
	const latest = (await tenant.memories.get([old.id, gone.id, fresh.id])).map(({ isLatest }) => isLatest);
	demandEqual(latest, [false, true, true], "which are the latest when two have replaced one");
}

async function sharedComesBack(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const [first, second] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	const shared = await saveExtracted(ground, first, { evidence: [evidenceIn(first), evidenceIn(second)] });
	await setAside(ground, { id: first.document });
	demandEqual((await tenant.memories.get([shared.id]))[0]?.evidence, [evidenceIn(second)], "the evidence without the document");
	await bringBack(ground, { ...samples.makeDocument(), id: first.document });
	const evidence = (await tenant.memories.get([shared.id]))[0]?.evidence ?? [];
	demandEqual(idsOf(evidence.map(({ chunk: id }) => ({ id }))).toSorted(), [first.id, second.id].toSorted(), "the chunks that support it afterwards");
}

async function unfinishedComesBack(ground: Ground): Promise<void> {
	const { storage, tenant } = ground;
	const document = await addDocument(ground);
	await tenant.documents.move(document.id, 1, ["queued"], "embedding", later);
	await setAside(ground, document);
	demandEqual((await storage.jobs.depth()).waiting, 0, "how many jobs wait while it is set aside");
	const back = await bringBack(ground, document);
	demandEqual([back.status, back.revision, back.publishedRevision], ["queued", 2, null], "a document that was not finished");
	demandEqual((await storage.jobs.depth()).waiting, 1, "how many jobs wait when it is back");
	demand(!(await tenant.documents.publish(document.id, 1, later)), "a job that began before the removal published what it had");
}

async function customIdTaken(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground, { customId: "guide" });
	await setAside(ground, document);
	const holder = await addDocument(ground, { customId: "guide" });
	demandEqual(await tenant.removals.bringBack(removal, document.id, samples.makeJob(document), later), "taken", "who comes back to a customId that is taken");
	demandEqual(await tenant.documents.get(document.id), null, "a document that was kept out");
	await tenant.documents.remove(holder.id, later);
	demandEqual((await bringBack(ground, document)).customId, "guide", "the customId of what came back");
}

async function expires(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const again = (now: Date, id = document.id) => tenant.removals.bringBack(removal, id, samples.makeJob(document), now);
	demandEqual(await tenant.removals.setAside(samples.newId(), removal, until, later), false, "whether what does not exist was set aside");
	await setAside(ground, document);
	demandEqual([await again(until), await again(later, samples.newId())], [null, null], "what comes back too late, or never was");
	demandEqual(await tenant.removals.list(removal, until), [], "what is listed too late");
	await bringBack(ground, document);
	demandEqual(await again(later), null, "what comes back a second time");
	const last = await addDocument(ground);
	await setAside(ground, last);
	await tenant.removals.expireAll();
	demandEqual([await again(later, last.id), await tenant.removals.list(removal, later)], [null, []], "what comes back when the time of all was ended");
	await reread(ground, document);
}

async function lists(ground: Ground): Promise<void> {
	const { tenant, others, storage, samples } = ground;
	const documents = [await addDocument(ground, { containerTags: ["a", "b"] }), await addDocument(ground), await addDocument(ground)];
	for (const [i, document] of documents.entries()) await setAside(ground, document, i < 2 ? removal : other);
	const listed = await tenant.removals.list(removal, later);
	demandEqual(idsOf(listed), idsOf([...documents.slice(0, 2)].reverse()), "the documents of a removal");
	demandEqual(listed[1]?.containerTags, ["a", "b"], "their containers");
	demandEqual(await others.removals.list(removal, later), [], "the removal of another organisation");
	const [first] = documents;
	demand(first !== undefined, "there is no document");
	const theirs = storage.organisation(otherOrganisation).removals;
	demandEqual(await theirs.bringBack(removal, first.id, samples.makeJob(first), later), null, "what another organisation brings back");
	await theirs.expireAll();
	demandEqual(idsOf(await tenant.removals.list(removal, later)), idsOf(listed), "a removal after another organisation has ended all of its own");
	demandEqual(await theirs.setAside(first.id, other, until, later), false, "whether another organisation sets it aside");
}

async function forgetsNotes(ground: Ground): Promise<void> {
	const { records, documents } = ground.tenant;
	const [aside, gone, kept] = [await addDocument(ground), await addDocument(ground), await addDocument(ground)];
	for (const { id } of [aside, gone, kept]) await records.put("read-chunks", id, ["digest"], { expected: null, expiresAt: null, now: later });
	await setAside(ground, aside);
	await documents.remove(gone.id, later);
	const left = await Promise.all([aside, gone, kept].map(async ({ id }) => (await records.get("read-chunks", id, later)) !== null));
	demandEqual(left, [false, false, true], "whether the note of what was read is there");
}

async function keepsBlobs(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const content = { kind: "file", blob: "shared-bytes", fileName: null, claimedMediaType: null, byteLength: 1, sha256: "00" } as const;
	const [kept, gone] = [await addDocument(ground, { content }), await addDocument(ground, { content })];
	await setAside(ground, kept);
	demandEqual(await tenant.documents.remove(gone.id, later), [], "the orphans of a document whose bytes may be wanted again");
}
