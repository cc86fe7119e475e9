/** Where memories live: only a document of a container brings one there, and all of them can move to another. */

import type { MemoryId } from "cairn-memory";
import { wholeOrganisation } from "cairn-memory/stores";
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
	memoriesIn,
	type OpenStorage,
	saveExtracted,
	saveMemory,
	saveReplacement,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

export function memoryHomeContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `memories: ${name}`, holds);
	return [
		contractTest("a drawn memory is saved only where one of its documents is, and brings no container back", strangersStayOut),
		contractTest("all memories of a container move to another, so many at a time, with their versions", allMove),
		contractTest("a version of a memory that has moved away is not saved, and brings no container back", noneOfMoved),
		contractTest("memories that are erased leave nothing, and the versions around them stay linked", nothingStays),
		contractTest("when a forgotten memory cannot be restored any more, what a client wrote of it is deleted, and the rest stays", writtenGoes),
		contractTest("only the whole passage of a client's memory is deleted with it, and never what a document says", saidStays),
		contractTest("moving memories touches no other container and no other organisation", onlyTheseMove),
	];
}

const within = (tag: string) => ({ ...wholeOrganisation, containerTags: [tag], tagsMatch: "any" as const });

async function strangersStayOut(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour", "boats"] }));
	await tenant.documents.change(chunk.document, { containerTags: ["boats"] }, samples.nextTime(), null);
	await tenant.containers.remove("harbour");
	const late = samples.makeMemory({ containerTag: "harbour", extractor: "sentences-1", evidence: [evidenceIn(chunk)] });
	const home = samples.makeMemory({ containerTag: "boats", extractor: "sentences-1", evidence: [evidenceIn(chunk)] });
	const embedded = [late, home].map((memory) => ({ memory, vector: samples.makeVector() }));
	demand(await tenant.memories.save(sampleSpace, embedded, []), "a save without updates was refused");
	demandEqual(sortedIdsOf(await memoriesIn(tenant, wholeOrganisation, false)), [home.id], "the memories that were saved");
	demandEqual(await tenant.containers.get("harbour"), null, "a container that its last document has left");
}

async function allMove(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour"] }));
	const [extracted, written, forgotten] = [
		await saveExtracted(ground, chunk, { containerTag: "harbour" }),
		await saveMemory(ground, { containerTag: "harbour" }),
		await saveMemory(ground, { containerTag: "harbour" }),
	];
	await tenant.memories.forget([forgotten.id], null, later);
	demandEqual(await tenant.memories.rehome("harbour", "port", 2, later), 2, "how many moved at the first call");
	demandEqual(await tenant.memories.rehome("harbour", "port", 2, later), 1, "how many moved at the second call");
	demandEqual(await tenant.memories.rehome("harbour", "port", 2, later), 0, "how many moved when none was left");
	const all = [extracted, written, forgotten];
	demandEqual(sortedIdsOf(await memoriesIn(tenant, within("port"), false)), sortedIdsOf(all), "the memories of the new home");
	demandEqual(await memoriesIn(tenant, within("harbour"), false), [], "the memories of the old home");
	const memoryFilter = { ...everything, scope: within("port") };
	demandEqual((await memoriesByWords(tenant, "harbour", memoryFilter)).toSorted(), sortedIdsOf([extracted, written]), "the current ones by words");
	demandEqual(await memoriesByVector(ground, memoryFilter), sortedIdsOf([extracted, written]), "the current ones by vector");
	demand((await tenant.containers.get("port")) !== null, "there is no container where the memories moved");
	const [moved] = await tenant.memories.get([written.id]);
	demandEqual(moved, { ...written, containerTag: "port", updatedAt: later }, "a moved memory");
}

