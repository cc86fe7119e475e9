/** Full text search: scores by the book, words that survive the index, and queries that cannot break it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wholeOrganisation } from "cairn-memory/stores";
import { indexWords } from "cairn-memory/words";
import fc from "fast-check";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { discard } from "../../../../plugins/stores/sql/documents/discarded.ts";
import { contextOf, runHere } from "../../../../plugins/stores/sql/executor.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { packVectors } from "../../../../plugins/stores/sql/vectors.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { openReads } from "../../../../plugins/stores/sqlite/threads/reads.ts";
import { WordPartitions } from "../../../../plugins/stores/sqlite/words/word-partitions.ts";
import { wordIndex } from "../../../../plugins/stores/sqlite/words/words.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../../contract/samples.ts";

let folder: string;
const opened: { readonly close: () => void }[] = [];
const samples = createSamples(1);

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-words-"));
});

afterAll(async () => {
	for (const { close } of opened) close();
	await rm(folder, { recursive: true, force: true });
});

interface Corpus {
	readonly connection: Connection;
	readonly operations: ReturnType<typeof createOperations>;
	/** Publishes the texts as one document. @returns the ids of its chunks. */
	readonly publish: (texts: readonly string[]) => readonly string[];
	readonly match: (words: readonly string[], limit?: number) => Promise<ReadonlyMap<string, number>>;
}

/** A database without a writer thread: the operations run here. */
function corpus(): Corpus {
	const file = join(folder, `${opened.length}.sqlite`);
	const connection = openWriter(file);
	migrate(connection, migrations);
	const operations = createOperations(connection);
	const reads = openReads(file);
	opened.push(reads, connection);
	const warn = () => undefined;
	const index = wordIndex(sampleOrganisation, reads, new WordPartitions({ folder: `${file}.words`, reads, canRemove: true, warn }));
	return {
		connection,
		operations,
		publish(texts) {
			const document = samples.makeDocument();
			const { id, organisation } = document;
			operations.addDocument.run({ document, job: samples.makeJob(document) });
			const chunks = texts.map((text, position) => ({
				id: samples.newId(),
				position,
				text,
				indexedText: null,
				place: "{}",
			}));
			const vectors = packVectors(chunks.map(() => samples.makeVector()));
			connection.db.transaction(() => operations.stageChunks.run({ organisation, id, revision: 1, space: sampleSpace.name, chunks, vectors }))();
			operations.publishRevision.run({ organisation, id, revision: 1, now: samples.nextTime() });
			return chunks.map((chunk) => chunk.id);
		},
		match: async (words, limit = 1_000) => new Map((await index.matchChunks(words, wholeOrganisation, limit)).hits.map(({ id, score }) => [id, score])),
	};
}

/** The formula of the port, straight from the book. */
function scoreOf(text: readonly string[], query: readonly string[], all: readonly (readonly string[])[]): number {
	const [k1, b, added] = [0.9, 0.75, 20];
	const average = all.reduce((sum, { length }) => sum + length, 0) / all.length;
	let reached = 0;
	let greatest = 0;
	for (const word of query) {
		const holders = all.filter((other) => other.includes(word)).length;
		const weight = Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5));
		const count = text.filter((other) => other === word).length;
		reached += (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * (text.length + added)) / (average + added)));
		greatest += weight * (k1 + 1);
	}
	return reached / greatest;
}

