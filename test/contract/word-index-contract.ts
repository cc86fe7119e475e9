/** What every word index promises: the best first as BM25 has it, true counts, filters, what was applied is found, and it can be made anew. */

import type { EntryFilter, TermGroup, WordCollection, WordEntry, WordIndex } from "cairn-memory";
import { wordEntry } from "cairn-memory/stores";
import { type ContractTest, demand } from "./contract-test.ts";
import { demandEqual } from "./demand-equal.ts";
import { createSamples, type Samples, sampleOrganisation } from "./samples.ts";

export interface OpenedWordIndex {
	/** Empty. */
	readonly index: WordIndex;
	/** Ends it and opens the same data anew. */
	readonly reopen: () => Promise<WordIndex>;
	/** Ends what is open and removes all traces. */
	readonly dispose: () => Promise<void>;
}

const many = 600;
const queries = 30;
const shown = 10;
/** Of the first ten by BM25, so many are among the first twenty answered, on average over all queries. */
const agreementMin = 0.98;
const collectionName = "chunk-0123456789abcdef0123456789abcdef01234567";
const everywhere: EntryFilter = { containerTags: [], tagsMatch: "all", allowedIds: null };
const plenty = 10_000;

interface Ground {
	readonly index: WordIndex;
	readonly collection: WordCollection;
	readonly samples: Samples;
	readonly reopen: OpenedWordIndex["reopen"];
}

/** @param open is called once for each contract test, and gives an empty index each time. */
export function wordIndexContract(open: () => Promise<OpenedWordIndex>): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>): ContractTest => ({
		name: `word index: ${name}`,
		check: async () => {
			const { index, reopen, dispose } = await open();
			try {
				await holds({ index, collection: await index.open(collectionName, 0, sampleOrganisation), samples: createSamples(3), reopen });
			} finally {
				await dispose();
			}
		},
	});
	return [
		contractTest("it has a name and says how it filters", describesItself),
		contractTest("a new collection is empty and has no position", beginsEmpty),
		contractTest("the first ten by BM25 are among the first twenty", agreesWithBm25),
		contractTest("counts are those of all texts", countsTruly),
		contractTest("all that hold any of the terms are answered, each once, up to the limit", answersAll),
		contractTest("what a text is scored by is told as it was put, if it tells it", tellsCounts),
		contractTest("terms are compared as they are, whatever signs they hold", oddTerms),
		contractTest("what was applied is found and counted at once", findsAtOnce),
		contractTest("what is put again is replaced, and what is removed is gone", replacesAndRemoves),
		contractTest("a search is narrowed before it is counted", filters),
		contractTest("two collections know nothing of each other", keepsApart),
		contractTest("what was dropped is gone and can be made anew", isMadeAnew),
		contractTest("opened anew it holds all up to its position", outlivesClose),
		contractTest("spellings that share letters are found, if it looks for any", findsSpellings),
	];
}

const vocabulary = ["harbour", "lamp", "ferry", "granite", "mill", "keeper", "tide", "rope", "chart", "gull", "灯塔", "港口"];

/** Words further down the list are rarer. */
function randomText(samples: Samples): string {
	const length = 2 + Math.floor(samples.random() ** 2 * 30);
	return Array.from({ length }, () => vocabulary[Math.floor(samples.random() ** 2 * vocabulary.length)] ?? "").join(" ");
}

function entriesOf(samples: Samples, texts: readonly string[]): readonly WordEntry[] {
	return texts.map((text, i) => wordEntry(samples.newId(), text, [i % 10 === 0 ? "rare" : "common", i % 2 === 0 ? "even" : "odd"]));
}

async function fill({ collection, samples }: Ground, count: number, position = "1"): Promise<readonly WordEntry[]> {
	const texts = Array.from({ length: count }, () => randomText(samples));
	const entries = entriesOf(samples, texts);
	await collection.apply({ put: entries, remove: [], position });
	return entries;
}

