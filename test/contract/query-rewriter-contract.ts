/** What every query rewriter promises. */

import { limits, type QueryRewriter } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";
import { kinTexts, oddTexts } from "./samples-text.ts";

const queries = [
	...kinTexts.flat(),
	...oddTexts,
	"what does the HR policy say about PTO",
	"ML and AI with an API",
	"machine learning in human resources",
	"PR ".repeat(limits.queryCharactersMax / 3),
];

/** @param start makes a fresh query rewriter; it is called once for each contract test. */
export function queryRewriterContract(start: () => Promise<QueryRewriter>): readonly ContractTest[] {
	const contractTest = (name: string, check: (rewriter: QueryRewriter) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	const each = (name: string, check: (variants: readonly string[], query: string) => void): ContractTest =>
		contractTest(name, async (rewriter) => {
			for (const query of queries) check(await rewriter.rewrite(query, quietStep()), query.slice(0, 60));
		});
	return [
		contractTest("a query rewriter has a name", async ({ name }) => demand(name.trim() !== "", "its name is blank")),
		each("no phrasing is blank", (variants, query) => demand(!variants.some((text) => text.trim() === ""), `"${query}" has a blank phrasing`)),
		each("at most the agreed number of phrasings", (variants, query) => {
			demand(variants.length <= limits.queryRewritingsMax, `"${query}" has ${variants.length} phrasings`);
		}),
		each("no phrasing is longer than a query may be", (variants, query) => {
			for (const text of variants) demand(text.length <= limits.queryCharactersMax, `"${query}" has a phrasing of ${text.length} characters`);
		}),
		each("no phrasing comes twice", (variants, query) => demand(new Set(variants).size === variants.length, `"${query}" has a phrasing twice`)),
		contractTest("a phrasing is not the query itself", async (rewriter) => {
			for (const query of queries) demand(!(await rewriter.rewrite(query, quietStep())).includes(query), `"${query.slice(0, 60)}" is its own phrasing`);
		}),
		contractTest("related words are words, weigh from 0 to 1, come once and are few", async ({ related }) => {
			for (const query of queries) {
				const found = (await related?.(query, quietStep())) ?? [];
				const shown = `the related words of "${query.slice(0, 60)}"`;
				demand(found.length <= limits.queryWordsMax, `${shown} are ${found.length}`);
				demand(new Set(found.map(({ word }) => word)).size === found.length, `${shown} have one twice`);
				for (const { word, weight } of found) demand(word.trim() !== "" && weight > 0 && weight <= 1, `${shown} have "${word}" at ${weight}`);
			}
		}),
	];
}
