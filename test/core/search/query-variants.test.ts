/** A query and its rewritings as query variants: what is embedded, what the words are, and what was added at a weight. */

import { expect, test } from "bun:test";
import { limits, type QueryRewriter } from "cairn-memory";
import { queryVariants } from "../../../core/search/query-variants.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const { embedder } = createTestParts(createTestWorld());
const queried = (query: string, ...rewriters: readonly QueryRewriter[]) => queryVariants(query, rewriters, embedder, createStep());

test("related words join the client's phrasing alone, at their weight, after its own words", async () => {
	const rewriter: QueryRewriter = {
		name: "both",
		rewrite: async () => ["MD in town", " "],
		related: async () => [
			{ word: "Physicians", weight: 0.2 },
			{ word: "far too heavy", weight: 7 },
		],
	};
	const [own, other, ...more] = await queried("doctor", rewriter);
	expect(own?.words).toEqual([
		{ word: "doctor", spelled: "doctor" },
		{ word: "physician", spelled: "physicians", weight: 0.2 },
		{ word: "far", spelled: "far", weight: 1 },
		{ word: "heavi", spelled: "heavy", weight: 1 },
	]);
	expect([other?.text, other?.words.some(({ weight }) => weight !== undefined), more.length]).toEqual(["MD in town", false, 0]);
	expect([own?.trust, (other?.trust ?? 1) < 1]).toEqual([1, true]);
});

test("a related word whose weight is no number weighs nothing", async () => {
	const rewriter: QueryRewriter = { name: "odd", rewrite: async () => [], related: async () => [{ word: "physician", weight: Number.NaN }] };
	expect((await queried("doctor", rewriter))[0]?.words[1]?.weight).toBe(0);
});

test("without a rewriter the query is the only phrasing", async () => {
	expect((await queried("doctor")).map(({ text, trust }) => [text, trust])).toEqual([["doctor", 1]]);
});

test("no query has more words than it may", async () => {
	const many: QueryRewriter = {
		name: "many",
		rewrite: async () => [],
		related: async () => Array.from({ length: 200 }, (_, i) => ({ word: `w${i}`, weight: 0.5 })),
	};
	expect((await queried("doctor", many))[0]?.words).toHaveLength(limits.queryWordsMax);
});
