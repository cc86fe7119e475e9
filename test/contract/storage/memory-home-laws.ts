/** Where memories live: only a document of a container brings one there, and all of them can move to another. */

import { wholeOrganisation } from "cairn-memory";
import { demandEqual } from "../demand-equal.ts";
import { demand, type Law } from "../law.ts";
import { evidenceIn, sampleSpace } from "../samples.ts";
import {
	addPublished,
	everything,
	firstChunk,
	type Ground,
	later,
	memoriesByVector,
	memoriesByWords,
	memoriesIn,
	type OpenStorage,
	saveDrawn,
	saveMemory,
	saveReplacement,
	sortedIdsOf,
	storageLaw,
} from "./ground.ts";

export function memoryHomeLaws(open: OpenStorage): readonly Law[] {
	const law = (name: string, holds: (ground: Ground) => Promise<void>) => storageLaw(open, `memories: ${name}`, holds);
	return [
		law("a drawn memory is saved only where one of its documents is, and brings no container back", strangersStayOut),
		law("all memories of a container move to another, so many at a time, with their versions", allMove),
		law("moving memories touches no other container and no other organisation", onlyTheseMove),
	];
}

const within = (tag: string) => ({ ...wholeOrganisation, containerTags: [tag], tagsMatch: "any" as const });

async function strangersStayOut(ground: Ground): Promise<void> {
	const { rooms, samples } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour", "boats"] }));
	await rooms.documents.change(chunk.document, { containerTags: ["boats"] }, samples.nextTime(), null);
	await rooms.containers.remove("harbour");
	const late = samples.makeMemory({ containerTag: "harbour", extractor: "sentences-1", evidence: [evidenceIn(chunk)] });
	const home = samples.makeMemory({ containerTag: "boats", extractor: "sentences-1", evidence: [evidenceIn(chunk)] });
	const embedded = [late, home].map((memory) => ({ memory, vector: samples.makeVector() }));
	demand(await rooms.memories.save(sampleSpace, embedded, []), "a save without updates was refused");
	demandEqual(sortedIdsOf(await memoriesIn(rooms, wholeOrganisation, false)), [home.id], "the memories that were saved");
	demandEqual(await rooms.containers.get("harbour"), null, "a container that its last document has left");
}

async function allMove(ground: Ground): Promise<void> {
	const { rooms } = ground;
	const chunk = await firstChunk(addPublished(ground, ["a ferry"], { containerTags: ["harbour"] }));
	const [drawn, written, forgotten] = [
		await saveDrawn(ground, chunk, { containerTag: "harbour" }),
		await saveMemory(ground, { containerTag: "harbour" }),
		await saveMemory(ground, { containerTag: "harbour" }),
	];
	await rooms.memories.forget([forgotten.id], null, later);
	demandEqual(await rooms.memories.rehome("harbour", "port", 2, later), 2, "how many moved at the first call");
	demandEqual(await rooms.memories.rehome("harbour", "port", 2, later), 1, "how many moved at the second call");
	demandEqual(await rooms.memories.rehome("harbour", "port", 2, later), 0, "how many moved when none was left");
	const all = [drawn, written, forgotten];
	demandEqual(sortedIdsOf(await memoriesIn(rooms, within("port"), false)), sortedIdsOf(all), "the memories of the new home");
	demandEqual(await memoriesIn(rooms, within("harbour"), false), [], "the memories of the old home");
	const reach = { ...everything, scope: within("port") };
	demandEqual((await memoriesByWords(rooms, "harbour", reach)).toSorted(), sortedIdsOf([drawn, written]), "the current ones by words");
	demandEqual(await memoriesByVector(ground, reach), sortedIdsOf([drawn, written]), "the current ones by vector");
	demand((await rooms.containers.get("port")) !== null, "there is no container where the memories moved");
	const [moved] = await rooms.memories.get([written.id]);
	demandEqual(moved, { ...written, containerTag: "port", updatedAt: later }, "a moved memory");
}

async function onlyTheseMove(ground: Ground): Promise<void> {
	const { rooms, others } = ground;
	const kept = await saveMemory(ground, { containerTag: "boats" });
	const newer = await saveReplacement(ground, await saveMemory(ground));
	await saveMemory({ ...ground, rooms: others }, { containerTag: "team" });
	demandEqual(await rooms.memories.rehome("team", "port", 10, later), 2, "how many moved");
	demandEqual(sortedIdsOf(await memoriesIn(rooms, within("boats"), true)), [kept.id], "the memories of another container");
	demandEqual(sortedIdsOf(await memoriesIn(rooms, within("port"), true)), [newer.id], "the latest of what moved");
	demandEqual((await memoriesIn(others, within("team"), true)).length, 1, "the memories of another organisation");
	demandEqual(await others.containers.get("port"), null, "a container of another organisation");
}
