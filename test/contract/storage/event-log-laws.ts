/** What an event log promises: whatever happens to documents and memories is noted once, in order, and told to nobody else. */

import type { EventType, OrganisationRooms, StoreEvent } from "cairn-memory";
import { demandEqual } from "../demand-equal.ts";
import { demand, type Law } from "../law.ts";
import {
	addDocument,
	addPublished,
	firstChunk,
	type Ground,
	later,
	type OpenStorage,
	plenty,
	saveDrawn,
	saveMemory,
	saveReplacement,
	storageLaw,
} from "./ground.ts";

export function eventLogLaws(open: OpenStorage): readonly Law[] {
	const law = (name: string, holds: (ground: Ground) => Promise<void>) => storageLaw(open, `events: ${name}`, holds);
	return [
		law("the life of a document is told once and in order", documentsTold),
		law("a document that fails says with what, and one that is tried again says nothing", failuresTold),
		law("the life of a memory is told once and in order", memoriesTold),
		law("what did not happen is not told", nothingTold),
		law("readers go on where they were, by type or with all", readsOn),
		law("administrative acts are told as they were written", auditTold),
		law("another organisation hears nothing", unheard),
	];
}

async function told({ events }: OrganisationRooms, after = 0): Promise<readonly StoreEvent[]> {
	return await events.after(after, null, plenty);
}

async function typesTold(rooms: OrganisationRooms, subject: string): Promise<readonly EventType[]> {
	return (await told(rooms)).filter((event) => event.subject === subject).map(({ type }) => type);
}

async function documentsTold(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const { document } = await addPublished(ground, ["a ferry"], { containerTags: ["harbour", "boats"], customId: "log-1" });
	await rooms.documents.move(document.id, 1, ["queued"], "extracting", samples.nextTime());
	const done = samples.nextTime();
	await rooms.documents.move(document.id, 1, ["extracting"], "done", done);
	await rooms.documents.setDreaming(document.id, 1, "done", samples.nextTime());
	const content = { kind: "text", text: "another", mediaType: "text/plain" } as const;
	await rooms.documents.change(document.id, { content }, samples.nextTime(), samples.makeJob(document));
	await rooms.documents.change(document.id, { metadata: { seen: true } }, samples.nextTime(), null);
	await rooms.documents.remove(document.id, later);
	const events = (await told(rooms)).filter(({ subject }) => subject === document.id);
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
	const { rooms, samples } = ground;
	const document = await addDocument(ground);
	const failure = { code: "FILE_DAMAGED", message: "it is damaged", stage: "extracting", hint: null, retryAt: null } as const;
	await rooms.documents.fail(document.id, 1, { ...failure, retryAt: later }, "queued", samples.nextTime());
	await rooms.documents.fail(document.id, 1, failure, "failed", samples.nextTime());
	const events = await told(rooms);
	demandEqual(
		events.map(({ type }) => type),
		["document.queued", "document.failed"],
		"what is told of a document that failed",
	);
	demandEqual([events[1]?.facts["code"], events[1]?.facts["stage"]], ["FILE_DAMAGED", "extracting"], "why it failed");
}

async function memoriesTold(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour"] }));
	const drawn = await saveDrawn(ground, chunk, { containerTag: "harbour" });
	const written = await saveMemory(ground, { containerTag: "people" });
	const newer = await saveReplacement(ground, written);
	await rooms.memories.forget([newer.id], "wrong", samples.nextTime());
	await rooms.memories.restore([newer.id, written.id], samples.nextTime());
	await rooms.documents.remove(chunk.document, samples.nextTime());
	demandEqual(await typesTold(rooms, drawn.id), ["memory.created", "memory.deleted"], "what is told of a memory that was drawn");
	demandEqual(await typesTold(rooms, written.id), ["memory.created"], "what is told of a memory that was replaced");
	demandEqual(await typesTold(rooms, newer.id), ["memory.updated", "memory.forgotten", "memory.restored"], "what is told of its new version");
	const created = (await told(rooms)).find(({ subject }) => subject === newer.id);
	demandEqual(created?.containerTags, [newer.containerTag], "the container of a memory's event");
	demandEqual([created?.facts["version"], created?.facts["parent"]], [newer.version, written.id], "the version of a memory's event");
}

async function nothingTold(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const document = await addDocument(ground, { customId: "taken" });
	const memory = await saveMemory(ground);
	const from = await rooms.events.latest();
	const second = samples.makeDocument({ customId: "taken" });
	await rooms.documents.add(second, samples.makeJob(second));
	await rooms.documents.move(document.id, 7, ["queued"], "done", later);
	await rooms.documents.move(document.id, 1, ["indexing"], "done", later);
	await rooms.documents.setDreaming(document.id, 1, "dreaming", later);
	await rooms.documents.remove(samples.newId(), later);
	await rooms.memories.restore([memory.id], later);
	await rooms.memories.amend(memory.id, { metadata: { seen: true } }, later);
	demandEqual(await told(rooms, from), [], "what is told of what did not happen");
}

async function readsOn(ground: Ground): Promise<void> {
	const { rooms } = ground;
	demandEqual([await rooms.events.latest(), await rooms.events.oldest()], [0, 0], "the ends of an empty log");
	for (let i = 0; i < 3; i++) {
		await addDocument(ground);
		await saveMemory(ground);
	}
	const all = await told(rooms);
	demandEqual(all.length, 6, "how many events there are");
	demandEqual(await rooms.events.after(0, null, 2), all.slice(0, 2), "the first two");
	demandEqual(await rooms.events.after(all[1]?.sequence ?? 0, null, plenty), all.slice(2), "those after the second");
	demandEqual(await rooms.events.after(0, ["memory.created"], 2), [all[1], all[3]] as readonly StoreEvent[], "the first two of one type");
	demandEqual(await rooms.events.after(0, [], plenty), [], "those of no type");
	demandEqual([await rooms.events.oldest(), await rooms.events.latest()], [all[0]?.sequence ?? -1, all[5]?.sequence ?? -1], "the ends of the log");
}

async function auditTold({ rooms, samples }: Ground): Promise<void> {
	const act = { type: "key.created", at: samples.nextTime(), subject: "key-1", containerTags: [], facts: { by: "key-0", name: "Büro" } } as const;
	await rooms.events.append(act);
	const [first] = await told(rooms);
	demandEqual(first, { ...act, sequence: first?.sequence ?? 0 }, "an administrative act");
}

async function unheard(ground: Ground): Promise<void> {
	const { others } = ground;
	await addDocument(ground);
	await saveMemory(ground);
	demandEqual(await told(others), [], "what another organisation hears");
	demandEqual([await others.events.latest(), await others.events.oldest()], [0, 0], "how far another organisation hears");
}
