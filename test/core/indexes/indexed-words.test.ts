/** A listed word index answers what a direct look at every text answers, with the same scores, however far it is. */

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { WordCollection, WordIndex } from "cairn-memory";
import { type MemoryFilter, type QueryTerm, type Scope, type TextSource, wholeOrganisation } from "cairn-memory/stores";
import { queryTermsOf } from "cairn-memory/words";
import { withWordIndex } from "../../../core/indexes/with-indexes.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { exactWordIndex } from "../../doubles/exact-word-index.ts";
import { createFastWorld } from "../../doubles/fast-world.ts";
import { createTestWorld } from "../../doubles/world.ts";

const now = new Date("2026-06-01T00:00:00.000Z");
const everything: MemoryFilter = { scope: wholeOrganisation, includeForgotten: false, now };
const wide: Scope = { ...wholeOrganisation, containerTags: ["wide"] };
const narrow: Scope = { ...wholeOrganisation, containerTags: ["narrow"] };
/** More texts than are read without an index. */
const many = 400;
const vocabulary = ["harbour", "lighthouse", "keeper", "ferry", "granite", "Häuser", "laufen", "灯塔", "港口", "tides", "running", "ropes"];
const queries = ["harbour keeper", "harbor lighthouses", "gelaufen Haus", "灯塔 ferry", "run tide rope", "submarine"];

async function prepare(index: WordIndex, watchedSource = (source: TextSource) => source) {
	const storage = ramStorage();
	const samples = createSamples(17);
	const tenant = storage.organisation(sampleOrganisation);
	await storage.accounts.addOrganisation({ id: sampleOrganisation, name: "sample", slug: "sample", createdAt: now });
	const world = { ...createTestWorld(), ...createFastWorld(1_000) };
	const digest = (text: string) => createHash("sha256").update(text).digest("hex");
	const indexed = withWordIndex({ ...storage, textSource: (organisation) => watchedSource(storage.textSource(organisation)) }, index, {
		embedders: { ofSpace: () => null },
		digest,
		world,
	});
	const own = tenant.words;
	const words = indexed.storage.organisation(sampleOrganisation).words;

	async function publish(count: number, containerTags: readonly string[], filepath: string | null = null) {
		const document = samples.makeDocument({ containerTags, filepath });
		await tenant.documents.add(document, samples.makeJob(document));
		const chunks = Array.from({ length: count }, (_, position) => {
			const text = Array.from({ length: 1 + Math.floor(samples.random() * 20) }, () => samples.pick(vocabulary)).join(" ");
			return { chunk: samples.makeChunk(document, { position, text, indexedText: text }), vector: samples.makeVector() };
		});
		await tenant.documents.stage(document.id, 1, sampleSpace, chunks);
		await tenant.documents.publish(document.id, 1, samples.nextTime());
		return document;
	}

	async function texts(): Promise<number> {
		const names = (await index.names()).filter((name) => name.startsWith("chunk"));
		const counts = names.map(async (name) => (await (await index.open(name, 0, sampleOrganisation)).count([])).texts);
		return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
	}

	/** Feeds the index until it holds so many chunks. */
	async function feedUntil(count: number): Promise<void> {
		const stopping = new AbortController();
		const feeding = indexed.feed(stopping.signal);
		while ((await texts()) !== count) await Bun.sleep(1);
		stopping.abort();
		await feeding;
	}

	async function expectAlike(limits: readonly number[] = [0, 10]): Promise<void> {
		for (const query of queries) {
			const sought: readonly QueryTerm[] = [...queryTermsOf(query, 10), { word: "gull", spelled: "gull", weight: 0.3 }];
			for (const scope of [wholeOrganisation, wide, narrow]) {
				for (const limit of limits) {
					expect(rounded((await words.matchChunks(sought, scope, limit)).hits)).toEqual(rounded((await own.matchChunks(sought, scope, limit)).hits));
					const grants = { ...everything, scope };
					expect(rounded((await words.matchMemories(sought, grants, limit)).hits)).toEqual(rounded((await own.matchMemories(sought, grants, limit)).hits));
				}
			}
		}
	}

	return { storage, samples, tenant, words, publish, feedUntil, expectAlike };
}

/** Where several score alike any of them may come first. */
function rounded(hits: readonly { readonly score: number }[]): readonly string[] {
	return hits.map(({ score }) => score.toFixed(9));
}

/** Counts what an index is asked, and may be told to fail. @param tellsCounts whether it hands over what texts are scored by */
function watched(index: WordIndex, tellsCounts = true) {
	const seen = { asked: 0, isBroken: false };
	const noted = <Given extends readonly unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) => {
		return (...given: Given) => {
			seen.asked++;
			return seen.isBroken ? Promise.reject<Answer>(new Error("broken")) : ask(...given);
		};
	};
	const watch = ({ match, matchCounted, ...collection }: WordCollection): WordCollection => ({
		...collection,
		match: noted(match),
		...(tellsCounts && matchCounted !== undefined && { matchCounted: noted(matchCounted) }),
	});
	return { seen, index: { ...index, open: async (...asked: Parameters<WordIndex["open"]>) => watch(await index.open(...asked)) } };
}

