/** What a memory store promises of a document that is read anew: what it still says stays as it is, and what it does not say any more goes. */

import type { Memory, MemoryId } from "cairn-memory";
import type { DocumentId } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, sampleSpace } from "../samples.ts";
import { addPublished, firstChunk, type Ground, idsOf, later, type OpenStorage, saveExtracted, storageTest } from "./ground.ts";

export function memoryGroundContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `memories: ${name}`, holds);
	return [
		contractTest("the words that a memory rests on are noted with it", wordsKept),
		contractTest("new ground takes the place of the old one of the same document, and changes nothing else", newGround),
		contractTest("what is gone is taken back, and only that", goneOnly),
		contractTest("what was inferred from what is gone goes along, unless the document says it itself", inferredGo),
		contractTest("nothing stands on the ground of a document that is gone", noGround),
	];
}

async function only({ tenant }: Ground, { id }: Pick<Memory, "id">): Promise<Memory> {
	const [memory] = await tenant.memories.get([id]);
	demand(memory !== undefined, "a memory that was saved is gone");
	return memory;
}

async function wordsKept(ground: Ground): Promise<void> {
	const chunk = await firstChunk(addPublished(ground, ["Ada"]));
	const memory = await saveExtracted(ground, chunk, { evidence: [{ ...evidenceIn(chunk), words: "a1b2" }, evidenceIn(chunk)] });
	demandEqual((await only(ground, memory)).evidence, memory.evidence, "evidence with a fingerprint of its words");
}

async function newGround(ground: Ground): Promise<void> {
	const { memories } = ground.tenant;
	const [chunk, fresh] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada again"]))];
	const forgotten = await saveExtracted(ground, chunk, { evidence: [evidenceIn(fresh), evidenceIn(chunk)] });
	await memories.forget([forgotten.id], "asked to", later);
	const before = await only(ground, forgotten);
	const moved = { ...evidenceIn(chunk), span: [1, 2] as const, words: "c3" };
	await memories.reground(chunk.document, [{ memory: forgotten.id, evidence: [moved] }], [], new Date("2027-01-01"));
	demandEqual(await only(ground, forgotten), { ...before, evidence: [evidenceIn(fresh), moved] }, "a forgotten memory on new ground");
	demandEqual(idsOf(await memories.ofDocument(chunk.document)), [forgotten.id], "the memories of the document");
}

async function goneOnly(ground: Ground): Promise<void> {
	const { memories } = ground.tenant;
	const [chunk, other] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	const [gone, stays] = [await saveExtracted(ground, chunk), await saveExtracted(ground, chunk)];
	const shared = await saveExtracted(ground, chunk, { evidence: [evidenceIn(chunk), evidenceIn(other)] });
	await memories.reground(chunk.document, [], [gone.id, shared.id, ground.samples.newId<MemoryId>()], later);
	demandEqual(await memories.get([gone.id, stays.id]), [stays], "what is left of a document's memories");
	demandEqual((await only(ground, shared)).evidence, [evidenceIn(other)], "the evidence of what another document says as well");
}

async function inferredGo(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["Ada"]));
	const other = await firstChunk(addPublished(ground, ["Ada"]));
	const premise = await saveExtracted(ground, chunk);
	const inferred = { isInference: true, extractor: "sentences-1" };
	const [goes, stays] = [
		samples.makeMemory({ ...inferred, evidence: [evidenceIn(other)] }),
		samples.makeMemory({ ...inferred, evidence: [evidenceIn(chunk)] }),
	];
	const embedded = [goes, stays].map((memory) => ({ memory, vector: samples.makeVector() }));
	await tenant.memories.save(sampleSpace, embedded, [edgeBetween(goes, "derives", premise), edgeBetween(stays, "derives", premise)]);
	await tenant.memories.reground(chunk.document, [], [premise.id], later);
	demandEqual(idsOf(await tenant.memories.get([premise.id, goes.id, stays.id])), [stays.id], "what is left of a premise and what was inferred from it");
}

async function noGround(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [chunk, dead] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	const memory = await saveExtracted(ground, chunk);
	await tenant.documents.remove(dead.document, later);
	const evidence = [evidenceIn(dead)];
	await tenant.memories.reground(dead.document, [{ memory: memory.id, evidence }], [], later);
	await tenant.memories.reground(chunk.document, [{ memory: ground.samples.newId<MemoryId>(), evidence: [evidenceIn(chunk)] }], [], later);
	demandEqual(await only(ground, memory), memory, "a memory after a document that is gone was read");
	demandEqual(await tenant.memories.ofDocument("nobodyknowsthisid11111" as DocumentId), [], "memories of nothing");
}