const termsOf = (word: string) => [...wordEntry("x", word, []).terms.keys()].filter((term) => !/^[#*]/.test(term));

function groupOf(word: string, weight = 1): TermGroup {
	return { terms: termsOf(word).slice(0, 1), weight };
}

function holds({ terms }: WordEntry, group: TermGroup["terms"]): boolean {
	return group.some((term) => terms.has(term));
}

function idsHolding(entries: readonly WordEntry[], ...groups: readonly TermGroup[]): readonly string[] {
	return entries
		.filter((entry) => groups.some(({ terms }) => holds(entry, terms)))
		.map(({ id }) => id)
		.toSorted();
}

async function describesItself({ index }: Ground): Promise<void> {
	demand(index.name.trim() !== "", "its name is blank");
	demand(index.filters === "payload" || index.filters === "allowed-ids", `it filters by ${String(index.filters)}`);
}

async function beginsEmpty({ index, collection }: Ground): Promise<void> {
	demandEqual(await collection.position(), null, "the position of a new collection");
	demandEqual(await collection.match([groupOf("lamp")], 5, everywhere), [], "what a new collection finds");
	demandEqual(await collection.count([["lamp"]]), { texts: 0, words: 0, grams: 0, holders: [0] }, "the counts of a new collection");
	demandEqual(await index.names(), [collectionName], "the names of the collections");
}

async function agreesWithBm25(ground: Ground): Promise<void> {
	const entries = await fill(ground, many);
	const average = entries.reduce((sum, { words }) => sum + words, 0) / entries.length;
	let agreed = 0;
	for (let i = 0; i < queries; i++) {
		const words = new Set(Array.from({ length: 3 }, () => ground.samples.pick(vocabulary)));
		const groups = [...words].map((word) => {
			const holders = idsHolding(entries, groupOf(word)).length;
			return groupOf(word, Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5)));
		});
		const scoreOf = (entry: WordEntry) =>
			groups.reduce((sum, { terms, weight }) => {
				const count = Math.max(...terms.map((term) => entry.terms.get(term) ?? 0));
				return sum + (weight * count) / (count + 0.9 * (0.25 + (0.75 * (entry.words + 20)) / (average + 20)));
			}, 0);
		const wanted = entries
			.map((entry) => ({ id: entry.id, score: scoreOf(entry) }))
			.sort((a, b) => b.score - a.score)
			.slice(0, shown);
		// Of many that are as good any may be answered.
		const least = wanted.at(-1)?.score ?? 0;
		const scores = new Map(entries.map((entry) => [entry.id, scoreOf(entry)]));
		const found = await ground.collection.match(groups, 2 * shown, everywhere);
		agreed += Math.min(shown, found.filter((id) => (scores.get(id) ?? 0) >= least).length) / shown;
	}
	demand(agreed / queries >= agreementMin, `of the first ten ${((agreed / queries) * shown).toFixed(2)} are among the first twenty`);
}

async function countsTruly(ground: Ground): Promise<void> {
	const entries = await fill(ground, 100);
	const groups = [termsOf("lamp"), [...termsOf("gull"), ...termsOf("rope")], ["nowhere"], []];
	const { texts, words, grams, holders } = await ground.collection.count(groups);
	demandEqual([texts, words], [100, entries.reduce((sum, entry) => sum + entry.words, 0)], "how many texts and words there are");
	demandEqual(
		grams,
		entries.reduce((sum, entry) => sum + entry.grams, 0),
		"how many grams there are",
	);
	demandEqual(
		holders,
		groups.map((group) => entries.filter((entry) => holds(entry, group)).length),
		"how many texts hold a group",
	);
}

async function answersAll(ground: Ground): Promise<void> {
	const entries = await fill(ground, 150);
	const groups = [{ terms: [...termsOf("gull"), ...termsOf("chart")], weight: 2 }, groupOf("灯塔")];
	const wanted = idsHolding(entries, ...groups);
	demandEqual((await ground.collection.match(groups, plenty, everywhere)).toSorted(), wanted, "the texts that hold any of the terms");
	for (const limit of [0, 1, 5]) demandEqual((await ground.collection.match(groups, limit, everywhere)).length, limit, "how many are answered");
	demandEqual(await ground.collection.match([groupOf("nowhere")], 5, everywhere), [], "the texts that hold a word of nowhere");
}

