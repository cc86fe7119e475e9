/** What a memory store promises: versions grow in one go, sources are counted; and all contract tests of what can be seen. */

import type { Memory, MemoryId } from "cairn-memory";
import { type DocumentId, type MemoryEdge, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, sampleSpace } from "../samples.ts";
import {
	addPublished,
	everything,
	firstChunk,
	type Ground,
	idsOf,
	later,
	memoriesByVector,
	memoriesByWords,
	type OpenStorage,
	retract,
	saveExtracted,
	saveMemory,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";
import { memoryEdgeContract } from "./memory-edge-contract.ts";
import { memoryFilterContract } from "./memory-filter-contract.ts";
import { memoryGroundContract } from "./memory-ground-contract.ts";
import { memoryHomeContract } from "./memory-home-contract.ts";
import { memoryMomentContract } from "./memory-moment-contract.ts";

export function memoryStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `memories: ${name}`, holds);
	return [
		contractTest("what is saved comes back as it was, in the order of the ids", savedComesBack),
		contractTest("a text leads to the newest memory of the container that says it and is current", byText),
		contractTest("what an updates edge points to is no longer the latest", updatesRetire),
		contractTest("extends and derives retire nothing", othersRetireNothing),
		contractTest("a memory may replace one of the same call", replacedInOneCall),
		contractTest("a second save that updates the same memory saves nothing", secondUpdateRefused),
		contractTest("of two racing saves that update one memory exactly one wins", updateRace),
		contractTest("an update of a memory that is gone saves nothing", updateOfGone),
		contractTest("evidence in documents that are gone is dropped, and a drawn memory without evidence is not saved", deadEvidence),
		contractTest("a further source is added once, and only for what is there", supportAdds),
		contractTest("retracting takes what the document alone supported, and keeps what is shared", retractKeepsShared),
		contractTest("retracting a replacement makes the replaced the latest again", retractRestores),
		contractTest("forgetting counts each memory once", forgetCounts),
		contractTest("what was forgotten is restored as it was, once", restores),
		contractTest("what is said about a memory changes, and what it says does not", amends),
		...memoryEdgeContract(open),
		...memoryGroundContract(open),
		...memoryHomeContract(open),
		...memoryFilterContract(open),
		...memoryMomentContract(open),
	];
}

const gone = "nobodyknowsthisid11111";

async function save({ tenant, samples }: Ground, memories: readonly Memory[], edges: readonly MemoryEdge[] = []): Promise<boolean> {
	const embedded = memories.map((memory) => ({ memory, vector: samples.makeVector() }));
	return tenant.memories.save(sampleSpace, embedded, edges);
}

async function only({ tenant }: Ground, { id }: Pick<Memory, "id">): Promise<Memory> {
	const [memory] = await tenant.memories.get([id]);
	demand(memory !== undefined, "a memory that was saved is gone");
	return memory;
}

async function savedComesBack(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["Ada lives in Lisbon"]));
	const plain = samples.makeMemory();
	const rich = samples.makeMemory({
		text: "Ada 住在里斯本",
		indexedText: "Ada, 4 March 2026: 住在里斯本",
		isStatic: true,
		isInference: true,
		confidence: 0.375,
		subject: "ada",
		eventTime: new Date("1815-12-10T00:00:00.000Z"),
		forgetAfter: later,
		evidence: [{ ...evidenceIn(chunk), span: [4, 9] }, evidenceIn(chunk)],
		version: 3,
		root: samples.newId<MemoryId>(),
		parent: samples.newId<MemoryId>(),
		metadata: { text: "ß", number: 0.1, yes: false, list: ["a", "b"], empty: [] },
		extractor: "sentences-1",
	});
	const vectors = [samples.makeVector(), samples.makeVector()] as const;
	const embedded = [
		{ memory: plain, vector: vectors[0] },
		{ memory: rich, vector: vectors[1] },
	];
	demand(await tenant.memories.save(sampleSpace, embedded, []), "memories without rivals were not saved");
	demandEqual(await tenant.memories.get([rich.id, samples.newId<MemoryId>(), plain.id]), [rich, plain], "memories by id");
	demandEqual(await tenant.memories.get([]), [], "the memories of no ids");
	const kept = await tenant.vectors(sampleSpace).memoryVectors([plain.id, rich.id]);
	demandEqual([kept.get(plain.id), kept.get(rich.id)], vectors, "the vectors of memories");
}

async function updatesRetire(ground: Ground): Promise<void> {
	const { samples } = ground;
	const old = await saveMemory(ground, { text: "Ada lives in Porto" });
	const bystander = await saveMemory(ground, { text: "Ada is tall" });
	const fresh = samples.makeMemory({ text: "Ada lives in Lisbon", version: 2, parent: old.id, root: old.id });
	demand(await save(ground, [fresh], [edgeBetween(fresh, "updates", old)]), "an update of the latest memory was refused");
	demandEqual((await only(ground, old)).isLatest, false, "whether the replaced memory is the latest");
	demandEqual(await only(ground, fresh), fresh, "the memory that replaces");
	demandEqual(await only(ground, bystander), bystander, "a memory that was not touched");
}

