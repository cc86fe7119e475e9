/** The second opinion: how it is added to the first score. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Reranker } from "../../../core/plugin/contract.ts";
import { rerank, withOpinion } from "../../../core/search/rerank.ts";
import { createStep } from "../../doubles/step.ts";

const indifferent: Reranker = { name: "indifferent", candidatesMax: 10, score: async (_, texts) => texts.map(() => 0.5) };
const items = [
	{ text: "one", score: 0.6 },
	{ text: "two", score: 0.6 },
	{ text: "three", score: 0.6 },
] as const;

test("without a reranker everything stays as it was", async () => {
	expect(await rerank("q", items, null, createStep())).toBe(items);
});

test("equal opinions of equal scores keep the order", async () => {
	const ranked = await rerank("q", items, indifferent, createStep());
	expect(new Set(ranked.map(({ score }) => score)).size).toBe(1);
	expect(ranked.map(({ text }) => text)).toEqual(items.map(({ text }) => text));
});

test("opinions that are no numbers leave every score what it was", async () => {
	for (const nonsense of [Number.NaN, Number.POSITIVE_INFINITY]) {
		const broken: Reranker = { ...indifferent, score: async (_, texts) => texts.map((_text, at) => (at === 0 ? nonsense : 1)) };
		expect(await rerank("q", items, broken, createStep())).toEqual(items);
	}
});

test("a better opinion never lowers a score", () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	fc.assert(
		fc.property(share, share, share, (score, opinion, more) => {
			const whole = withOpinion(score, opinion);
			return whole > 0 && whole < 1 && withOpinion(score, Math.min(1, opinion + more)) >= whole;
		}),
		{ seed: 3 },
	);
});

test("an opinion that is no number is none", async () => {
	const ranked = await rerank("q", items, { ...indifferent, score: async (_, texts) => texts.map((_text, i) => (i === 1 ? Number.NaN : 0.5)) }, createStep());
	expect(ranked.map(({ score }) => Number.isFinite(score))).toEqual([true, true, true]);
	expect(ranked.find(({ text }) => text === "two")).toEqual(items[1]);
});
