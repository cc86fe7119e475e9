/** What an event log promises: whatever happens to documents and memories is noted once, in order, and told to nobody else. */

import type { EventType, LogEvent, TenantStore } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import {
	addDocument,
	addPublished,
	firstChunk,
	type Ground,
	later,
	type OpenStorage,
	plenty,
	saveExtracted,
	saveMemory,
	saveReplacement,
	storageTest,
} from "./ground.ts";

export function eventLogContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `events: ${name}`, holds);
	return [
		contractTest("the life of a document is told once and in order", documentsTold),
		contractTest("a document that fails says with what, and one that is tried again says nothing", failuresTold),
		contractTest("the life of a memory is told once and in order", memoriesTold),
		contractTest("upkeep takes the customId of what was deleted for good, and of nothing else", namesErased),
		contractTest("what did not happen is not told", nothingTold),
		contractTest("readers go on where they were, by type or with all", readsOn),
		contractTest("administrative acts are told as they were written", auditTold),
		contractTest("another organisation hears nothing", unheard),
	];
}

async function told({ events }: TenantStore, after = 0): Promise<readonly LogEvent[]> {
	return await events.after(after, null, plenty);
}

async function typesTold(tenant: TenantStore, subject: string): Promise<readonly EventType[]> {
	return (await told(tenant)).filter((event) => event.subject === subject).map(({ type }) => type);
}

async function documentsTold(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const { document } = await addPublished(ground, ["a ferry"], { containerTags: ["harbour", "boats"], customId: "log-1" });
	await tenant.documents.move(document.id, 1, ["queued"], "extracting", samples.nextTime());
	const done = samples.nextTime();
	await tenant.documents.move(document.id, 1, ["extracting"], "done", done);
	await tenant.documents.setDreaming(document.id, 1, "done", samples.nextTime());
	const content = { kind: "text", text: "another", mediaType: "text/plain" } as const;
	await tenant.documents.change(document.id, { content }, samples.nextTime(), samples.makeJob(document));
	await tenant.documents.change(document.id, { metadata: { seen: true } }, samples.nextTime(), null);
	await tenant.documents.remove(document.id, later);
	const events = (await told(tenant)).filter(({ subject }) => subject === document.id);
	demandEqual(
		events.map(({ type }) => type),
		["document.queued", "document.done", "document.dreamed", "document.queued", "document.deleted"],
		"what is told of a document",
	);
	demandEqual(
		events.map(({ facts }) => facts["revision"] ?? null),
		[1, 1, 1, 2, 2],
		"the revisions it is told of",
	);
	demand(
		events.every(({ containerTags, facts }) => containerTags.join() === "harbour,boats" && facts["customId"] === "log-1"),
		"an event of a document names its containers and its customId",
	);
	demandEqual([events[0]?.at, events[1]?.at, events[4]?.at], [document.updatedAt, done, later], "when it happened");
	demandEqual(
		events.map(({ sequence }) => sequence),
		events.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
		"the order of the events",
	);
}

async function failuresTold(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const failure = { code: "FILE_DAMAGED", message: "it is damaged", stage: "extracting", hint: null, retryAt: null } as const;
	await tenant.documents.fail(document.id, 1, { ...failure, retryAt: later }, "queued", samples.nextTime());
	await tenant.documents.fail(document.id, 1, failure, "failed", samples.nextTime());
	const events = await told(tenant);
	demandEqual(
		events.map(({ type }) => type),
		["document.queued", "document.failed"],
		"what is told of a document that failed",
	);
	demandEqual([events[1]?.facts["code"], events[1]?.facts["stage"]], ["FILE_DAMAGED", "extracting"], "why it failed");
}

