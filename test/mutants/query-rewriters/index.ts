/** Query rewriters that break one promise each, and the contract tests that must notice. */

import type { QueryRewriter } from "cairn-memory";
import type { Mutant } from "../mutant.ts";

/** Rewriters small enough to be wrong in one way only. */
export function queryRewriterMutants(): readonly Mutant<QueryRewriter>[] {
	const mutant = (name: string, rewrite: (query: string) => readonly string[], contractTest: string): Mutant<QueryRewriter> => ({
		name,
		contractTests: [contractTest],
		start: async () => ({ name, rewrite: async (query) => rewrite(query) }),
	});
	return [
		{ name: "nameless", contractTests: ["a query rewriter has a name"], start: async () => ({ name: "", rewrite: async () => [] }) },
		mutant("blank", () => ["  "], "no phrasing is blank"),
		mutant("talks too much", () => ["a", "b", "c", "d", "e", "f"], "at most the agreed number of phrasings"),
		mutant("repeats itself to no end", (query) => [`${query} or ${query}`], "no phrasing is longer than a query may be"),
		mutant("says it twice", () => ["ferry", "ferry"], "no phrasing comes twice"),
		{
			name: "relates more than all",
			contractTests: ["related words are words, weigh from 0 to 1, come once and are few"],
			start: async () => ({ name: "relates", rewrite: async () => [], related: async () => [{ word: "ferry", weight: 1.1 }] }),
		},
		mutant("parrots", (query) => [query], "a phrasing is not the query itself"),
	];
}
