import { describe, expect, test } from "bun:test";
import type { Corpus } from "../../../models/train/data/corpus.ts";
import { countNeighbours, thinned } from "../../../models/train/neighbours.ts";
import { positiveInformation } from "../../../models/train/ppmi.ts";
import { createRandom } from "../../../models/train/random.ts";
import { chooseVocabulary } from "../../../models/train/vocabulary.ts";
import { toySettings } from "./toy.ts";

/** "a b c", "a b", and a pair that holds "d". */
const corpus: Corpus = {
	words: ["a", "b", "c", "d"],
	sources: [
		{ name: "raw", kind: "raw", texts: { numbers: Uint32Array.of(0, 1, 2, 0, 1), starts: Uint32Array.of(0, 3, 5) } },
		{ name: "pairs", kind: "pairs", texts: { numbers: Uint32Array.of(3, 0), starts: Uint32Array.of(0, 1, 2) } },
	],
};

describe("neighbours", () => {
	test("the most frequent words have rows, those met first before others as frequent", () => {
		const { words, counts, total, rowOf } = chooseVocabulary(corpus, 3);
		expect({ words, counts, total, rowOf: [...rowOf] }).toEqual({ words: ["a", "b", "c"], counts: [3, 2, 1], total: 7, rowOf: [0, 1, 2, -1] });
	});

	test("are counted on both sides, and not from text to text", () => {
		const stream = thinned(corpus, chooseVocabulary(corpus, 4), { ...toySettings, window: 2 }, createRandom(1));
		expect([...stream]).toEqual([0, 1, 2, -1, -1, 0, 1, -1, -1]);
		const counts: number[][] = [];
		countNeighbours(stream, 3, 2, (_row, found) => counts.push([...found]));
		expect(counts).toEqual([
			[0, 2, 1],
			[2, 0, 1],
			[1, 1, 0],
		]);
	});

	test("frequent words are thinned out", () => {
		const vocabulary = chooseVocabulary(corpus, 4);
		const left = Array.from({ length: 200 }, (_, seed) => thinned(corpus, vocabulary, { ...toySettings, thinAbove: 0.1 }, createRandom(seed)));
		const share = (row: number, of: number): number => left.reduce((sum, stream) => sum + stream.filter((found) => found === row).length, 0) / (200 * of);
		expect(share(0, 2)).toBeCloseTo(Math.sqrt(0.7 / 3), 1);
		expect(share(2, 1)).toBeCloseTo(Math.sqrt(0.7), 1);
	});

	test("their information is the logarithm of how much oftener than by chance they meet", () => {
		const stream = Int32Array.of(0, 1, -1, 0, 1, -1, 2, 3, -1, 2, 3, -1, 0, 3);
		const { starts, columns, values } = positiveInformation(stream, 4, { window: 1, neighboursMin: 1, smoothing: 1 });
		expect([...starts]).toEqual([0, 2, 3, 4, 6]);
		expect([...columns]).toEqual([1, 3, 0, 3, 0, 2]);
		// Ten meetings in all: 0 met three, 1 two, and they met twice; 0 and 3 met once, where chance alone would make it 0.9.
		expect(values[0] ?? 0).toBeCloseTo(Math.log((2 * 10) / (3 * 2)), 5);
		expect(values[1] ?? 0).toBeCloseTo(Math.log(10 / 9), 5);
		expect([...positiveInformation(stream, 4, { window: 1, neighboursMin: 3, smoothing: 1 }).values]).toEqual([]);
	});
});
