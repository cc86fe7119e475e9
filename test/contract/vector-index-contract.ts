/** What every vector index promises: nearly the true order, filters, what was applied is found, and it can be dropped and made anew. */

import { cosine, type EntryFilter, type Vector, type VectorCollection, type VectorEntry, type VectorIndex } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { demandEqual } from "./demand-equal.ts";
import { createSamples, type Samples, sampleOrganisation } from "./samples.ts";

export interface OpenedVectorIndex {
	/** Empty. */
	readonly index: VectorIndex;
	/** Ends it and opens the same data anew. */
	readonly reopen: () => Promise<VectorIndex>;
	/** Ends what is open and removes all traces. */
	readonly dispose: () => Promise<void>;
}

const dimensions = 64;
const many = 1_500;
const queries = 40;
const shown = 10;
/** Of the first ten, on average over all queries. */
const agreementMin = 0.98;
const collectionName = "chunk-0123456789abcdef0123456789abcdef01234567";
const everywhere: EntryFilter = { containerTags: [], tagsMatch: "all", allowedIds: null };

interface Ground {
	readonly index: VectorIndex;
	readonly collection: VectorCollection;
	readonly samples: Samples;
	readonly reopen: OpenedVectorIndex["reopen"];
}

/** @param open is called once for each contract test, and gives an empty index each time. */
export function vectorIndexContract(open: () => Promise<OpenedVectorIndex>): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>): ContractTest => ({
		name: `vector index: ${name}`,
		check: async () => {
			const { index, reopen, dispose } = await open();
			try {
				await holds({ index, collection: await index.open(collectionName, dimensions, sampleOrganisation), samples: createSamples(7), reopen });
			} finally {
				await dispose();
			}
		},
	});
	return [
		contractTest("it has a name and says how it filters", describesItself),
		contractTest("a new collection is empty and has no position", beginsEmpty),
		contractTest("the first ten are those that brute force finds", agreesWithBruteForce),
		contractTest("as many are answered as are asked for and there, each once, best first", answersAll),
		contractTest("what was applied is found at once", findsAtOnce),
		contractTest("so is what was applied while more follows", findsWhileMoreFollows),
		contractTest("what is put again is replaced, tags and vector", replaces),
		contractTest("what is removed is not found", removes),
		contractTest("a search is narrowed before it is counted", filters),
		contractTest("two collections know nothing of each other", keepsApart),
		contractTest("what was dropped is gone and can be made anew", isMadeAnew),
		contractTest("opened anew it holds all up to its position", outlivesClose),
		contractTest("searches go on while it is fed", searchesMeanwhile),
	];
}

/** Around centres, as texts are. */
function clusteredEntries(samples: Samples, count: number): readonly VectorEntry[] {
	const centres = Array.from({ length: 30 }, () => samples.makeVector(dimensions));
	return Array.from({ length: count }, (_, i) => {
		const centre = samples.pick(centres);
		const vector = samples.makeVector(dimensions).map((value, at) => value * 0.7 + (centre[at] ?? 0));
		return { id: samples.newId(), vector, containerTags: [i % 10 === 0 ? "rare" : "common", i % 2 === 0 ? "even" : "odd"] };
	});
}

function nearestOf(entries: readonly VectorEntry[], query: Vector, limit: number): readonly string[] {
	const scored = entries.map(({ id, vector }) => ({ id, score: cosine(query, vector) }));
	return scored
		.sort((a, b) => b.score - a.score)
		.slice(0, limit)
		.map(({ id }) => id);
}

async function fill({ collection, samples }: Ground, count: number, position = "1"): Promise<readonly VectorEntry[]> {
	const entries = clusteredEntries(samples, count);
	await collection.apply({ put: entries, remove: [], position });
	return entries;
}

function sorted(ids: readonly string[]): readonly string[] {
	return ids.toSorted();
}

async function describesItself({ index }: Ground): Promise<void> {
	demand(index.name.trim() !== "", "its name is blank");
	demand(index.filters === "payload" || index.filters === "allowed-ids", `it filters by ${String(index.filters)}`);
}

async function beginsEmpty({ index, collection, samples }: Ground): Promise<void> {
	demandEqual(await collection.position(), null, "the position of a new collection");
	demandEqual(await collection.nearest(samples.makeVector(dimensions), 5, everywhere), [], "what a new collection finds");
	demandEqual(await index.names(), [collectionName], "the names of the collections");
}