async function noneOfMoved(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const first = await saveMemory(ground, { containerTag: "harbour" });
	await tenant.memories.rehome("harbour", "port", 10, later);
	await tenant.containers.remove("harbour");
	const replace = async (containerTag: string) => {
		const memory = samples.makeMemory({ containerTag, version: 2, parent: first.id, root: first.id });
		return {
			id: memory.id,
			isSaved: await tenant.memories.save(sampleSpace, [{ memory, vector: samples.makeVector() }], [edgeBetween(memory, "updates", first)]),
		};
	};
	demand(!(await replace("harbour")).isSaved, "a memory of another container was replaced");
	demandEqual(await tenant.containers.get("harbour"), null, "the container that is gone");
	demandEqual(
		(await memoriesIn(tenant, wholeOrganisation, true)).map(({ id, containerTag }) => [id, containerTag]),
		[[first.id, "port"]],
		"the latest memories",
	);
	const { id, isSaved } = await replace("port");
	demand(isSaved, "a memory was not replaced where it is");
	demandEqual(idsOf(await memoriesIn(tenant, within("port"), true)), [id], "the latest memory where it moved");
}

async function nothingStays(ground: Ground): Promise<void> {
	const { tenant, others } = ground;
	const first = await saveMemory(ground, { text: "Ada lives in Lisbon", metadata: { colour: "red" } });
	const second = await saveReplacement(ground, first);
	const third = await saveReplacement(ground, second);
	const foreign = await saveMemory({ ...ground, tenant: others });
	await tenant.memories.forget([third.id], "asked to", later);
	demandEqual(await tenant.memories.erase([second.id, foreign.id, ground.samples.newId<MemoryId>()], later), 1, "how many were erased");
	const [last] = await tenant.memories.get([third.id]);
	demandEqual([last?.parent, last?.isForgotten], [first.id, true], "the version after one that was erased");
	demandEqual(
		(await tenant.memories.edges([third.id])).map(({ to }) => to),
		[first.id],
		"its edges",
	);
	demandEqual(await tenant.memories.erase([third.id], later), 1, "how many forgotten ones were erased");
	const [left] = await tenant.memories.get([first.id]);
	demandEqual([left?.isLatest, left?.parent], [false, null], "the version before a forgotten one that was erased");
	await tenant.memories.erase([first.id], later);
	demandEqual(await memoriesIn(tenant, wholeOrganisation, false), [], "the memories after all were erased");
	demandEqual(await memoriesByWords(tenant, "lisbon", { ...everything, includeForgotten: true }), [], "by words");
	demandEqual(await memoriesByVector(ground, { ...everything, includeForgotten: true }), [], "by vector");
	demandEqual((await tenant.vectors(sampleSpace).memoryVectors([first.id, second.id, third.id])).size, 0, "vectors of erased memories");
	demandEqual(idsOf(await memoriesIn(others, wholeOrganisation, false)), [foreign.id], "the memories of another organisation");
}

async function writtenGoes(ground: Ground): Promise<void> {
	const { tenant, samples, storage } = ground;
	const [chunk, source] = [
		await firstChunk(addPublished(ground, ["Ada keeps a goat"])),
		await firstChunk(addPublished(ground, ["a PIN"], { taskType: "superrag", customId: null, writtenBy: null, metadata: {}, filepath: null })),
	];
	const extracted = await saveExtracted(ground, chunk);
	const links = { extractor: null, version: 2, parent: extracted.id, root: extracted.id, evidence: extracted.evidence };
	const corrected = samples.makeMemory({ ...links, text: "Ada keeps two goats" });
	await tenant.memories.save(sampleSpace, [{ memory: corrected, vector: samples.makeVector() }], [edgeBetween(corrected, "updates", extracted)]);
	const [own, plain] = [await saveMemory(ground, { extractor: null, evidence: [evidenceIn(source)] }), await saveExtracted(ground, chunk)];
	const kept = await saveMemory(ground, { extractor: null });
	const restored = await saveMemory(ground, { extractor: null });
	const ids = [corrected.id, own.id, plain.id, restored.id];
	const past = new Date("2026-01-01");
	const put = (id: string, at: Date) =>
		tenant.records.put("removal", id, { containerTag: "team", ids, at: at.getTime() }, { expected: null, expiresAt: at, now: new Date(0) });
	await tenant.memories.forget(ids, "asked to", past);
	// It was forgotten anew, so the first record does not end that.
	await tenant.memories.restore([restored.id], past);
	await tenant.memories.forget([restored.id], "asked to", later);
	await put("first", past);
	// A merge of containers changes memories, and not when they were forgotten.
	await tenant.memories.rehome("team", "port", 10, later);
	await storage.maintain(new AbortController().signal);
	const left = [extracted.id, plain.id, kept.id, restored.id];
	demandEqual(sortedIdsOf(await memoriesIn(tenant, wholeOrganisation, false)), left.toSorted(), "what is left of forgotten memories");
	const [hidden] = await tenant.memories.get([extracted.id]);
	demandEqual([hidden?.isForgotten, hidden?.evidence], [true, extracted.evidence], "what was corrected and then forgotten");
	demandEqual(await tenant.documents.get(source.document), null, "the document that was made for a memory of a client");
	demand((await tenant.documents.get(chunk.document)) !== null, "the document from which memories were extracted is gone");
	demandEqual(await tenant.records.list("removal", null, 10, new Date(0)), [], "the record of what was forgotten");
}

