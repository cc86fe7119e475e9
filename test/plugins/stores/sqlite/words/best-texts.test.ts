/** Ranking: the same texts and scores as adding up everything, whatever is skipped. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexWords } from "cairn-memory/words";
import { writeStored } from "../../../../../plugins/stores/sqlite/words/building/write-stored.ts";
import { FreshTexts } from "../../../../../plugins/stores/sqlite/words/fresh/fresh-texts.ts";
import type { LiveTexts, TextPart } from "../../../../../plugins/stores/sqlite/words/live-texts.ts";
import { bestTexts } from "../../../../../plugins/stores/sqlite/words/scoring/best-texts.ts";
import { weighWords } from "../../../../../plugins/stores/sqlite/words/scoring/weigh-words.ts";
import { StoredTexts } from "../../../../../plugins/stores/sqlite/words/stored/stored-texts.ts";
import { createSamples } from "../../../../contract/samples.ts";

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-best-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Corpus {
	readonly texts: readonly string[];
	readonly dead: ReadonlySet<number>;
	readonly live: Pick<LiveTexts, "parts" | "languages" | "documentNumbers" | "texts" | "wordCount">;
}

const rarities = ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"];

/** Word i stands in every 2^i-th text or so; some words are said again and again. */
function randomText(random: () => number): string {
	const words = rarities.flatMap((word, i) => (random() < 2 ** -i ? Array<string>(1 + Math.floor(random() ** 4 * 9)).fill(word) : []));
	const others = Array.from({ length: Math.floor(random() * 20) }, () => (random() < 0.7 ? "filler" : `f${Math.floor(random() * 400)}ler`));
	return [...words, ...others].join(" ");
}

/** The first part of the texts in a file, the others fresh, some of both dead. */
function corpus(size: number, stored: number, deadShare: number, seed: number): Corpus {
	const { random } = createSamples(seed);
	const texts = Array.from({ length: size }, () => randomText(random));
	const dead = new Set(texts.keys().filter(() => random() < deadShare));
	const older = fresh(texts.slice(0, stored), 0);
	const path = join(folder, `${size}-${stored}-${seed}.words`);
	const written = writeStored(path, null, older);
	const deadOf = (from: number, count: number) => (deadShare === 0 ? null : Uint8Array.from({ length: count }, (_, i) => Number(dead.has(from + i))));
	const parts: TextPart[] = [
		{ segment: new StoredTexts(Bun.mmap(path), written), offset: 0, dead: deadOf(0, stored), deadGrams: null },
		{ segment: fresh(texts.slice(stored), stored), offset: stored, dead: deadOf(stored, size - stored), deadGrams: null },
	];
	const living = texts.filter((_, i) => !dead.has(i)).map((text) => indexWords(text).length);
	return {
		texts,
		dead,
		live: { parts: () => parts, languages: [], documentNumbers: size, texts: living.length, wordCount: living.reduce((sum, length) => sum + length, 0) },
	};
}

function fresh(texts: readonly string[], from: number): FreshTexts {
	const made = new FreshTexts();
	for (const [i, text] of texts.entries()) made.add(from + i + 1, text);
	return made;
}

function byTheBook({ texts, dead }: Corpus, query: readonly string[]): readonly { documentNumber: number; score: number }[] {
	const all = texts.map((text) => indexWords(text));
	const living = all.filter((_, documentNumber) => !dead.has(documentNumber));
	const average = living.reduce((sum, { length }) => sum + length, 0) / living.length;
	const weights = query.map((word) => {
		const holders = living.filter((words) => words.includes(word)).length;
		return Math.log(1 + (living.length - holders + 0.5) / (holders + 0.5));
	});
	const greatest = weights.reduce((sum, weight) => sum + weight, 0);
	const scored = all.map((words, documentNumber) => {
		const part = (word: string, i: number) => {
			const count = words.filter((other) => other === word).length;
			return ((weights[i] ?? 0) * count) / (count + 0.9 * (0.25 + (0.75 * (words.length + 20)) / (average + 20)));
		};
		return { documentNumber, score: dead.has(documentNumber) ? 0 : query.map(part).reduce((sum, one) => sum + one, 0) / greatest };
	});
	return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.documentNumber - b.documentNumber);
}

/** Also such as have common words only: most texts have one of these, and few of them are among the best. */
const queries = [["w0"], ["w7"], ["w7", "w0"], ["w6", "w3", "w1"], rarities, ["w5", "nowhere"], ["w1", "w0"], ["w2", "w1"], ["w2", "w1", "filler"]];

describe("the best are those of the book", () => {
	for (const [stored, deadShare] of [
		[0, 0],
		[1_500, 0],
		[900, 0.2],
		[1_200, 0.02],
	] as const) {
		test(`${stored} of 1,500 texts in a file, ${deadShare * 100} % of all gone`, () => {
			const made = corpus(1_500, stored, deadShare, stored + 1);
			for (const query of queries) {
				const book = byTheBook(made, query);
				for (const count of [1, 10, 64, 5_000]) {
					const found = bestTexts(made.live as LiveTexts, weighWords(made.live as LiveTexts, query), count, null);
					expect(found.length).toBe(Math.min(count, book.length));
					for (const [i, { documentNumber, score }] of found.entries()) {
						expect(score).toBeCloseTo(book[i]?.score ?? -1, 9);
						// Of texts that score alike another may come first, by a bit in the last place.
						expect(score).toBeCloseTo(book.find((entry) => entry.documentNumber === documentNumber)?.score ?? -1, 9);
					}
				}
			}
		});
	}

	test("among some texts only those are scored, as they are among all", () => {
		const made = corpus(1_500, 1_000, 0.1, 7);
		const some = Uint32Array.from(made.texts.keys().filter((documentNumber) => documentNumber % 7 === 3 && !made.dead.has(documentNumber)));
		for (const query of queries) {
			const book = byTheBook(made, query).filter(({ documentNumber }) => some.includes(documentNumber));
			const found = bestTexts(made.live as LiveTexts, weighWords(made.live as LiveTexts, query), 5_000, some);
			expect(found.map(({ documentNumber }) => documentNumber).sort()).toEqual(book.map(({ documentNumber }) => documentNumber).sort());
			for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(book[i]?.score ?? -1, 9);
		}
	});
});

test("a file that begins with an older one is the file of all texts that live", () => {
	const { texts, dead } = corpus(600, 0, 0.3, 11);
	const [halfPath, wholePath, directPath] = ["half", "whole", "direct"].map((name) => join(folder, `${name}.words`)) as [string, string, string];
	const half = writeStored(halfPath, null, fresh(texts.slice(0, 300), 0));
	const gone = new Set([...dead].filter((documentNumber) => documentNumber < 300));
	const older = { texts: new StoredTexts(Bun.mmap(halfPath), half), dead: gone };
	const whole = writeStored(wholePath, older, fresh(texts.slice(300), 300));
	const living = new FreshTexts();
	for (const [documentNumber, text] of texts.entries()) if (!gone.has(documentNumber)) living.add(documentNumber + 1, text);
	expect(whole).toEqual(writeStored(directPath, null, living));
	expect(Buffer.compare(Bun.mmap(wholePath), Bun.mmap(directPath))).toBe(0);
});