async function agreesWithBruteForce(ground: Ground): Promise<void> {
	const entries = await fill(ground, many);
	let agreed = 0;
	for (let i = 0; i < queries; i++) {
		const query = ground.samples.pick(entries).vector.map((value) => value + 0.05 * (ground.samples.random() - 0.5));
		const wanted = new Set(nearestOf(entries, query, shown));
		const found = await ground.collection.nearest(query, shown, everywhere);
		agreed += found.filter((id) => wanted.has(id)).length / shown;
	}
	demand(agreed / queries >= agreementMin, `of the first ten ${((agreed / queries) * shown).toFixed(2)} are right`);
}

async function answersAll(ground: Ground): Promise<void> {
	const entries = await fill(ground, 120);
	const query = ground.samples.makeVector(dimensions);
	for (const limit of [0, 1, 50, 120, 500]) {
		const found = await ground.collection.nearest(query, limit, everywhere);
		demandEqual(found.length, Math.min(limit, entries.length), `how many are answered of ${entries.length} where ${limit} are asked for`);
		demandEqual(new Set(found).size, found.length, "how many different ones are answered");
	}
	demandEqual(await ground.collection.nearest(query, 10, everywhere), nearestOf(entries, query, 10), "the order of the first ten");
}

async function findsAtOnce(ground: Ground): Promise<void> {
	await fill(ground, 200);
	for (let i = 0; i < 10; i++) {
		const [entry] = clusteredEntries(ground.samples, 1);
		demand(entry !== undefined, "there is no entry");
		await ground.collection.apply({ put: [entry], remove: [], position: `later ${i}` });
		demandEqual(await ground.collection.nearest(entry.vector, 1, everywhere), [entry.id], "the nearest of what was just put");
		demandEqual(await ground.collection.position(), `later ${i}`, "the position after it was applied");
	}
}

async function findsWhileMoreFollows(ground: Ground): Promise<void> {
	const { collection, samples } = ground;
	const all = [...(await fill(ground, 60))];
	const demandAll = async (when: string) => {
		const query = all.at(-1)?.vector ?? samples.makeVector(dimensions);
		demandEqual(await collection.nearest(query, 10, everywhere), nearestOf(all, query, 10), `the first ten ${when}`);
		demandEqual((await collection.nearest(query, 500, everywhere)).length, all.length, `how many there are ${when}`);
	};
	for (let page = 0; page < 3; page++) {
		const [gone] = all.splice(0, 1);
		const put = clusteredEntries(samples, 20);
		await collection.apply({ put, remove: [gone?.id ?? ""], position: `page ${page}`, moreFollow: true });
		all.push(...put);
		await demandAll(`after page ${page}`);
	}
	await collection.apply({ put: [], remove: [], position: "the end", moreFollow: false });
	await demandAll("at the end");
	demandEqual(await collection.position(), "the end", "the position at the end");
}

async function replaces(ground: Ground): Promise<void> {
	const [first, second] = await fill(ground, 50);
	demand(first !== undefined && second !== undefined, "there are no entries");
	const away = first.vector.map((value) => -value);
	await ground.collection.apply({ put: [{ ...first, vector: away, containerTags: ["new"] }], remove: [], position: "2" });
	demandEqual(await ground.collection.nearest(away, 1, everywhere), [first.id], "the nearest of what was put again");
	demandEqual((await ground.collection.nearest(away, 500, everywhere)).length, 50, "how many there are after one was put again");
	if (ground.index.filters !== "payload") return;
	demandEqual(await ground.collection.nearest(away, 500, { ...everywhere, containerTags: ["new"] }), [first.id], "what has the new tag");
}

async function removes(ground: Ground): Promise<void> {
	const entries = await fill(ground, 100);
	const remove = [...entries.slice(0, 40).map(({ id }) => id), ground.samples.newId()];
	await ground.collection.apply({ put: [], remove, position: "2" });
	const query = entries[0]?.vector ?? ground.samples.makeVector(dimensions);
	demandEqual(sorted(await ground.collection.nearest(query, 500, everywhere)), sorted(entries.slice(40).map(({ id }) => id)), "what is left after a removal");
	const [back] = entries;
	demand(back !== undefined, "there is no entry");
	await ground.collection.apply({ put: [back], remove: [back.id], position: "3" });
	demandEqual(await ground.collection.nearest(back.vector, 1, everywhere), [back.id], "what is removed and put at once");
}

