/** What is remembered of other times: what was known then, what was so then, what ages and what expires. */

import type { Memory, MemoryId } from "cairn-memory";
import type { Document, MemoryFilter, Moment, RemovalId } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, sampleSpace } from "../samples.ts";
import {
	addPublished,
	everything,
	type Ground,
	idsOf,
	later,
	memoriesByVector,
	memoriesByWords,
	type OpenStorage,
	saveMemory,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

export function memoryMomentContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `memories: ${name}`, holds);
	return [
		contractTest("what was known at any time is what was shown then, whatever has happened since", knownThen),
		contractTest("words and vectors agree on what was known", bothIndexes),
		contractTest("what was so begins with its own day, and ends with the next version or its time", soThen),
		contractTest("what was forgotten was never so, what has expired was", forgottenWasNotSo),
		contractTest("what has expired is forgotten by the upkeep, with its reason, and comes back to stay", sweeps),
		contractTest("what is due for a review is listed from the one that has waited longest on, page by page", due),
	];
}

const farOff = new Date("2100-01-01T00:00:00.000Z");

function at(moment: Moment): MemoryFilter {
	return { ...everything, now: farOff, moment };
}

async function knownAt(ground: Ground, time: Date): Promise<readonly string[]> {
	return memoriesByVector(ground, at({ knownAt: time, trueAt: null }));
}

async function soAt(ground: Ground, trueAt: Date): Promise<readonly string[]> {
	return memoriesByVector(ground, at({ knownAt: later, trueAt }));
}

/** Versions, forgetting, restoring, removing and undoing, each at a second of its own. After each step it is noted what is current. */
async function knownThen(ground: Ground): Promise<void> {
	const walk = createWalk(ground);
	const seen: { readonly time: Date; readonly ids: readonly string[] }[] = [];
	for (let step = 0; step < 60; step++) {
		const time = await walk.step();
		seen.push({ time, ids: await memoriesByVector(ground, { ...everything, now: time }) });
	}
	await walk.undoAll();
	demand(new Set(seen.map(({ ids }) => ids.join(" "))).size > 20, "hardly anything happened");
	for (const { time, ids } of seen) demandEqual(await knownAt(ground, time), ids, `what was known at ${time.toISOString()}`);
	await ground.storage.maintain(new AbortController().signal);
	for (const { time, ids } of seen) demandEqual(await knownAt(ground, time), ids, `what was known at ${time.toISOString()}, after the upkeep`);
}

function createWalk(ground: Ground) {
	const { tenant, samples } = ground;
	const { random, pick, nextTime } = samples;
	const living: Document[] = [];
	const gone: { readonly document: Document; readonly removal: RemovalId }[] = [];
	const known: Memory[] = [];

	async function add(): Promise<Date> {
		const { document, chunks } = await addPublished(ground, ["Ada"]);
		const [chunk] = chunks;
		demand(chunk !== undefined, "there is no chunk");
		living.push(document);
		const latest = (await tenant.memories.get(known.map(({ id }) => id))).filter(({ isLatest, isForgotten }) => isLatest && !isForgotten);
		const replaced = latest.length > 0 && random() < 0.6 ? pick(latest) : null;
		const version = replaced === null ? {} : { version: replaced.version + 1, parent: replaced.id, root: replaced.root ?? replaced.id };
		const memory = samples.makeMemory({ ...version, evidence: [evidenceIn(chunk)], extractor: "sentences-1" });
		const expiring = { ...memory, forgetAfter: random() < 0.3 ? new Date(memory.createdAt.getTime() + 1_000 * Math.ceil(random() * 40)) : null };
		const edges = replaced === null ? [] : [edgeBetween(memory, "updates", replaced)];
		demand(await tenant.memories.save(sampleSpace, [{ memory: expiring, vector: samples.makeVector() }], edges), "a version was refused");
		known.push(expiring);
		return memory.createdAt;
	}

	async function remove(): Promise<Date> {
		const time = nextTime();
		const [document] = living.splice(Math.floor(random() * living.length), 1);
		if (document === undefined) return time;
		const removal = samples.newId<RemovalId>();
		demand(await tenant.removals.setAside(document.id, removal, farOff, time), "a document was not set aside");
		gone.push({ document, removal });
		return time;
	}

	/** The last first: then each finds the world as it left it. */
	async function undo(): Promise<Date> {
		const time = nextTime();
		const last = gone.pop();
		if (last === undefined) return time;
		const back = await tenant.removals.bringBack(last.removal, last.document.id, samples.makeJob(last.document), time);
		demand(back !== null && back !== "taken", "a document did not come back");
		living.push(last.document);
		return time;
	}

	async function forget(): Promise<Date> {
		const time = nextTime();
		await tenant.memories.forget([pick(known).id], null, time);
		return time;
	}

	async function restore(): Promise<Date> {
		const time = nextTime();
		const hidden = (await tenant.memories.get(known.map(({ id }) => id))).filter(({ isForgotten }) => isForgotten);
		if (hidden.length > 0) await tenant.memories.restore([pick(hidden).id], time);
		return time;
	}

	/** What is set aside is nobody's knowledge until it is back. */
	async function undoAll(): Promise<void> {
		while (gone.length > 0) await undo();
	}

	return { undoAll, step: () => (known.length < 5 ? add() : pick([add, add, remove, undo, forget, restore])()) };
}

