/**
 * Forgetting, deleting documents and undoing either, in any order: once a forgotten memory can no longer be restored, nothing is left of what
 * a client wrote of it, wherever its documents were meanwhile; and before, it comes back as it was.
 */

import type { Json, Memory, MemoryId } from "cairn-memory";
import type { DocumentId, RemovalId } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, type Samples, sampleSpace } from "../samples.ts";
import { addPublished, firstChunk, type Ground, later, type OpenStorage, saveExtracted, saveMemory, storageTest } from "./ground.ts";

/** `end` and `endAside`: the undo days are over, of what was forgotten and of documents that were deleted. `upkeep` deletes what is over. */
export const forgettingActs = ["forget", "end", "restore", "setAside", "bringBack", "endAside", "upkeep"] as const;
export interface ForgettingAct {
	readonly act: (typeof forgettingActs)[number];
	/** Which document is set aside, by its place in the scene. */
	readonly document: 0 | 1 | 2;
}

export function forgettingContract(open: OpenStorage): readonly ContractTest[] {
	return [
		storageTest(
			open,
			"forgetting: in whatever order it is mixed with deletions and undo, nothing stays that has ended, and the rest comes back",
			async (ground) => {
				for (let i = 0; i < 25; i++) await walkForgetting(ground, randomActs(ground.samples));
			},
		),
	];
}

function randomActs({ pick }: Samples): readonly ForgettingAct[] {
	return Array.from({ length: 10 }, () => ({ act: pick(forgettingActs), document: pick([0, 1, 2] as const) }));
}

interface Scene {
	/** What was made for the memories of a client, a letter that says one of them too, and a note. */
	readonly documents: readonly [DocumentId, DocumentId, DocumentId];
	/** What a client wrote: alone, what the letter says too, and a correction of what was extracted from the note. */
	readonly written: readonly [alone: Memory, said: Memory, corrected: Memory];
	readonly extracted: Memory;
}

async function setUp(ground: Ground): Promise<Scene> {
	const { tenant, samples } = ground;
	const plain = { status: "done", taskType: "superrag", customId: null, writtenBy: null, metadata: {}, filepath: null } as const;
	const own = await addPublished(ground, ["Ada keeps a goat", "Ada keeps a cat"], plain);
	const [goat, cat] = own.chunks;
	const letter = await firstChunk(addPublished(ground, ["Ada keeps a cat"], { status: "done" }));
	const note = await firstChunk(addPublished(ground, ["Ada keeps a dog"], { status: "done" }));
	demand(goat !== undefined && cat !== undefined, "there are no chunks");
	const given = { extractor: null, metadata: { seen: "by a client" } };
	const alone = await saveMemory(ground, { ...given, text: "Ada keeps a goat", evidence: [evidenceIn(goat)] });
	const said = await saveMemory(ground, { ...given, text: "Ada keeps a cat", evidence: [evidenceIn(cat), evidenceIn(letter)] });
	const extracted = await saveExtracted(ground, note, { text: "Ada keeps a dog" });
	const links = { version: 2, parent: extracted.id, root: extracted.id, evidence: extracted.evidence };
	const corrected = samples.makeMemory({ ...given, ...links, text: "Ada keeps two dogs" });
	await tenant.memories.save(sampleSpace, [{ memory: corrected, vector: samples.makeVector() }], [edgeBetween(corrected, "updates", extracted)]);
	return { documents: [own.document.id, letter.document, note.document], written: [alone, said, corrected], extracted };
}

type State = "visible" | "forgotten" | "ended";

