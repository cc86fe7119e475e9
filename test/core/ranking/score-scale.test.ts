/** The scale of memories: one line for questions of any length, and no result out of its order. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { EmbeddingSpace } from "../../../core/model/vector.ts";
import type { QueryVariant } from "../../../core/ranking/query-variant.ts";
import { relevance } from "../../../core/ranking/relevance.ts";
import { scoreScale as scaleOf } from "../../../core/ranking/score-scale.ts";

const space: EmbeddingSpace = { name: "s", dimensions: 2, metric: "cosine", calibration: { unrelated: 0.16, related: 0.54, weight: 0.25 } };

function asking(words: number): readonly QueryVariant[] {
	const said = Array.from({ length: words }, (_, i) => ({ word: `w${i}`, spelled: `w${i}` }));
	return [{ text: "", words: said, vector: null, trust: 1 }];
}

/** Of a memory of common length that holds so many of so many words. */
const holding = (held: number, of: number, cosine: number) => relevance({ words: (0.53 * held) / of, cosine }, space);
/** A container whose other memories hold nothing, or one word each and look a little alike. */
const quiet = (best: number) => [best];
const busy = (best: number, words: number) => [best, ...Array.from({ length: 30 }, () => holding(1, words, 0.25))];
/** The scale of one kind of results, best first. */
const scoreScale = (variants: readonly QueryVariant[], scores: readonly number[]) => {
	const scale = scaleOf(variants, { memory: scores, chunk: [] });
	return (score: number) => scale(score, Math.max(...scores, score));
};
const share = fc.double({ min: 0, max: 1, noNaN: true });

test("an answer with three words of a question is shown however long the question is, a stranger with one is not", () => {
	for (const words of [5, 8, 12, 20, 40]) {
		const [answer, stranger] = [holding(3, words, 0.45), holding(1, words, 0.25)];
		for (const scores of [quiet(answer), busy(answer, words)]) expect(scoreScale(asking(words), scores)(answer)).toBeGreaterThanOrEqual(0.6);
		for (const scores of [quiet(stranger), busy(stranger, words)]) expect(scoreScale(asking(words), scores)(stranger)).toBeLessThan(0.6);
	}
});

test("what stands out is shown sooner than what many memories have as well", () => {
	const best = holding(2, 6, 0.4);
	const shown = [quiet(best), busy(best, 6), Array.from({ length: 30 }, () => best)].map((scores) => scoreScale(asking(6), scores)(best));
	expect(shown).toEqual(shown.toSorted((a, b) => b - a));
	expect(shown[0]).toBeGreaterThan(0.6);
	expect(shown[2]).toBeLessThan(0.6);
});

test("what is relevant by itself is never held back, and a single word has its relevance for a score", () => {
	const lists = fc.array(share, { maxLength: 20 });
	fc.assert(
		fc.property(
			share,
			fc.integer({ min: 0, max: 64 }),
			lists,
			(score, words, scores) => score < 0.601 || scoreScale(asking(words), [score, ...scores])(score) >= 0.6,
		),
		{ seed: 5 },
	);
	for (const score of [0.1, 0.59, 0.6, 0.9]) for (const words of [0, 1]) expect(scoreScale(asking(words), [score])(score)).toBeCloseTo(score, 9);
});

test("what stands behind the first is told apart from it, and nothing is certain", () => {
	for (const words of [3, 8, 20]) {
		const [first, second, third] = [0.95, 0.9, 0.7];
		const scale = scaleOf(asking(words), { memory: [first, second, third], chunk: [] });
		const [best, next, last] = [scale(first, first), scale(second, first), scale(third, first)];
		expect(best).toBeLessThan(0.99);
		expect(best - next).toBeGreaterThan(0.02);
		expect(next - last).toBeGreaterThan(0.02);
		expect(last).toBeGreaterThanOrEqual(0.6);
		expect(scale(first, first)).toBe(best);
	}
});

test("it never falls and stays between 0 and 1", () => {
	fc.assert(
		fc.property(share, share, fc.integer({ min: 0, max: 64 }), fc.array(share, { maxLength: 20 }), (one, other, words, scores) => {
			const scale = scoreScale(asking(words), scores);
			const [low, high] = [scale(Math.min(one, other)), scale(Math.max(one, other))];
			return low >= 0 && high <= 1 && low <= high;
		}),
		{ seed: 7 },
	);
	for (const scores of [[], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]) expect(scoreScale([], scores)(0.5)).toBeWithin(0, 1);
});

test("with an embedder that sees everything alike, likeness alone shows nothing", () => {
	const alike = { ...space, calibration: { unrelated: 0.1, related: 0.5, weight: 1 } };
	const scores = Array.from({ length: 30 }, (_, i) => relevance({ words: 0, cosine: 0.4 - i / 1_000 }, alike));
	expect(scoreScale(asking(12), scores)(scores[0] ?? 1)).toBeLessThan(0.6);
	const answer = relevance({ words: 0.1, cosine: 0.6 }, alike);
	expect(scoreScale(asking(12), [answer, ...scores])(answer)).toBeGreaterThan(0.6);
});

test("words that a rewriter added make a question no longer", () => {
	const [plain] = asking(3);
	const added = { word: "other", spelled: "other", weight: 0.2 };
	const wider = plain === undefined ? [] : [{ ...plain, words: [...plain.words, ...Array.from({ length: 20 }, () => added)] }];
	expect(scoreScale(wider, [0.2])(0.2)).toBe(scoreScale(asking(3), [0.2])(0.2));
});
