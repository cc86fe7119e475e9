/** Which memories are seen: by container, by source, and whether they are still current. */

import { type MemoryReach, wholeOrganisation } from "cairn-memory";
import { demandEqual } from "../demand-equal.ts";
import type { Law } from "../law.ts";
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
	type OpenStorage,
	plenty,
	saveDrawn,
	saveMemory,
	saveReplacement,
	sortedIdsOf,
	storageLaw,
} from "./ground.ts";

export function memoryReachLaws(open: OpenStorage): readonly Law[] {
	const law = (name: string, holds: (ground: Ground) => Promise<void>) => storageLaw(open, `memories: ${name}`, holds);
	return [
		law("a list is newest first, limited, and leaves out what was replaced", listOrder),
		law("a memory lies in one container, so several tags mean any", listTags),
		law("a memory lies in the documents and paths of its sources", listSources),
		law("the memories of a document are newest first", ofDocumentOrder),
		law("replaced, forgotten and expired memories are invisible unless asked for", hiddenUnlessAsked),
	];
}

async function listOrder(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const [first, second] = [await saveMemory(ground), await saveMemory(ground)];
	const third = await saveReplacement(ground, second);
	await rooms.memories.forget([first.id], null, later);
	const list = async (latestOnly: boolean, limit: number) => idsOf(await memoriesIn(rooms, wholeOrganisation, latestOnly, limit));
	demandEqual(await list(false, plenty), idsOf([third, second, first]), "all memories");
	demandEqual(await list(true, plenty), idsOf([third, first]), "the latest memories");
	demandEqual(await list(false, 2), idsOf([third, second]), "the two newest memories");
	demandEqual(await list(true, 0), [], "no memories");
	const page = await rooms.memories.list(wholeOrganisation, true, { offset: 1, limit: 1, sort: "createdAt", order: "asc" });
	demandEqual(idsOf(page.memories), [third.id], "the second of the oldest first");
	demandEqual(page.total, 2, "how many there are in all");
}

async function listTags(ground: Ground): Promise<void> {
	const [a, b, c] = [
		await saveMemory(ground, { containerTag: "a" }),
		await saveMemory(ground, { containerTag: "b" }),
		await saveMemory(ground, { containerTag: "c" }),
	];
	for (const tagsMatch of ["all", "any"] as const) {
		const scope = { ...wholeOrganisation, containerTags: ["a", "b"], tagsMatch };
		demandEqual(sortedIdsOf(await memoriesIn(ground.rooms, scope, true, plenty)), sortedIdsOf([a, b]), "the memories of two containers");
		demandEqual((await memoriesByWords(ground.rooms, "harbour", { ...everything, scope })).toSorted(), sortedIdsOf([a, b]), "the same by words");
		demandEqual(await memoriesByVector(ground, { ...everything, scope }), sortedIdsOf([a, b]), "the same by vector");
	}
	demandEqual(idsOf(await memoriesIn(ground.rooms, { ...wholeOrganisation, containerTags: ["c"] }, true, plenty)), [c.id], "the memories of one container");
}

async function listSources(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const report = await firstChunk(addPublished(ground, ["Ada"], { filepath: "/reports/q1.md" }));
	const letter = await firstChunk(addPublished(ground, ["Ada"], { filepath: "/letters/ada.md" }));
	const reported = await saveDrawn(ground, report);
	const shared = await saveDrawn(ground, report, { evidence: [evidenceIn(report), evidenceIn(letter)] });
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
		demandEqual(sortedIdsOf(await memoriesIn(rooms, scope, true, plenty)), sortedIdsOf(wanted), what);
		demandEqual((await memoriesByWords(rooms, "harbour", { ...everything, scope })).toSorted(), sortedIdsOf(wanted), `${what}, by words`);
		demandEqual(await memoriesByVector(ground, { ...everything, scope }), sortedIdsOf(wanted), `${what}, by vector`);
	}
}

async function ofDocumentOrder(ground: Ground): Promise<void> {
	const [chunk, other] = [await firstChunk(addPublished(ground, ["Ada"])), await firstChunk(addPublished(ground, ["Ada"]))];
	const [first, second] = [await saveDrawn(ground, chunk), await saveDrawn(ground, chunk)];
	await saveDrawn(ground, other);
	demandEqual(idsOf(await ground.rooms.memories.ofDocument(chunk.document)), idsOf([second, first]), "the memories of a document");
}

async function hiddenUnlessAsked(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const [replaced, forgotten] = [await saveMemory(ground), await saveMemory(ground)];
	const [expired, lasting] = [await saveMemory(ground, { forgetAfter: later }), await saveMemory(ground, { forgetAfter: new Date(later.getTime() + 1) })];
	const fresh = await saveReplacement(ground, replaced);
	await rooms.memories.forget([forgotten.id], null, later);
	const [hidden, seen]: readonly [MemoryReach, MemoryReach] = [everything, { ...everything, includeForgotten: true }];
	const [current, all] = [sortedIdsOf([lasting, fresh]), sortedIdsOf([replaced, forgotten, expired, lasting, fresh])];
	demandEqual((await memoriesByWords(rooms, "harbour", hidden)).toSorted(), current, "current memories by words");
	demandEqual(await memoriesByVector(ground, hidden), current, "current memories by vector");
	demandEqual((await memoriesByWords(rooms, "harbour", seen)).toSorted(), all, "all memories by words");
	demandEqual(await memoriesByVector(ground, seen), all, "all memories by vector");
}
