/** What a list promises to those who walk it page by page while others add and remove, and what is counted in it. */

import { type DocumentId, documentStatuses, type Facet, type MemoryFilter, type Page, type Position, type Scope, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { evidenceIn } from "../samples.ts";
import {
	addDocument,
	addPublished,
	everything,
	firstChunk,
	type Ground,
	idsOf,
	later,
	type OpenStorage,
	retract,
	saveExtracted,
	saveMemory,
	storageTest,
} from "./ground.ts";

export function walkContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, name, holds);
	return [
		contractTest("documents: a walk meets all that stays exactly once, whatever comes and goes", walkDocuments),
		contractTest("memories: a walk meets all that stays exactly once, whatever comes and goes", walkMemories),
		contractTest("documents: what has the same time is in the order of the ids", tiesById),
		contractTest("documents: a tally counts every value in scope", tallies),
		contractTest("memories: as many are counted as a search could show", counts),
		contractTest("memories: those of several documents come at once, each once", ofSeveral),
	];
}

interface Listable {
	readonly id: string;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

interface Walk {
	readonly page: (page: Page) => Promise<{ readonly items: readonly Listable[]; readonly total: number }>;
	/** Adds one with a time that others have as well. */
	readonly add: () => Promise<Listable>;
	readonly remove: (id: string) => Promise<void>;
	readonly random: () => number;
}

/** A walk begins with no fewer; each adds some. */
const [itemsMin, itemsMax] = [12, 1_000];
/** Few times for many items: most of them are told apart by their ids alone. */
const timesMax = 4;

function crowdedTime({ samples }: Ground): Date {
	return new Date(later.getTime() + 1_000 * Math.floor(samples.random() * timesMax));
}

async function walkDocuments(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	await walkAll({
		page: async (page) => {
			const { documents, total } = await tenant.documents.list(wholeOrganisation, documentStatuses, page, false);
			return { items: documents, total };
		},
		add: () => addDocument(ground, { createdAt: crowdedTime(ground), updatedAt: crowdedTime(ground) }),
		remove: async (id) => void (await tenant.documents.remove(id as DocumentId, later)),
		random: samples.random,
	});
}

/** Nothing removes a single memory but the end of its source, so each has one of its own. */
async function walkMemories(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const sources = new Map<string, DocumentId>();
	await walkAll({
		page: async (page) => {
			const { memories, total } = await tenant.memories.list(wholeOrganisation, true, page);
			return { items: memories, total };
		},
		add: async () => {
			const chunk = await firstChunk(addPublished(ground, ["Ada"]));
			const memory = await saveExtracted(ground, chunk, { createdAt: crowdedTime(ground), updatedAt: crowdedTime(ground) });
			sources.set(memory.id, chunk.document);
			return memory;
		},
		remove: async (id) => retract(tenant, sources.get(id) ?? ("" as DocumentId)),
		random: samples.random,
	});
}

async function walkAll(walk: Walk): Promise<void> {
	for (const sort of ["createdAt", "updatedAt"] as const) for (const order of ["asc", "desc"] as const) await walkOnce(walk, { sort, order });
}

/** Between two pages one is added and one removed, the last one shown among them: what the place names may be gone. */
async function walkOnce({ page, add, remove, random }: Walk, manner: Pick<Page, "sort" | "order">): Promise<void> {
	// A walk begins with what the one before it has left.
	for (let { total } = await page({ offset: 0, limit: 1, ...manner }); total < itemsMin; total++) await add();
	const there = new Set(idsOf((await page({ offset: 0, limit: itemsMax, ...manner })).items));
	const met: string[] = [];
	let after: Position | undefined;
	for (;;) {
		const { items, total } = await page({ offset: 0, limit: 1 + Math.floor(random() * 4), ...manner, ...(after === undefined ? {} : { after }) });
		const last = items.at(-1);
		if (last === undefined) break;
		demand(total >= items.length && total >= there.size, "the total is not that of the whole list");
		met.push(...idsOf(items));
		after = { at: last[manner.sort], id: last.id };
		await add();
		const gone = random() < 0.5 ? last.id : [...there][Math.floor(random() * there.size)];
		if (gone !== undefined && there.delete(gone)) await remove(gone);
	}
	const how = `a walk by ${manner.sort}, ${manner.order}`;
	demandEqual(met.length, new Set(met).size, `how many ${how} met, beside how many of them are different`);
	demandEqual(
		[...there].filter((id) => !met.includes(id)),
		[],
		`what ${how} has missed`,
	);
}

async function tiesById(ground: Ground): Promise<void> {
	const ids: string[] = [];
	for (let i = 0; i < 5; i++) ids.push((await addDocument(ground, { createdAt: later })).id);
	const listed = async (order: Page["order"]) =>
		idsOf((await ground.tenant.documents.list(wholeOrganisation, documentStatuses, { offset: 0, limit: 5, sort: "createdAt", order }, false)).documents);
	demandEqual(await listed("asc"), ids.toSorted(), "documents of one time");
	demandEqual(await listed("desc"), ids.toSorted().toReversed(), "documents of one time, the other way round");
}

async function tallies(ground: Ground): Promise<void> {
	const { findings } = ground.samples.makeDocument();
	await addDocument(ground, { containerTags: ["a", "b"], metadata: { source: "upload" }, findings: { ...findings, type: "pdf" } });
	await addDocument(ground, { containerTags: ["b"], metadata: { source: "upload" }, status: "failed", taskType: "superrag", dreamingStatus: "done" });
	await addDocument(ground, { containerTags: ["c"], metadata: { source: 5 } });
	const tally = async (by: Facet, scope: Partial<Scope> = {}) =>
		Object.fromEntries((await ground.tenant.documents.tally({ ...wholeOrganisation, ...scope }, [by]))[by]);
	demandEqual(await tally("type"), { pdf: 1, text: 2 }, "documents by type");
	demandEqual(await tally("status"), { queued: 2, failed: 1 }, "documents by status");
	demandEqual(await tally("taskType"), { memory: 2, superrag: 1 }, "documents by task");
	demandEqual(await tally("dreamingStatus"), { dreaming: 2, done: 1 }, "documents by dreaming");
	demandEqual(await tally("source"), { upload: 2 }, "documents by source");
	demandEqual(await tally("containerTag"), { a: 1, b: 2, c: 1 }, "documents by container");
	demandEqual(await tally("status", { containerTags: ["b"] }), { queued: 1, failed: 1 }, "the documents of a container by status");
	demandEqual(await tally("type", { containerTags: ["nobody"] }), {}, "the documents of an empty container");
}

async function counts(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [forgotten, old] = [await saveMemory(ground, { containerTag: "a" }), await saveMemory(ground, { containerTag: "a", forgetAfter: later })];
	await saveMemory(ground, { containerTag: "a" });
	await saveMemory(ground, { containerTag: "b" });
	await tenant.memories.forget([forgotten.id], null, later);
	const inA: MemoryFilter = { ...everything, scope: { ...wholeOrganisation, containerTags: ["a"] } };
	demandEqual(await tenant.memories.count(everything), 2, "current memories");
	demandEqual(await tenant.memories.count(inA), 1, "current memories of a container");
	demandEqual(await tenant.memories.count({ ...inA, includeForgotten: true }), 3, "all memories of a container");
	demandEqual(await tenant.memories.count({ ...inA, now: new Date((old.forgetAfter?.getTime() ?? 0) - 1) }), 2, "those that were current before one expired");
}

async function ofSeveral(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [first, second, third] = [
		await firstChunk(addPublished(ground, ["Ada"])),
		await firstChunk(addPublished(ground, ["Ada"])),
		await firstChunk(addPublished(ground, ["Ada"])),
	];
	const lone = await saveExtracted(ground, first);
	const shared = await saveExtracted(ground, first, { evidence: [evidenceIn(first), evidenceIn(second)] });
	await saveExtracted(ground, third);
	demandEqual(await tenant.memories.ofDocuments([first.document, second.document]), [shared, lone], "the memories of two documents");
	demandEqual(idsOf(await tenant.memories.ofDocuments([second.document])), [shared.id], "the memories of one document");
	demandEqual(await tenant.memories.ofDocuments([]), [], "the memories of no documents");
	const named = await saveExtracted(ground, first, { subject: "ada" });
	const gone = ground.samples.makeMemory().id;
	const containers = await tenant.memories.within([lone.id, named.id, gone], ["elsewhere", lone.containerTag, named.containerTag]);
	demandEqual([containers.size, containers.get(lone.id), containers.get(named.id)], [2, lone.containerTag, named.containerTag], "the containers of memories");
	demandEqual((await tenant.memories.within([lone.id, named.id], ["elsewhere"])).size, 0, "how many memories are in another container");
	const nowhere = Array.from({ length: 2_000 }, (_, i) => `nowhere-${i}`);
	const among = await tenant.memories.within([lone.id, named.id], [...nowhere, lone.containerTag]);
	demandEqual(among.get(lone.id), lone.containerTag, "the home of a memory among thousands of containers");
	const subjects = await tenant.memories.subjects([lone.id, named.id, gone]);
	demandEqual([subjects.size, subjects.get(lone.id), subjects.get(named.id)], [2, lone.subject, "ada"], "the subjects of memories");
}
