/** How much of a query a text covers by its own words, by words near them, and by those around it. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { WordVector } from "../../../core/plugin/contract.ts";
import { coverages } from "../../../core/ranking/coverage.ts";
import { queryTermsOf } from "../../../core/ranking/words/query-terms.ts";

const alone = (own: string) => ({ own, around: "" });
const share = (query: string, own: string, around = "", vectorOf: ((word: string) => WordVector) | null = null) =>
	coverages(queryTermsOf(query, 64), [{ own, around }], vectorOf)[0] ?? Number.NaN;

/** Fixed directions for some words; the others point each to a side of their own. */
const table = new Map<string, readonly [number, number]>([
	["spice", [1, 0]],
	["cumin", [0.8, 0.6]],
	["hotel", [0, 1]],
]);
const vectorOf = (word: string): WordVector => ({ vector: Float32Array.from(table.get(word) ?? [-1, 0]), weight: word === "hotel" ? 3 : 1 });

test("all words of the query are 1, none is 0, and endings and small words make no difference", () => {
	expect(share("where are the bridges", "The old bridge is in Porto.")).toBe(1);
	expect(share("where are the bridges", "A hotel near the station.")).toBe(0);
	expect(share("天气", "今天天气很好")).toBe(1);
});

test("a word around the text counts half of one of its own, and not beside it", () => {
	expect(share("bridge", "It is in Porto.", "We crossed the bridge.")).toBe(0.5);
	expect(share("bridge", "The bridge is in Porto.", "We crossed the bridge.")).toBe(1);
});

test("a word that is near in the table of words counts by how near it is", () => {
	expect(share("spice", "I can't stand cumin.", "", vectorOf)).toBeCloseTo(0.8, 6);
	expect(share("spice", "We stayed at a hotel.", "", vectorOf)).toBe(0);
	expect(share("spice", "I can't stand cumin.")).toBe(0);
});

test("a word that tells more counts more: a heavy one in the table, one that few texts hold", () => {
	expect(share("spice hotel", "a hotel", "", vectorOf)).toBeGreaterThan(share("spice hotel", "the spice", "", vectorOf));
	const [rare = 0, common = 1] = coverages(queryTermsOf("bridge harbour", 64), ["the bridge", ...Array(5).fill("the harbour")].map(alone), null);
	expect(rare).toBeGreaterThan(common);
});

test("what a rewriter has added to the query is not asked for", () => {
	const terms = [...queryTermsOf("bridge", 64), { word: "span", spelled: "span", weight: 0.2 }];
	expect(coverages(terms, [alone("the bridge"), alone("the span")], null)).toEqual([1, 0]);
});

test("each share is from 0 to 1, and nothing asked is nothing covered", () => {
	const words = fc.array(fc.constantFrom("spice", "cumin", "hotel", "bridge", "the"), { maxLength: 6 }).map((all) => all.join(" "));
	fc.assert(
		fc.property(words, fc.array(fc.record({ own: words, around: words }), { maxLength: 5 }), (query, texts) =>
			coverages(queryTermsOf(query, 64), texts, vectorOf).every((one) => one >= 0 && one <= 1 + 1e-9),
		),
		{ seed: 3 },
	);
	expect(coverages([], [alone("the bridge")], null)).toEqual([0]);
});