async function othersRetireNothing(ground: Ground): Promise<void> {
	const known = await saveMemory(ground);
	const [extending, derived] = [ground.samples.makeMemory(), ground.samples.makeMemory({ isInference: true })];
	const edges = [edgeBetween(extending, "extends", known), edgeBetween(derived, "derives", known)];
	demand(await save(ground, [extending, derived], edges), "memories that extend and derive were refused");
	for (const memory of [known, extending, derived]) demandEqual((await only(ground, memory)).isLatest, true, "whether a memory is the latest");
}

async function replacedInOneCall(ground: Ground): Promise<void> {
	const { samples } = ground;
	for (const isLatest of [false, true]) {
		const first = samples.makeMemory({ isLatest });
		const second = samples.makeMemory({ version: 2, parent: first.id, root: first.id });
		demand(await save(ground, [first, second], [edgeBetween(second, "updates", first)]), "a document's own update of itself was refused");
		demandEqual([(await only(ground, first)).isLatest, (await only(ground, second)).isLatest], [false, true], "which of the two is the latest");
	}
}

async function secondUpdateRefused(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const [old, target] = [await saveMemory(ground), await saveMemory(ground)];
	const first = samples.makeMemory();
	await save(ground, [first], [edgeBetween(first, "updates", old)]);
	const [late, companion] = [samples.makeMemory({ text: "late lighthouse" }), samples.makeMemory({ text: "companion lighthouse" })];
	const edges = [edgeBetween(companion, "updates", target), edgeBetween(late, "updates", old)];
	demand(!(await save(ground, [companion, late], edges)), "a memory that was replaced already was replaced again");
	demandEqual(await tenant.memories.get([late.id, companion.id]), [], "memories of a refused save");
	demandEqual(await memoriesByWords(tenant, "lighthouse"), [], "memories of a refused save, by words");
	demandEqual([...(await tenant.vectors(sampleSpace).memoryVectors([late.id, companion.id])).keys()], [], "vectors of a refused save");
	demandEqual(await tenant.memories.edges([late.id, companion.id]), [], "edges of a refused save");
	demandEqual((await only(ground, target)).isLatest, true, "whether a refused save left its other target the latest");
}

async function updateRace(ground: Ground): Promise<void> {
	const old = await saveMemory(ground);
	const racers = [1, 2, 3].map(() => ground.samples.makeMemory());
	const won = await Promise.all(racers.map((memory) => save(ground, [memory], [edgeBetween(memory, "updates", old)])));
	demandEqual(won.filter(Boolean).length, 1, "winners of a race to update one memory");
	demandEqual((await ground.tenant.memories.get(racers.map(({ id }) => id))).length, 1, "memories after that race");
}

async function updateOfGone(ground: Ground): Promise<void> {
	const chunk = await firstChunk(addPublished(ground, ["Ada lives in Porto"]));
	const old = await saveExtracted(ground, chunk);
	await ground.tenant.documents.remove(chunk.document, later);
	const fresh = ground.samples.makeMemory();
	demand(!(await save(ground, [fresh], [edgeBetween(fresh, "updates", old)])), "a memory that is gone was updated");
	demandEqual(await ground.tenant.memories.get([fresh.id]), [], "the memory of a refused save");
}

async function deadEvidence(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const [living, dead] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	await tenant.documents.remove(dead.document, later);
	const known = await saveMemory(ground);
	const both = samples.makeMemory({ extractor: "sentences-1", evidence: [evidenceIn(dead), evidenceIn(living)] });
	const orphan = samples.makeMemory({ extractor: "sentences-1", evidence: [evidenceIn(dead)] });
	const written = samples.makeMemory({ extractor: null, evidence: [] });
	demand(await save(ground, [both, orphan, written], [edgeBetween(orphan, "updates", known)]), "a save with dead evidence was refused");
	demandEqual(
		await tenant.memories.get([both.id, orphan.id, written.id]),
		[{ ...both, evidence: [evidenceIn(living)] }, written],
		"memories with dead evidence",
	);
	demandEqual((await only(ground, known)).isLatest, true, "whether a memory that was not saved left its target the latest");
	demandEqual(await tenant.memories.edges([known.id]), [], "the edges of a memory that was not saved");
}

async function supportAdds(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const [chunk, other] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada again"]))];
	const memory = await saveExtracted(ground, chunk);
	demand(await tenant.memories.support(memory.id, [evidenceIn(other)], later), "a further source was refused");
	demandEqual((await only(ground, memory)).evidence, [evidenceIn(chunk), evidenceIn(other)], "the evidence of a memory with two sources");
	demandEqual(idsOf(await tenant.memories.ofDocument(other.document)), [memory.id], "the memories of the further source");
	await tenant.memories.support(memory.id, [evidenceIn(other)], later);
	demandEqual((await only(ground, memory)).evidence.length, 2, "how often a memory is supported when the same source is added twice");
	demand(!(await tenant.memories.support(samples.newId<MemoryId>(), [evidenceIn(other)], later)), "a memory that does not exist was supported");
	const dead = { ...evidenceIn(other), document: gone as DocumentId };
	demand(!(await tenant.memories.support(memory.id, [dead], later)), "a memory was supported by a document that does not exist");
	demandEqual((await only(ground, memory)).evidence.length, 2, "how often a memory is supported after a refusal");
}

