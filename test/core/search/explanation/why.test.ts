/** What a person is told when a search finds little. */

import { describe, expect, test } from "bun:test";
import { wholeOrganisation } from "cairn-memory/stores";
import type { Explanation } from "../../../../core/search/explanation/explain.ts";
import { why } from "../../../../core/search/explanation/why.ts";

type ExplainedCounts = Omit<Explanation, "why" | "hint">;

const counts: ExplainedCounts = {
	scope: wholeOrganisation,
	documents: { inScope: 3, removedByFilter: 0, beingIndexed: 0, failed: 0, dreaming: 0 },
	memories: null,
	candidates: { seen: 0, threshold: 0.6, belowThreshold: 0, bestBelow: null },
	variants: ["bees"],
};
const nothing = { inScope: 0, removedByFilter: 0 };
const empty = { ...counts.documents, ...nothing };

const cases: readonly (readonly [name: string, counts: Partial<ExplainedCounts>, words: string])[] = [
	["an empty store", { documents: empty }, "There are no documents yet."],
	["an empty container", { documents: empty, memories: nothing, scope: { ...wholeOrganisation, containerTags: ["a"] } }, "There is nothing in container a."],
	[
		"five empty containers",
		{ documents: empty, scope: { ...wholeOrganisation, containerTags: ["a", "b", "c", "d", "e"], tagsMatch: "any" } },
		"There is nothing in containers a or b or c and 2 more.",
	],
	["an empty path", { documents: empty, scope: { ...wholeOrganisation, filepath: "/a/" } }, "Nothing lies under this document or path."],
	[
		"a filter that lets nothing through",
		{ documents: { ...empty, removedByFilter: 1 } },
		"The filter lets nothing through: 1 document would be in scope without it.",
	],
	[
		"documents that are not ready",
		{ documents: { ...counts.documents, beingIndexed: 2, failed: 1 } },
		"2 documents in scope are still being indexed; ask again when they are done. 1 document in scope failed and cannot be found.",
	],
	[
		"memories that are not drawn yet",
		{ memories: nothing, documents: { ...counts.documents, dreaming: 1 } },
		"The memories of 1 document are still being drawn.",
	],
	["no memories", { memories: nothing }, "No memories have been drawn from these documents; searchMode hybrid or documents also searches their texts."],
	[
		"a filter and a threshold",
		{
			memories: { inScope: 4, removedByFilter: 1 },
			candidates: { seen: 4, threshold: 0.6, belowThreshold: 3, bestBelow: 0.4321 },
		},
		"The filter keeps out 1 memory. 3 candidates fell below the threshold of 0.6; the best of them scored 0.43.",
	],
	["nothing alike", {}, "Nothing in scope has anything in common with the query."],
];

describe("a search that found nothing", () => {
	for (const [name, part, words] of cases) test(name, () => expect(why({ ...counts, ...part }, 0)).toBe(words));
});

test("one that found a little, and there is no more", () => {
	expect(why(counts, 2)).toBe("Nothing else in scope fits.");
});
