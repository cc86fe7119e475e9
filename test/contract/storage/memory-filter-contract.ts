/** Which memories are seen: by container, by source, and whether they are still current. */

import { type MemoryFilter, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { evidenceIn } from "../samples.ts";
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
	newest,
	type OpenStorage,
	plenty,
	saveExtracted,
	saveMemory,
	saveReplacement,
	sortedIdsOf,
	storageTest,
} from "./ground.ts";

export function memoryFilterContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `memories: ${name}`, holds);
	return [
		contractTest("a list is newest first, limited, and leaves out what was replaced", listOrder),
		contractTest("a memory lies in one container, so several tags mean any", listTags),
		contractTest("a memory lies in the documents and paths of its sources", listSources),
		contractTest("the memories of a document are newest first", ofDocumentOrder),
		contractTest("replaced, forgotten and expired memories are invisible unless asked for", hiddenUnlessAsked),
	];
}

async function listOrder(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [first, second] = [await saveMemory(ground), await saveMemory(ground)];
	const third = await saveReplacement(ground, second);
	await tenant.memories.forget([first.id], null, later);
	const list = async (latestOnly: boolean, limit: number) => idsOf(await memoriesIn(tenant, wholeOrganisation, latestOnly, limit));
	demandEqual(await list(false, plenty), idsOf([third, second, first]), "all memories");
	demandEqual(await list(true, plenty), idsOf([third, first]), "the latest memories");
	demandEqual(await list(false, 2), idsOf([third, second]), "the two newest memories");
	demandEqual(await list(true, 0), [], "no memories");
	const page = await tenant.memories.list(wholeOrganisation, true, { offset: 1, limit: 1, sort: "createdAt", order: "asc" });
	demandEqual(idsOf(page.memories), [third.id], "the second of the oldest first");
	demandEqual(page.total, 2, "how many there are in all");
	const uncounted = await tenant.memories.list(wholeOrganisation, false, { offset: 0, limit: 1, totalMax: 1, sort: "createdAt", order: "desc" });
	demandEqual(idsOf(uncounted.memories), [third.id], "a page whose total is not counted to the end");
	demand(uncounted.total >= 1 && uncounted.total <= 3, `its total is ${uncounted.total}`);
}

async function listTags(ground: Ground): Promise<void> {
	const [a, b, c] = [
		await saveMemory(ground, { containerTag: "a" }),
		await saveMemory(ground, { containerTag: "b" }),
		await saveMemory(ground, { containerTag: "c" }),
	];
	for (const tagsMatch of ["all", "any"] as const) {
		const scope = { ...wholeOrganisation, containerTags: ["a", "b"], tagsMatch };
		demandEqual(sortedIdsOf(await memoriesIn(ground.tenant, scope, true, plenty)), sortedIdsOf([a, b]), "the memories of two containers");
		demandEqual((await memoriesByWords(ground.tenant, "harbour", { ...everything, scope })).toSorted(), sortedIdsOf([a, b]), "the same by words");
		demandEqual(await memoriesByVector(ground, { ...everything, scope }), sortedIdsOf([a, b]), "the same by vector");
	}
	demandEqual(idsOf(await memoriesIn(ground.tenant, { ...wholeOrganisation, containerTags: ["c"] }, true, plenty)), [c.id], "the memories of one container");
}

async function listSources(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const report = await firstChunk(addPublished(ground, ["Ada"], { filepath: "/reports/q1.md" }));
	const letter = await firstChunk(addPublished(ground, ["Ada"], { filepath: "/letters/ada.md" }));
	const reported = await saveExtracted(ground, report);
	const shared = await saveExtracted(ground, report, { evidence: [evidenceIn(report), evidenceIn(letter)] });
	await saveMemory(ground);
	const cases = [
		[{ document: report.document }, [reported, shared]],
		[{ document: letter.document }, [shared]],
		[{ filepath: "/reports/" }, [reported, shared]],
		[{ filepath: "/letters/ada.md" }, [shared]],
		[{ filepath: "/letters" }, []],
	] as const;
	for (const [part, wanted] of cases) {
		const scope = { ...wholeOrganisation, ...part };
		const what = `the memories in ${JSON.stringify(part)}`;
		demandEqual(sortedIdsOf(await memoriesIn(tenant, scope, true, plenty)), sortedIdsOf(wanted), what);
		demandEqual((await memoriesByWords(tenant, "harbour", { ...everything, scope })).toSorted(), sortedIdsOf(wanted), `${what}, by words`);
		demandEqual(await memoriesByVector(ground, { ...everything, scope }), sortedIdsOf(wanted), `${what}, by vector`);
	}
}

async function ofDocumentOrder(ground: Ground): Promise<void> {
	const [chunk, other] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	const [first, second] = [await saveExtracted(ground, chunk), await saveExtracted(ground, chunk)];
	await saveExtracted(ground, other);
	demandEqual(idsOf(await ground.tenant.memories.ofDocument(chunk.document)), idsOf([second, first]), "the memories of a document");
}

async function hiddenUnlessAsked(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const [replaced, forgotten] = [await saveMemory(ground), await saveMemory(ground)];
	const [expired, lasting] = [await saveMemory(ground, { forgetAfter: later }), await saveMemory(ground, { forgetAfter: new Date(later.getTime() + 1) })];
	const fresh = await saveReplacement(ground, replaced);
	await tenant.memories.forget([forgotten.id], null, later);
	const listed = await tenant.memories.list(wholeOrganisation, true, newest(), { now: new Date(later.getTime() - 1) });
	demandEqual(
		[sortedIdsOf(listed.memories), listed.total],
		[sortedIdsOf([expired, lasting, fresh]), 3],
		"current memories before one expires and one is forgotten",
	);
	const [hidden, seen]: readonly [MemoryFilter, MemoryFilter] = [everything, { ...everything, includeForgotten: true }];
	const [current, all] = [sortedIdsOf([lasting, fresh]), sortedIdsOf([replaced, forgotten, expired, lasting, fresh])];
	demandEqual((await memoriesByWords(tenant, "harbour", hidden)).toSorted(), current, "current memories by words");
	demandEqual(await memoriesByVector(ground, hidden), current, "current memories by vector");
	demandEqual((await memoriesByWords(tenant, "harbour", seen)).toSorted(), all, "all memories by words");
	demandEqual(await memoriesByVector(ground, seen), all, "all memories by vector");
}