async function filters(ground: Ground): Promise<void> {
	const entries = await fill(ground, 400);
	const query = ground.samples.makeVector(dimensions);
	const withAll = (...tags: readonly string[]) => entries.filter(({ containerTags }) => tags.every((tag) => containerTags.includes(tag)));
	const withAny = (...tags: readonly string[]) => entries.filter(({ containerTags }) => tags.some((tag) => containerTags.includes(tag)));
	const cases = [
		{ wanted: withAll("rare"), containerTags: ["rare"], tagsMatch: "all" },
		{ wanted: withAll("common", "even"), containerTags: ["common", "even"], tagsMatch: "all" },
		{ wanted: withAny("rare", "odd"), containerTags: ["rare", "odd"], tagsMatch: "any" },
		{ wanted: [], containerTags: ["it's nowhere"], tagsMatch: "all" },
	] as const;
	for (const { wanted, containerTags, tagsMatch } of cases) {
		const byTags: EntryFilter = { containerTags, tagsMatch, allowedIds: null };
		const byIds: EntryFilter = { ...everywhere, allowedIds: wanted.map(({ id }) => id) };
		const within = ground.index.filters === "payload" ? byTags : byIds;
		const found = await ground.collection.nearest(query, 500, within);
		demandEqual(sorted(found), sorted(wanted.map(({ id }) => id)), `what is found within ${tagsMatch} of ${containerTags.join(", ")}`);
		demandEqual((await ground.collection.nearest(query, 7, within)).length, Math.min(7, wanted.length), "how many are found where few may be");
	}
}

async function keepsApart(ground: Ground): Promise<void> {
	const [mine] = await fill(ground, 20);
	const other = await ground.index.open("memory-fedcba9876543210", 8, sampleOrganisation);
	demandEqual(await other.position(), null, "the position of another collection");
	const [theirs] = [{ id: ground.samples.newId(), vector: ground.samples.makeVector(8), containerTags: [] }];
	await other.apply({ put: [theirs], remove: [mine?.id ?? ""], position: "theirs" });
	demandEqual(await other.nearest(theirs.vector, 50, everywhere), [theirs.id], "what another collection holds");
	demandEqual((await ground.collection.nearest(mine?.vector ?? new Float32Array(dimensions), 50, everywhere)).length, 20, "how many the first one holds");
	demandEqual(sorted(await ground.index.names()), [collectionName, "memory-fedcba9876543210"], "the names of the collections");
}

async function isMadeAnew(ground: Ground): Promise<void> {
	const entries = await fill(ground, 60);
	await ground.index.drop(collectionName);
	await ground.index.drop("never-was");
	demandEqual(await ground.index.names(), [], "the names after the only collection was dropped");
	const anew = await ground.index.open(collectionName, dimensions, sampleOrganisation);
	demandEqual(await anew.position(), null, "the position of a collection that was dropped");
	demandEqual(await anew.nearest(entries[0]?.vector ?? new Float32Array(dimensions), 5, everywhere), [], "what a dropped collection finds");
	await anew.apply({ put: entries.slice(0, 30), remove: [], position: "again" });
	demandEqual(
		(await anew.nearest(entries[0]?.vector ?? new Float32Array(dimensions), 500, everywhere)).length,
		30,
		"how many are found after it was made anew",
	);
}

async function outlivesClose(ground: Ground): Promise<void> {
	const entries = await fill(ground, 80, "as far as this");
	await ground.collection.apply({ put: [], remove: entries.slice(0, 5).map(({ id }) => id), position: "and further" });
	const opened = await ground.reopen();
	const collection = await opened.open(collectionName, dimensions, sampleOrganisation);
	const position = await collection.position();
	const found = await collection.nearest(entries[9]?.vector ?? new Float32Array(dimensions), 500, everywhere);
	// What keeps nothing has to say so; what says that it holds all up to a position has to hold it.
	if (position === null) return;
	demandEqual(position, "and further", "the position after it was opened anew");
	demandEqual(sorted(found), sorted(entries.slice(5).map(({ id }) => id)), "what it holds after it was opened anew");
}

async function searchesMeanwhile(ground: Ground): Promise<void> {
	const entries = await fill(ground, 300);
	const feeding = (async () => {
		for (let i = 0; i < 10; i++) await ground.collection.apply({ put: clusteredEntries(ground.samples, 20), remove: [], position: `fed ${i}` });
	})();
	const found = await Promise.all(entries.slice(0, 40).map(({ vector }) => ground.collection.nearest(vector, 1, everywhere)));
	await feeding;
	demandEqual(
		found,
		entries.slice(0, 40).map(({ id }) => [id]),
		"what is found while it is fed",
	);
}