const kinds = [
	{ filters: "payload", tellsCounts: true },
	{ filters: "payload", tellsCounts: false },
	{ filters: "allowed-ids", tellsCounts: true },
] as const;
for (const { filters, tellsCounts } of kinds) {
	describe(`an index that filters by ${filters} and ${tellsCounts ? "tells" : "keeps"} its counts`, () => {
		test("scores as a look at every text does, before it is fed and after", async () => {
			const { index, seen } = watched(exactWordIndex(filters), tellsCounts);
			const { publish, expectAlike, feedUntil, tenant, samples } = await prepare(index);
			await publish(many, ["wide"]);
			await publish(40, ["narrow"]);
			const memories = ["the harbour keeper", "a lighthouse at night"].map((text) => ({ memory: samples.makeMemory({ text }), vector: samples.makeVector() }));
			await tenant.memories.save(sampleSpace, memories, []);
			await expectAlike();
			expect(seen.asked).toBe(0);
			await feedUntil(many + 40);
			await expectAlike();
			expect(seen.asked).toBeGreaterThan(0);
		});

		test("says what it looks up, and in a small scope nothing", async () => {
			const { publish, feedUntil, words } = await prepare(exactWordIndex(filters));
			await publish(many, ["wide"]);
			await publish(40, ["narrow"]);
			await feedUntil(many + 40);
			for (const scope of [wide, narrow]) {
				const told: (readonly string[])[] = [];
				const { hits } = await words.matchChunks(queryTermsOf("harbour keeper", 10), scope, 10, undefined, (ids) => told.push(ids));
				expect(told.length).toBe(scope === wide ? 1 : 0);
				expect(hits.filter(({ id }) => told.flat().includes(id)).length).toBe(scope === wide ? 10 : 0);
			}
		});

		test("finds what was published since, and nothing of what was removed", async () => {
			const { index, seen } = watched(exactWordIndex(filters), tellsCounts);
			const { publish, expectAlike, feedUntil, tenant, words } = await prepare(index);
			await publish(many, ["wide"]);
			const goner = await publish(50, ["narrow"]);
			await feedUntil(many + 50);
			await publish(60, ["narrow"]);
			await tenant.documents.remove(goner.id, now);
			const { hits: found } = await words.matchChunks(queryTermsOf("harbour keeper", 10), narrow, 1_000);
			expect(found.length).toBe((await tenant.words.matchChunks(queryTermsOf("harbour keeper", 10), narrow, 1_000)).hits.length);
			await feedUntil(many + 60);
			const before = seen.asked;
			await expectAlike();
			expect(seen.asked).toBeGreaterThan(before);
		});
	});
}

test("while an index fails the storage answers, whole", async () => {
	const { index, seen } = watched(exactWordIndex());
	const { publish, expectAlike, feedUntil, words } = await prepare(index);
	await publish(many, ["wide"]);
	await feedUntil(many);
	seen.isBroken = true;
	await expectAlike([10]);
	expect((await words.matchChunks(["harbour"], wide, 5, 1_000)).isWhole).toBe(true);
	expect((await words.matchMemories(["harbour"], everything, 5, 1_000)).hits).toEqual([]);
});

test("no text is read that the index has counted, and each that it has not", async () => {
	const exact = exactWordIndex();
	const uncounted = new Set<string>();
	const open: WordIndex["open"] = async (...asked) => {
		const { matchCounted, ...collection } = await exact.open(...asked);
		const some = async (...given: Parameters<NonNullable<typeof matchCounted>>) =>
			((await matchCounted?.(...given)) ?? []).map(({ id, counted }, i) => {
				if (i % 2 === 0) return { id, counted };
				uncounted.add(id);
				return { id, counted: null };
			});
		return { ...collection, matchCounted: some };
	};
	const read = new Set<string>();
	const noting = (source: TextSource): TextSource => ({
		...source,
		chunksIn: (ids, scope, known = new Map()) => {
			for (const id of ids) if (!known.has(id)) read.add(id);
			return source.chunksIn(ids, scope, known);
		},
	});
	const { publish, feedUntil, words, tenant } = await prepare({ ...exact, open }, noting);
	await publish(many, ["wide"]);
	await feedUntil(many);
	for (const query of queries) {
		read.clear();
		const sought = queryTermsOf(query, 10);
		expect(rounded((await words.matchChunks(sought, wholeOrganisation, 10)).hits)).toEqual(
			rounded((await tenant.words.matchChunks(sought, wholeOrganisation, 10)).hits),
		);
		expect([...read].filter((id) => !uncounted.has(id))).toEqual([]);
	}
	expect(uncounted.size).toBeGreaterThan(0);
});

test("of further candidates the ids alone are asked for, because few of them are in scope", async () => {
	const exact = exactWordIndex();
	const asked: [way: string, count: number][] = [];
	const open: WordIndex["open"] = async (...given) => {
		const { match, matchCounted, ...collection } = await exact.open(...given);
		if (matchCounted === undefined) throw new Error("it tells no counts");
		return {
			...collection,
			match: (groups, count, within) => {
				asked.push(["ids", count]);
				return match(groups, count, within);
			},
			matchCounted: (groups, count, within, terms) => {
				asked.push(["counts", count]);
				return matchCounted(groups, count, within, terms);
			},
		};
	};
	const { publish, feedUntil, words, tenant } = await prepare({ ...exact, open });
	await publish(many, ["wide"]);
	await publish(many, ["wide"], "notes/harbour.md");
	await feedUntil(2 * many);
	// An index knows no paths, so that half of its candidates are in scope.
	const scope: Scope = { ...wholeOrganisation, filepath: "notes/" };
	for (const query of ["harbour keeper", "灯塔 ferry"]) {
		asked.length = 0;
		const sought = queryTermsOf(query, 10);
		const found = (await words.matchChunks(sought, scope, 40)).hits;
		expect(rounded(found)).toEqual(rounded((await tenant.words.matchChunks(sought, scope, 40)).hits));
		expect(asked.map(([way]) => way)).toEqual(["counts", "ids"]);
		expect(asked[1]?.[1]).toBeGreaterThan(asked[0]?.[1] ?? 0);
	}
});
