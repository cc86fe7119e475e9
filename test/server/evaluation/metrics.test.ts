import { expect, test } from "bun:test";
import fc from "fast-check";
import { meanQuality, qualityOf } from "../../../server/evaluation/metrics.ts";

const worth = (entries: Record<string, number>) => new Map(Object.entries(entries));

test("the figures of a ranking worked out by hand", () => {
	const { ndcg, recall, reciprocalRank } = qualityOf(["x", "a", "y", "b"], worth({ a: 2, b: 1, c: 1 }));
	const ideal = 2 + 1 / Math.log2(3) + 1 / 2;
	expect(ndcg).toBeCloseTo((2 / Math.log2(3) + 1 / Math.log2(5)) / ideal, 12);
	expect(recall).toBeCloseTo(2 / 3, 12);
	expect(reciprocalRank).toBe(1 / 2);
});

test("the best order is 1, nothing found is 0, and what comes after ten does not count", () => {
	expect(qualityOf(["a", "b"], worth({ a: 2, b: 1 }))).toEqual({ ndcg: 1, recall: 1, reciprocalRank: 1 });
	const late = [..."abcdefghij", "z"];
	expect(qualityOf(late, worth({ z: 1 }))).toEqual({ ndcg: 0, recall: 0, reciprocalRank: 0 });
	expect(qualityOf(late, worth({ z: 1 }), 11).recall).toBe(1);
	expect(qualityOf(["x", "a"], worth({ a: 1 }), 1).recall).toBe(0);
	expect(qualityOf(["a"], new Map())).toEqual({ ndcg: 0, recall: 0, reciprocalRank: 0 });
});

test("moving a relevant document up never makes it worse", () => {
	const ranking = fc.shuffledSubarray([..."abcdefghijkl"], { minLength: 3 });
	fc.assert(
		fc.property(ranking, fc.nat(), (ranked, pick) => {
			const at = 1 + (pick % (ranked.length - 1));
			const moved = ranked[at] ?? "";
			const better = ranked.with(at - 1, moved).with(at, ranked[at - 1] ?? "");
			const relevant = worth({ [moved]: 1 });
			expect(qualityOf(better, relevant).ndcg).toBeGreaterThanOrEqual(qualityOf(ranked, relevant).ndcg);
		}),
		{ seed: 3, numRuns: 50 },
	);
});

test("a mean is of all questions, and of none it is 0", () => {
	const [best, worst] = [qualityOf(["a"], worth({ a: 1 })), qualityOf(["b"], worth({ a: 1 }))];
	expect(meanQuality([best, worst])).toEqual({ ndcg: 0.5, recall: 0.5, reciprocalRank: 0.5 });
	expect(meanQuality([])).toEqual({ ndcg: 0, recall: 0, reciprocalRank: 0 });
});