async function retractKeepsShared(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [chunk, other] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	const [lone, shared] = [await saveExtracted(ground, chunk), await saveExtracted(ground, chunk, { evidence: [evidenceIn(chunk), evidenceIn(other)] })];
	const [strange, written] = [await saveExtracted(ground, other), await saveMemory(ground)];
	await retract(tenant, chunk.document);
	demandEqual(idsOf(await tenant.memories.get([lone.id, shared.id, strange.id, written.id])), idsOf([shared, strange, written]), "memories after a retraction");
	demandEqual((await only(ground, shared)).evidence, [evidenceIn(other)], "the evidence of a shared memory after a retraction");
	demandEqual(await memoriesByVector(ground), sortedIdsOf([shared, strange, written]), "memories by vector after a retraction");
	demand((await tenant.documents.get(chunk.document)) !== null, "the document of a retraction is gone");
}

async function retractRestores(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["Ada lives in Lisbon"]));
	const old = await saveMemory(ground, { text: "Ada lives in Porto" });
	const fresh = samples.makeMemory({ extractor: "sentences-1", evidence: [evidenceIn(chunk)], version: 2, parent: old.id, root: old.id });
	const newest = samples.makeMemory({ extractor: "sentences-1", evidence: [evidenceIn(chunk)], version: 3, parent: fresh.id, root: old.id });
	await save(ground, [fresh], [edgeBetween(fresh, "updates", old)]);
	await save(ground, [newest], [edgeBetween(newest, "updates", fresh)]);
	await retract(tenant, chunk.document);
	demandEqual((await only(ground, old)).isLatest, true, "whether the replaced memory is the latest again");
	demandEqual(await memoriesByVector(ground), [old.id], "what can be found after a replacement was taken back");
}

async function restores(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const memory = await saveMemory(ground);
	const unknown = samples.newId<MemoryId>();
	demandEqual(await tenant.memories.restore([memory.id], later), 0, "how many were restored that were not forgotten");
	await tenant.memories.forget([memory.id], "by mistake", later);
	demandEqual(await tenant.memories.restore([memory.id, memory.id, unknown], later), 1, "how many were restored of one, named twice");
	demandEqual(await only(ground, memory), { ...memory, updatedAt: later }, "a restored memory");
	demandEqual(await memoriesByWords(tenant, memory.text), [memory.id], "what the words of a restored memory find");
}

async function byText(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const text = "Ada keeps bees";
	const earlier = await saveMemory(ground, { text });
	const newest = await saveMemory(ground, { text, createdAt: later });
	await saveMemory(ground, { text: `${text} and hens`, createdAt: later });
	await saveMemory(ground, { text, containerTag: "elsewhere", createdAt: later });
	const found = async () => (await tenant.memories.byText(newest.containerTag, text))?.id ?? null;
	demandEqual(await found(), newest.id, "the newest of two with one text");
	await tenant.memories.forget([newest.id], null, later);
	demandEqual(await found(), earlier.id, "the one that is left when the newest is forgotten");
	const replacement = ground.samples.makeMemory({ text: "Ada keeps hens" });
	await save(ground, [replacement], [edgeBetween(replacement, "updates", earlier)]);
	demandEqual(await found(), null, "a text that only replaced and forgotten memories have");
}

async function amends(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const memory = await saveMemory(ground, { isInference: true, metadata: { mood: "calm" } });
	demand(!(await tenant.memories.amend(samples.newId<MemoryId>(), { isInference: false }, later)), "a memory that does not exist was amended");
	demand(await tenant.memories.amend(memory.id, { isInference: false }, later), "a memory was not amended");
	demandEqual(await only(ground, memory), { ...memory, isInference: false, updatedAt: later }, "a memory that is no inference any more");
	await tenant.memories.amend(memory.id, { metadata: { mood: "stormy", seen: true } }, later);
	const stormy = { ...wholeOrganisation, filter: { kind: "equals", key: "mood", value: "stormy", ignoreCase: false, negate: false } } as const;
	demandEqual(await memoriesByWords(tenant, memory.text, { ...everything, scope: stormy }), [memory.id], "what a filter on new metadata finds");
}

async function forgetCounts(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const [first, second] = [await saveMemory(ground), await saveMemory(ground)];
	const unknown = samples.newId<MemoryId>();
	demandEqual(await tenant.memories.forget([first.id, first.id, unknown], "asked to", later), 1, "how many were forgotten of one, named twice");
	demandEqual(await tenant.memories.forget([first.id, second.id], null, later), 1, "how many were forgotten of one new and one old");
	demandEqual(await tenant.memories.forget([], null, later), 0, "how many were forgotten of none");
	const { isForgotten, forgetReason } = await only(ground, first);
	demandEqual([isForgotten, forgetReason], [true, "asked to"], "a forgotten memory");
	demandEqual([(await only(ground, second)).isForgotten, (await only(ground, second)).forgetReason], [true, null], "one forgotten without a reason");
}