async function tellsCounts(ground: Ground): Promise<void> {
	const { matchCounted, match } = ground.collection;
	if (matchCounted === undefined) return;
	const [entries, often] = [await fill(ground, 100), wordEntry(ground.samples.newId(), "gull ".repeat(1_000), ["common"])];
	await ground.collection.apply({ put: [often], remove: [], position: "2" });
	const byId = new Map([...entries, often].map((entry) => [entry.id, entry]));
	const groups = [groupOf("gull", 2), groupOf("灯塔")];
	const terms = [...termsOf("gull"), ...termsOf("灯塔"), "#gull", "#_gul", "#rope", "nowhere", "#nowh"];
	const found = await matchCounted(groups, plenty, everywhere, terms);
	demandEqual(
		found.map(({ id }) => id),
		await match(groups, plenty, everywhere),
		"the texts that are found with their counts",
	);
	for (const { id, counted } of found) {
		// What is too much for an index it may leave to core.
		if (counted === null && id === often.id) continue;
		const entry = byId.get(id);
		const held = terms.filter((term) => entry?.terms.has(term)).map((term) => [term, entry?.terms.get(term)]);
		demandEqual(
			[[...(counted?.terms ?? [])].toSorted(), counted?.words, counted?.grams],
			[held.toSorted(), entry?.words, entry?.grams],
			"how often a text holds the terms, and its lengths",
		);
	}
}

async function oddTerms({ collection, samples }: Ground): Promise<void> {
	const terms = ['"', "'", "*", "a*", "#_ab", "*de", "%", "_", "\\", "-", "AND", "and", "a:b", "(", "🚢", "é", "e"];
	const put = terms.map((term) => ({ ...wordEntry(samples.newId(), "", []), terms: new Map([[term, 1]]), words: 1 }));
	await collection.apply({ put, remove: [], position: "1" });
	for (const [i, term] of terms.entries()) {
		demandEqual(await collection.match([{ terms: [term], weight: 1 }], 50, everywhere), [put[i]?.id], `the texts that hold ${term}`);
		demandEqual((await collection.count([[term]])).holders, [1], `how many texts hold ${term}`);
	}
}

async function findsAtOnce(ground: Ground): Promise<void> {
	await fill(ground, 50);
	for (let i = 0; i < 5; i++) {
		const entry = wordEntry(ground.samples.newId(), `walnut number${i}`, []);
		await ground.collection.apply({ put: [entry], remove: [], position: `later ${i}` });
		demandEqual(await ground.collection.match([groupOf(`number${i}`)], 5, everywhere), [entry.id], "what was just put");
		demandEqual((await ground.collection.count([termsOf("walnut")])).holders, [i + 1], "how many texts hold a word after one more was put");
		demandEqual(await ground.collection.position(), `later ${i}`, "the position after it was applied");
	}
}

async function replacesAndRemoves(ground: Ground): Promise<void> {
	const entries = await fill(ground, 60);
	const [first, second] = entries;
	demand(first !== undefined && second !== undefined, "there are no entries");
	await ground.collection.apply({ put: [wordEntry(first.id, "walnut", ["new"])], remove: [second.id, ground.samples.newId()], position: "2" });
	const left = [wordEntry(first.id, "walnut", ["new"]), ...entries.slice(2)];
	for (const word of ["walnut", "harbour", "lamp"]) {
		demandEqual(
			(await ground.collection.match([groupOf(word)], plenty, everywhere)).toSorted(),
			idsHolding(left, groupOf(word)),
			`the texts that hold ${word}`,
		);
	}
	const { texts, words, holders } = await ground.collection.count([termsOf("harbour")]);
	demandEqual([texts, words], [59, left.reduce((sum, entry) => sum + entry.words, 0)], "how many texts and words are left");
	demandEqual(holders, [idsHolding(left, groupOf("harbour")).length], "how many texts that are left hold a word");
}