describe("scores", () => {
	for (const size of [1, 2, 3, 100]) {
		test(`in a corpus of ${size}: every word once is about 0.53, and all is as the book says`, async () => {
			const { publish, match } = corpus();
			const texts = Array.from({ length: size }, (_, i) => (i === 0 ? "walnut ferry amber quartz" : `copper walnut number${i} stone${i % 7}`));
			const [first] = publish(texts);
			const scores = await match(["walnut", "ferri", "amber"]);
			expect(scores.get(first ?? "")).toBeGreaterThan(0.48);
			expect(scores.get(first ?? "")).toBeLessThan(0.58);
			const words = texts.map(indexWords);
			const query = ["walnut", "ferri", "unheard"];
			const partly = await match(query);
			expect(partly.size).toBe(size);
			expect(partly.get(first ?? "")).toBeCloseTo(scoreOf(words[0] ?? [], query, words), 9);
		});
	}

	test("as the book says for random texts, repeated words and any length", async () => {
		const word = fc.constantFrom("ada", "bolt", "cedar", "dune", "elm");
		const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(texts, fc.uniqueArray(word, { minLength: 1, maxLength: 4 }), async (given, query) => {
				const { publish, match } = corpus();
				const ids = publish(given.map((words) => words.join(" ")));
				const found = await match(query);
				for (const [i, words] of given.entries()) expect(found.get(ids[i] ?? "") ?? 0).toBeCloseTo(scoreOf(words, query, given), 9);
			}),
			{ seed: 20260101, numRuns: 25 },
		);
	});

	test("what was deleted no longer counts", async () => {
		const { publish, match, connection, operations } = corpus();
		const [kept] = publish(["walnut ferry"]);
		const gone = publish(["walnut stone", "walnut copper"]);
		const document = connection.db
			.query<{ document: string; edition: number }, [string]>("SELECT document, edition FROM chunks WHERE id = ?")
			.get(gone[0] ?? "");
		operations.removeDocument.run({ organisation: sampleOrganisation, id: document?.document as never, now: samples.nextTime() });
		runHere(discard(contextOf(connection), { organisation: sampleOrganisation, id: document?.document as never }, document?.edition ?? null));
		const words = [indexWords("walnut ferry")];
		expect([...(await match(["walnut"]))]).toEqual([[kept ?? "", expect.closeTo(scoreOf(words[0] ?? [], ["walnut"], words), 9)]]);
	});
});

test("every word of any text finds it", async () => {
	const { publish, match } = corpus();
	const odd = [
		"ภาษาไทย ก็ ๏ ๚",
		"हिन्दी क्षत्रिय",
		"日本語カタカナ々ー〇",
		"한국어 〮",
		"ភាសាខ្មែរ ៖",
		"မြန်မာ ၊",
		"\u{323af}\u{31350}",
		"naïve İstanbul ΣΊΣΥΦΟΣ",
		"a1b2 ½ ² Ⅷ",
	];
	const text = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: "grapheme", maxLength: 30 }), fc.string({ unit: "binary", maxLength: 30 }));
	await fc.assert(
		fc.asyncProperty(text, async (content) => {
			const words = new Set(indexWords(content));
			const [id] = publish([content]);
			for (const word of words) expect((await match([word])).has(id ?? "")).toBe(true);
		}),
		{ seed: 20260101, numRuns: 60, examples: odd.map((content) => [content]) },
	);
});

test("no query throws, whatever it is made of", async () => {
	const { publish, match } = corpus();
	publish(["near not and or words chunk_words col x"]);
	const hostile = ['"', '""', "*", "NEAR(", "a AND", "words:x", "chunk_words", "^x", "x*", "-x", "(", "'", "\\", "\0", "a\0b", "", " ", "日本", "%", "\ud800"];
	for (const word of hostile) await match([word]);
	await match(hostile);
	await fc.assert(
		fc.asyncProperty(fc.array(fc.string({ unit: "binary" }), { maxLength: 8 }), async (words) => {
			await match(words);
		}),
		{ seed: 20260101, numRuns: 200 },
	);
	expect((await match(["near", "not", "or"])).size).toBe(1);
	expect((await match([])).size).toBe(0);
});

test("a limit is filled although most of the best hits are invisible", async () => {
	const { publish, match, operations } = corpus();
	const ids = publish(Array.from({ length: 300 }, (_, i) => `walnut ${"filler ".repeat(i % 5)}`));
	const document = samples.makeDocument();
	const { id, organisation } = document;
	operations.addDocument.run({ document, job: samples.makeJob(document) });
	const staged = Array.from({ length: 300 }, (_, position) => ({
		id: samples.newId(),
		position,
		text: "walnut walnut",
		indexedText: null,
		place: "{}",
	}));
	const vectors = packVectors(staged.map(() => samples.makeVector()));
	operations.stageChunks.run({ organisation, id, revision: 1, space: sampleSpace.name, chunks: staged, vectors });
	const found = await match(["walnut"], 40);
	expect(found.size).toBe(40);
	for (const hit of found.keys()) expect(ids).toContain(hit);
});