/** Does the acts, brings back what can be, and looks what is left. */
export async function walkForgetting(ground: Ground, acts: readonly ForgettingAct[]): Promise<void> {
	const { tenant, samples, storage } = ground;
	const scene = await setUp(ground);
	const ids = scene.written.map(({ id }) => id);
	const states = new Map<MemoryId, State>(ids.map((id) => [id, "visible"]));
	const present = async (state: State) => (await tenant.memories.get(ids)).map(({ id }) => id).filter((id) => states.get(id) === state);
	const become = (state: State, chosen: readonly MemoryId[]) => {
		for (const id of chosen) states.set(id, state);
	};
	const removal = samples.newId<RemovalId>();
	const [long, past] = [new Date(Date.now() + 86_400_000), new Date(1)];
	const batches = new Map<string, Json>();
	const lost = new Set<DocumentId>();
	const put = (id: string, expiresAt: Date) => tenant.records.put("removal", id, batches.get(id) ?? null, { expected: null, expiresAt, now: new Date(0) });
	const upkeep = () => storage.maintain(new AbortController().signal);
	const run: Record<ForgettingAct["act"], (document: DocumentId) => Promise<unknown>> = {
		forget: async () => {
			const [visible, at, batch] = [await present("visible"), samples.nextTime(), samples.newId()];
			batches.set(batch, { containerTag: "team", ids: visible, at: at.getTime() });
			await put(batch, long);
			await tenant.memories.forget(visible, "asked to", at);
			become("forgotten", visible);
		},
		end: async () => {
			for (const id of batches.keys()) await put(id, past);
			batches.clear();
			become(
				"ended",
				ids.filter((id) => states.get(id) === "forgotten"),
			);
		},
		restore: async () => {
			const [forgotten, ended] = [await present("forgotten"), await present("ended")];
			demandEqual(await tenant.memories.restore([...ended, ...forgotten], samples.nextTime()), forgotten.length, "how many were restored");
			become("visible", forgotten);
		},
		setAside: (document) => tenant.removals.setAside(document, removal, long, later),
		// As the service does: all of a removal, the last first, so that each finds what it was linked with.
		bringBack: async () => {
			for (const { id } of await tenant.removals.list(removal, later))
				await tenant.removals.bringBack(removal, id, samples.makeJob({ ...samples.makeDocument(), id }), later);
		},
		endAside: async () => {
			for (const { id } of await tenant.removals.list(removal, later)) lost.add(id);
			await tenant.removals.expireAll();
			await upkeep();
		},
		upkeep,
	};
	for (const { act, document } of acts) await run[act](scene.documents[document]);
	await run.bringBack(scene.documents[0]);
	await upkeep();
	await demandEnded(ground, scene, states, lost);
}

async function demandEnded(
	{ tenant }: Ground,
	{ documents: [own, letter, note], written: [alone, said, corrected], extracted }: Scene,
	states: ReadonlyMap<MemoryId, State>,
	lost: ReadonlySet<DocumentId>,
) {
	const left = new Map((await tenant.memories.get([alone.id, said.id, corrected.id, extracted.id])).map((memory) => [memory.id, memory]));
	const hasEnded = ({ id }: Memory) => states.get(id) === "ended";
	for (const memory of [alone, corrected].filter(hasEnded)) demandEqual(left.get(memory.id) ?? null, null, "what a client wrote, after its end");
	const sources = [
		[alone, [own]],
		[said, [own, letter]],
		[corrected, [note]],
	] as const;
	for (const [memory, documents] of sources) {
		const { metadata, isForgotten, forgetReason } = left.get(memory.id) ?? {};
		const state = states.get(memory.id);
		if (metadata === undefined) {
			demand(state === "ended" || documents.every((id) => lost.has(id)), `a memory that is ${state} is gone, although a document of it is there`);
			continue;
		}
		const given = state === "ended" ? {} : memory.metadata;
		demandEqual([isForgotten, forgetReason, metadata], [state !== "visible", state === "forgotten" ? "asked to" : null, given], `a memory that is ${state}`);
	}
	if (hasEnded(corrected)) demandEqual(left.get(extracted.id)?.isForgotten ?? true, true, "whether what was corrected stays hidden");
	const content = JSON.stringify(await tenant.documents.get(own));
	for (const memory of [alone, said].filter(hasEnded))
		demand(!content.includes(memory.text), "a document keeps what was made of it for a memory that has ended");
}