async function bothIndexes(ground: Ground): Promise<void> {
	const first = await saveMemory(ground, { text: "Ada lives in Lisbon" });
	const second = await replace(ground, first, { text: "Ada lives in Porto" });
	const byWords = (knownAt: Date) => memoriesByWords(ground.tenant, "Ada", at({ knownAt, trueAt: null }));
	demandEqual(await byWords(first.createdAt), [first.id], "by words what was known first");
	demandEqual(await byWords(second.createdAt), [second.id], "by words what was known then");
	demandEqual(await knownAt(ground, new Date(first.createdAt.getTime() - 1)), [], "what was known before");
	const learnt = { ...at({ knownAt: first.createdAt, trueAt: null }), includeForgotten: true };
	demandEqual(await memoriesByVector(ground, learnt), [first.id], "all that was known first");
}

async function replace(ground: Ground, old: Memory, overrides: Partial<Memory>): Promise<Memory> {
	const memory = ground.samples.makeMemory({ version: old.version + 1, parent: old.id, root: old.root ?? old.id, ...overrides });
	const isSaved = await ground.tenant.memories.save(sampleSpace, [{ memory, vector: ground.samples.makeVector() }], [edgeBetween(memory, "updates", old)]);
	demand(isSaved, "an update of the latest memory was refused");
	return memory;
}

const day = (date: string) => new Date(`${date}T00:00:00.000Z`);

async function soThen(ground: Ground): Promise<void> {
	const lisbon = await saveMemory(ground, { eventTime: day("2019-05-01") });
	const porto = await replace(ground, lisbon, { saidAt: day("2021-03-01") });
	const faro = await replace(ground, porto, {});
	const plan = await saveMemory(ground, { eventTime: day("2020-01-01"), forgetAfter: day("2020-02-01") });
	demandEqual(await soAt(ground, day("2019-04-30")), [], "before anything");
	demandEqual(await soAt(ground, day("2019-05-01")), [lisbon.id], "from its day on");
	demandEqual(await soAt(ground, day("2020-01-15")), sortedIdsOf([lisbon, plan]), "while the plan held");
	demandEqual(await soAt(ground, day("2020-02-01")), [lisbon.id], "when the plan was over");
	demandEqual(await soAt(ground, day("2021-03-01")), [porto.id], "from the day of the source on");
	demandEqual(await soAt(ground, faro.createdAt), [faro.id], "since it was learnt");
	const before = at({ knownAt: lisbon.createdAt, trueAt: day("2022-01-01") });
	demandEqual(await memoriesByVector(ground, before), [lisbon.id], "as far as was known then");
}

async function forgottenWasNotSo(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [kept, wrong] = [await saveMemory(ground, { forgetAfter: day("2026-02-01") }), await saveMemory(ground)];
	await tenant.memories.forget([wrong.id], "wrong", later);
	await ground.storage.maintain(new AbortController().signal);
	const known = at({ knownAt: farOff, trueAt: day("2026-01-15") });
	demandEqual(await memoriesByVector(ground, known), [kept.id], "what was so, as is known by now");
	demandEqual(await knownAt(ground, day("2026-01-15")), sortedIdsOf([kept, wrong]), "what was known");
}

async function sweeps(ground: Ground): Promise<void> {
	const { tenant, storage } = ground;
	const past = day("2020-01-01");
	const plain = await saveMemory(ground, { forgetAfter: past });
	const told = await saveMemory(ground, { forgetAfter: past, forgetReason: "the sale was over" });
	const kept = await saveMemory(ground, { forgetAfter: farOff });
	const old = await saveMemory(ground, { forgetAfter: past });
	await replace(ground, old, {});
	await storage.maintain(new AbortController().signal);
	const swept = await tenant.memories.get(idsOf([plain, told, kept, old]) as MemoryId[]);
	const states = swept.map(({ isForgotten, forgetReason }) => [isForgotten, forgetReason]);
	demandEqual(
		states,
		[
			[true, "expired"],
			[true, "the sale was over"],
			[false, null],
			[false, null],
		],
		"what was swept",
	);
	const events = (await tenant.events.after(0, ["memory.forgotten"], 10)).map(({ subject, facts }) => [subject, facts["expired"]]);
	demandEqual(events.toSorted(), [plain, told].map(({ id }) => [id, true]).toSorted(), "the events of the upkeep");
	demandEqual(await tenant.memories.restore([plain.id], farOff), 1, "how many came back");
	await storage.maintain(new AbortController().signal);
	const [back] = await tenant.memories.get([plain.id]);
	demandEqual([back?.isForgotten, back?.forgetAfter, back?.forgetReason], [false, null, null], "what came back");
}

async function due(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const make = (date: string, overrides: Partial<Memory> = {}) => saveMemory(ground, { containerTag: "a", reviewAfter: day(date), ...overrides });
	const [second, first, third] = [await make("2026-03-02"), await make("2026-03-01"), await make("2026-03-02")];
	await make("2026-03-01", { containerTag: "b" });
	await make("2026-03-01", { forgetAfter: day("2026-03-05") });
	await make("2026-08-01");
	await saveMemory(ground, { containerTag: "a" });
	const forgotten = await make("2026-03-01");
	await tenant.memories.forget([forgotten.id], null, later);
	const ties = sortedIdsOf([second, third]);
	const page = async (limit: number, after: Parameters<typeof tenant.memories.due>[3]) => idsOf(await tenant.memories.due("a", later, limit, after));
	demandEqual(await page(10, null), [first.id, ...ties], "what is due");
	demandEqual(await page(2, null), [first.id, ties[0]], "the first page");
	demandEqual(await page(2, { at: day("2026-03-02"), id: ties[0] ?? "" }), [ties[1]], "the second page");
	demand(await tenant.memories.amend(first.id, { reviewAfter: farOff }, later), "a memory was gone");
	demandEqual(await page(10, null), ties, "what is due after one was renewed");
	const [renewed] = await tenant.memories.get([first.id]);
	demandEqual(renewed?.reviewAfter, farOff, "the date of the renewed");
}