async function saidStays(ground: Ground): Promise<void> {
	const { tenant, samples, storage } = ground;
	// What a server before migration 8 stored looks as if it was made for memories, except for its passages.
	const plain = { taskType: "superrag", customId: null, writtenBy: null, metadata: {}, filepath: null } as const;
	const [note, letter, own] = [
		await firstChunk(addPublished(ground, ["Ada keeps a goat. It rains."], plain)),
		await firstChunk(addPublished(ground, ["Ada keeps a cat"], plain)),
		await addPublished(ground, ["Ada keeps a cat", "Ada keeps a dog 🐕", "Ada keeps a hen"], plain),
	];
	const [cat, dog] = own.chunks.map(evidenceIn);
	demand(cat !== undefined && dog !== undefined, "there are no chunks");
	await tenant.documents.describe(own.document.id, 1, { title: "Animals" });
	const part = await saveMemory(ground, { extractor: null, evidence: [{ ...evidenceIn(note), span: [0, 17] }] });
	const said = await saveMemory(ground, { extractor: null, evidence: [cat, evidenceIn(letter)] });
	const alone = await saveMemory(ground, { extractor: null, evidence: [dog] });
	const [past, ids] = [samples.nextTime(), [part.id, said.id, alone.id]];
	await tenant.memories.forget(ids, "asked to", past);
	const value = { containerTag: "team", ids, at: past.getTime() };
	await tenant.records.put("removal", "batch", value, { expected: null, expiresAt: past, now: new Date(0) });
	await storage.maintain(new AbortController().signal);
	const [hidden, ...others] = await tenant.memories.get(ids);
	demandEqual([hidden?.id, hidden?.isForgotten, others.length], [said.id, true, 0], "what is left of forgotten memories");
	demandEqual(hidden?.evidence, [evidenceIn(letter)], "what tells that a document says it");
	const texts = (await tenant.documents.chunks([note, letter, ...own.chunks].map(({ id }) => id))).map(({ text }) => text);
	demandEqual(texts, [note.text, letter.text, "Ada keeps a hen"], "what is left of documents");
	demandEqual((await tenant.documents.get(own.document.id))?.findings.title, "Animals", "a title that is not the beginning of what was deleted");
}

async function onlyTheseMove(ground: Ground): Promise<void> {
	const { tenant, others } = ground;
	const kept = await saveMemory(ground, { containerTag: "boats" });
	const newer = await saveReplacement(ground, await saveMemory(ground));
	await saveMemory({ ...ground, tenant: others }, { containerTag: "team" });
	demandEqual(await tenant.memories.rehome("team", "port", 10, later), 2, "how many moved");
	demandEqual(sortedIdsOf(await memoriesIn(tenant, within("boats"), true)), [kept.id], "the memories of another container");
	demandEqual(sortedIdsOf(await memoriesIn(tenant, within("port"), true)), [newer.id], "the latest of what moved");
	demandEqual((await memoriesIn(others, within("team"), true)).length, 1, "the memories of another organisation");
	demandEqual(await others.containers.get("port"), null, "a container of another organisation");
}
