/** Several rankings become one: best evidence counts, rewritings count for less, and equals keep their order. */

import { expect, test } from "bun:test";
import type { Hit } from "cairn-memory/stores";
import { fuse, type Ranking } from "../../../core/ranking/fuse.ts";
import { relevance } from "../../../core/ranking/relevance.ts";
import { sampleSpace } from "../../contract/samples.ts";

type Given = Partial<Ranking<string, Hit<string>>> & { readonly trust?: number };
const ranking = ({ trust = 1, vectorHits = [], wordHits = [], cosines }: Given): Ranking<string, Hit<string>> => ({
	variant: { text: "", words: [], vector: Float32Array.of(1, 0), trust },
	vectorHits,
	wordHits,
	cosines: cosines ?? new Map(vectorHits.map(({ id, score }) => [id, score])),
});
const scoresOf = (...rankings: readonly Ranking<string, Hit<string>>[]) => fuse(rankings, sampleSpace).map(({ hit, score }) => [hit.id, score]);

test("what both legs have found has the evidence of both", () => {
	const [both] = fuse([ranking({ vectorHits: [{ id: "a", score: 0.6 }], wordHits: [{ id: "a", score: 0.5 }] })], sampleSpace);
	expect(both?.evidence).toEqual({ words: 0.5, cosine: 0.6 });
	expect(both?.score).toBe(relevance({ words: 0.5, cosine: 0.6 }, sampleSpace));
});

test("what only the words have found counts by its own cosine, and without one by its words alone", () => {
	const wordHits = [{ id: "a", score: 0.5 }];
	expect(fuse([ranking({ wordHits, cosines: new Map([["a", 0.6]]) })], sampleSpace)[0]?.evidence).toEqual({ words: 0.5, cosine: 0.6 });
	expect(fuse([ranking({ wordHits })], sampleSpace)[0]?.evidence.cosine).toBeNull();
});

test("found by several phrasings it counts once, with its best score, and a rewriting counts for less", () => {
	const vectorHits = [{ id: "a", score: 0.8 }];
	const own = relevance({ words: 0, cosine: 0.8 }, sampleSpace);
	expect(scoresOf(ranking({ vectorHits }), ranking({ vectorHits, trust: 0.9 }))).toEqual([["a", own]]);
	expect(scoresOf(ranking({ vectorHits, trust: 0.9 }))).toEqual([["a", 0.9 * own]]);
});

test("equals come in the order of their ids, whichever leg found them first", () => {
	const [a, b] = [
		{ id: "a", score: 0.5 },
		{ id: "b", score: 0.5 },
	];
	expect(scoresOf(ranking({ vectorHits: [b, a] })).map(([id]) => id)).toEqual(["a", "b"]);
	expect(scoresOf(ranking({ vectorHits: [a, b] })).map(([id]) => id)).toEqual(["a", "b"]);
});

test("nothing found is nothing", () => expect(scoresOf(ranking({}))).toEqual([]));