async function filters(ground: Ground): Promise<void> {
	const entries = await fill(ground, 300);
	const groups = [groupOf("harbour"), groupOf("lamp")];
	const cases = [
		{ tags: ["rare"], tagsMatch: "all" },
		{ tags: ["common", "even"], tagsMatch: "all" },
		{ tags: ["rare", "odd"], tagsMatch: "any" },
		{ tags: ["it's nowhere"], tagsMatch: "all" },
	] as const;
	for (const { tags, tagsMatch } of cases) {
		const inside = entries.filter(({ containerTags }) =>
			tagsMatch === "all" ? tags.every((tag) => containerTags.includes(tag)) : tags.some((tag) => containerTags.includes(tag)),
		);
		const within: EntryFilter =
			ground.index.filters === "payload" ? { containerTags: tags, tagsMatch, allowedIds: null } : { ...everywhere, allowedIds: inside.map(({ id }) => id) };
		const wanted = idsHolding(inside, ...groups);
		demandEqual((await ground.collection.match(groups, plenty, within)).toSorted(), wanted, `what is found within ${tagsMatch} of ${tags.join(", ")}`);
		demandEqual((await ground.collection.match(groups, 3, within)).length, Math.min(3, wanted.length), "how many are found where few may be");
	}
}

async function keepsApart(ground: Ground): Promise<void> {
	const mine = await fill(ground, 20);
	const other = await ground.index.open("memory-fedcba9876543210", 0, sampleOrganisation);
	demandEqual(await other.position(), null, "the position of another collection");
	const theirs = wordEntry(ground.samples.newId(), "harbour", []);
	await other.apply({ put: [theirs], remove: [mine[0]?.id ?? ""], position: "theirs" });
	demandEqual(await other.match([groupOf("harbour")], 50, everywhere), [theirs.id], "what another collection holds");
	demandEqual((await ground.collection.count([])).texts, 20, "how many the first one holds");
	demandEqual((await ground.index.names()).toSorted(), [collectionName, "memory-fedcba9876543210"], "the names of the collections");
}

async function isMadeAnew(ground: Ground): Promise<void> {
	const entries = await fill(ground, 30);
	await ground.index.drop(collectionName);
	await ground.index.drop("never-was");
	demandEqual(await ground.index.names(), [], "the names after the only collection was dropped");
	const anew = await ground.index.open(collectionName, 0, sampleOrganisation);
	demandEqual(await anew.position(), null, "the position of a collection that was dropped");
	demandEqual((await anew.count([])).texts, 0, "how many texts a dropped collection has");
	await anew.apply({ put: entries.slice(0, 10), remove: [], position: "again" });
	demandEqual((await anew.count([])).texts, 10, "how many texts there are after it was made anew");
}

async function outlivesClose(ground: Ground): Promise<void> {
	const entries = await fill(ground, 40, "as far as this");
	await ground.collection.apply({ put: [], remove: entries.slice(0, 5).map(({ id }) => id), position: "and further" });
	const collection = await (await ground.reopen()).open(collectionName, 0, sampleOrganisation);
	const position = await collection.position();
	// What keeps nothing has to say so; what says that it holds all up to a position has to hold it.
	if (position === null) return;
	demandEqual(position, "and further", "the position after it was opened anew");
	const found = await collection.match([groupOf("harbour")], plenty, everywhere);
	demandEqual(found.toSorted(), idsHolding(entries.slice(5), groupOf("harbour")), "what it holds after it was opened anew");
}

async function findsSpellings(ground: Ground): Promise<void> {
	const { spellings } = ground.collection;
	if (spellings === undefined) return;
	await fill(ground, 60);
	const found = await spellings(["_har", "harb", "arbo"], 5);
	demandEqual(found, ["_harbour_"], "the spellings that share letters with a mistyped word");
	demandEqual(await spellings(["zzzz"], 5), [], "the spellings that share letters of nowhere");
}
