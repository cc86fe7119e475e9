/** The second opinion: how it is added, and what it takes back of the first. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Reranker } from "../../../core/plugin/contract.ts";
import { repeated, rerank, withOpinion } from "../../../core/search/rerank.ts";
import { createStep } from "../../doubles/step.ts";

const indifferent: Reranker = { name: "indifferent", candidatesMax: 10, score: async (_, texts) => texts.map(() => 0.5) };
const items = [
	{ text: "many words", score: 0.6, words: 0.7 },
	{ text: "few words", score: 0.6, words: 0.2 },
	{ text: "words unknown", score: 0.6 },
] as const;

test("words that a reranker counts again are taken back, and a common score of them changes nothing", async () => {
	const ranked = await rerank("q", items, { ...indifferent, wordsRepeated: 4 }, createStep());
	expect(ranked.map(({ text }) => text)).toEqual(["few words", "words unknown", "many words"]);
	expect(repeated({ words: 0.47 }, { wordsRepeated: 4 })).toBe(0);
	expect(repeated({}, { wordsRepeated: 4 })).toBe(0);
});

test("a reranker that repeats nothing takes nothing back", async () => {
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

test("a better opinion never lowers a score, nor do words that are taken back raise it", () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	fc.assert(
		fc.property(share, share, share, share, (score, opinion, more, said) => {
			const whole = withOpinion(score, opinion, said);
			const isBounded = whole > 0 && whole < 1;
			return isBounded && withOpinion(score, Math.min(1, opinion + more), said) >= whole && withOpinion(score, opinion, said + more) <= whole;
		}),
		{ seed: 3 },
	);
});

test("an opinion that is no number is none", async () => {
	const ranked = await rerank("q", items, { ...indifferent, score: async (_, texts) => texts.map((_text, i) => (i === 1 ? Number.NaN : 0.5)) }, createStep());
	expect(ranked.map(({ score }) => Number.isFinite(score))).toEqual([true, true, true]);
	expect(ranked.find(({ text }) => text === "few words")).toEqual(items[1]);
});
