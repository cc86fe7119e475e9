/** The shown score: what it promises for twins, strangers and everything between. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { affinity } from "../../../core/model/vector.ts";
import type { Hit } from "../../../core/ports/vector-search.ts";
import { fuse } from "../../../core/ranking/fuse.ts";
import { relevance } from "../../../core/ranking/relevance.ts";

const space = { name: "s", dimensions: 2, metric: "cosine", calibration: { unrelated: 0.1, related: 0.7, weight: 1 } } as const;
const score = (words: number, cosine: number | null) => relevance({ words, cosine }, space);

test("near-identical text lies above 0.85, unrelated text below 0.3", () => {
	expect(score(0.53, 0.95)).toBeGreaterThan(0.85);
	expect(score(0.53, 1)).toBeGreaterThan(0.85);
	expect(score(0, 0.1)).toBeLessThan(0.3);
	expect(score(0.05, 0.2)).toBeLessThan(0.3);
	expect(score(0, null)).toBeLessThan(0.3);
});

test("every word of the query once is relevant by itself, half of them are not", () => {
	expect(score(0.53, 0.15)).toBeGreaterThan(0.6);
	expect(score(0.26, 0.15)).toBeLessThan(0.6);
});

test("of two texts without a word of the query the nearer one is first, however far both are", () => {
	expect(score(0, 0.05)).toBeGreaterThan(score(0, -0.1));
	expect(score(0, -1)).toBe(score(0, -0.9));
});

test("what covers more of the query is more relevant, and what was not compared counts as what strangers cover", () => {
	const covering = (covered: number) => relevance({ words: 0, cosine: null, covered }, space);
	expect(covering(0)).toBeLessThan(covering(0.5));
	expect(covering(0.2)).toBe(score(0, null));
	expect(covering(1)).toBeGreaterThan(0.85);
});

test("a space that only repeats the words cannot make a stranger relevant by itself", () => {
	const repeating = { ...space, calibration: { ...space.calibration, weight: 0.35 } };
	expect(relevance({ words: 0.1, cosine: 0.7 }, repeating)).toBeLessThan(0.5);
	expect(relevance({ words: 0.53, cosine: 0.3 }, repeating)).toBeGreaterThan(0.8);
});

test("what is held to the letter and what stands around lift it, around never alone above 0.3", () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	const any = fc.record({
		words: share,
		cosine: fc.double({ min: -1, max: 1, noNaN: true }),
		exact: share,
		around: fc.double({ min: 0, max: 50, noNaN: true }),
	});
	fc.assert(
		fc.property(any, share, (evidence, more) => {
			const whole = relevance(evidence, space);
			const bounded = whole >= 0 && whole <= 1;
			const { exact, around } = evidence;
			const lifted = [relevance({ ...evidence, exact: Math.min(1, exact + more) }, space), relevance({ ...evidence, around: around + more }, space)];
			return bounded && lifted.every((score) => score >= whole) && relevance({ words: 0, cosine: null, around }, space) < 0.3;
		}),
		{ seed: 11 },
	);
});

test("results come by falling relevance, whatever both legs found", () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	const hits = fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-f]{1,3}$/), score: share }), { selector: ({ id }) => id, maxLength: 12 });
	fc.assert(
		fc.property(hits, hits, (vectorHits, wordHits) => {
			const ranking = {
				variant: { text: "", words: [], vector: Float32Array.of(1, 0), trust: 1 },
				vectorHits,
				wordHits,
				cosines: new Map(vectorHits.map(({ id, score }) => [id, score])),
			};
			const found = fuse<string, Hit<string>>([ranking], space);
			const ids = new Set([...vectorHits, ...wordHits].map(({ id }) => id));
			const falls = found.every(({ score }, i) => score <= (found[i - 1]?.score ?? 1));
			return falls && found.length === ids.size && found.every(({ score, evidence }) => score === relevance(evidence, space));
		}),
		{ seed: 5 },
	);
});

test("more evidence never lowers it, and it stays between 0 and 1", () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	const cosine = fc.double({ min: -1, max: 1, noNaN: true });
	fc.assert(
		fc.property(share, share, cosine, cosine, (w1, w2, c1, c2) => {
			const low = score(Math.min(w1, w2), Math.min(c1, c2));
			const high = score(Math.max(w1, w2), Math.max(c1, c2));
			return low <= high && low >= 0 && high <= 1;
		}),
		{ seed: 7 },
	);
});

test("no part of the evidence makes it no number, whatever an embedder says of itself", () => {
	const odd = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0.5));
	const evidence = fc.record({ words: odd, cosine: fc.option(odd), exact: odd, around: odd, covered: odd });
	fc.assert(
		fc.property(evidence, odd, odd, odd, (parts, unrelated, related, weight) => {
			const calibration = { unrelated, related, weight };
			const [shown, vectorHits] = [relevance(parts, { ...space, calibration }), affinity(parts.cosine ?? 0, calibration)];
			return shown >= 0 && shown <= 1 && vectorHits >= 0 && vectorHits <= 1;
		}),
		{ seed: 13 },
	);
});