async function memoriesTold(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour"] }));
	const extracted = await saveExtracted(ground, chunk, { containerTag: "harbour" });
	const written = await saveMemory(ground, { containerTag: "people" });
	const newer = await saveReplacement(ground, written);
	await tenant.memories.forget([newer.id], "wrong", samples.nextTime());
	await tenant.memories.restore([newer.id, written.id], samples.nextTime());
	await tenant.documents.remove(chunk.document, samples.nextTime());
	demandEqual(await typesTold(tenant, extracted.id), ["memory.created", "memory.deleted"], "what is told of a memory that was drawn");
	demandEqual(await typesTold(tenant, written.id), ["memory.created"], "what is told of a memory that was replaced");
	demandEqual(await typesTold(tenant, newer.id), ["memory.updated", "memory.forgotten", "memory.restored"], "what is told of its new version");
	const created = (await told(tenant)).find(({ subject }) => subject === newer.id);
	demandEqual(created?.containerTags, [newer.containerTag], "the container of a memory's event");
	demandEqual([created?.facts["version"], created?.facts["parent"]], [newer.version, written.id], "the version of a memory's event");
}

async function namesErased(ground: Ground): Promise<void> {
	const { tenant, storage } = ground;
	// Upkeep deletes events of long ago.
	const updatedAt = new Date();
	const [gone, kept] = [await addDocument(ground, { customId: "gone-1", updatedAt }), await addDocument(ground, { customId: "kept-1", updatedAt })];
	await tenant.documents.remove(gone.id, updatedAt);
	await storage.maintain(new AbortController().signal);
	const namesOf = async (id: string) => (await told(tenant)).filter(({ subject }) => subject === id).map(({ facts }) => facts["customId"]);
	demandEqual(await namesOf(gone.id), [null, null], "the customIds in the events of a deleted document");
	demandEqual(await namesOf(kept.id), ["kept-1"], "the customIds in the events of one that stays");
}

async function nothingTold(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground, { customId: "taken" });
	const memory = await saveMemory(ground);
	const from = await tenant.events.latest();
	const second = samples.makeDocument({ customId: "taken" });
	await tenant.documents.add(second, samples.makeJob(second));
	await tenant.documents.move(document.id, 7, ["queued"], "done", later);
	await tenant.documents.move(document.id, 1, ["indexing"], "done", later);
	await tenant.documents.setDreaming(document.id, 1, "dreaming", later);
	await tenant.documents.remove(samples.newId(), later);
	await tenant.memories.restore([memory.id], later);
	await tenant.memories.amend(memory.id, { metadata: { seen: true } }, later);
	demandEqual(await told(tenant, from), [], "what is told of what did not happen");
}

async function readsOn(ground: Ground): Promise<void> {
	const { tenant } = ground;
	demandEqual([await tenant.events.latest(), await tenant.events.oldest()], [0, 0], "the ends of an empty log");
	for (let i = 0; i < 3; i++) {
		await addDocument(ground);
		await saveMemory(ground);
	}
	const all = await told(tenant);
	demandEqual(all.length, 6, "how many events there are");
	demandEqual(await tenant.events.after(0, null, 2), all.slice(0, 2), "the first two");
	demandEqual(await tenant.events.after(all[1]?.sequence ?? 0, null, plenty), all.slice(2), "those after the second");
	demandEqual(await tenant.events.after(0, ["memory.created"], 2), [all[1], all[3]] as readonly LogEvent[], "the first two of one type");
	demandEqual(await tenant.events.after(0, [], plenty), [], "those of no type");
	demandEqual([await tenant.events.oldest(), await tenant.events.latest()], [all[0]?.sequence ?? -1, all[5]?.sequence ?? -1], "the ends of the log");
}

async function auditTold({ tenant, samples }: Ground): Promise<void> {
	const act = { type: "key.created", at: samples.nextTime(), subject: "key-1", containerTags: [], facts: { by: "key-0", name: "Büro" } } as const;
	await tenant.events.append(act);
	const [first] = await told(tenant);
	demandEqual(first, { ...act, sequence: first?.sequence ?? 0 }, "an administrative act");
}

async function unheard(ground: Ground): Promise<void> {
	const { others } = ground;
	await addDocument(ground);
	await saveMemory(ground);
	demandEqual(await told(others), [], "what another organisation hears");
	demandEqual([await others.events.latest(), await others.events.oldest()], [0, 0], "how far another organisation hears");
}
