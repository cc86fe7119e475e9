/** What every reranker promises. */

import type { Reranker } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";
import { kinTexts, oddTexts } from "./samples-text.ts";

const query = "ferry harbour winter";
const candidates = ["ferry harbour winter", ...kinTexts.flat(), ...oddTexts];
/** What a model may round differently from one batch to the next. */
const sameWithin = 1e-4;

/** @param start makes a fresh reranker; it is called once for each contract test. */
export function rerankerContract(start: () => Promise<Reranker>): readonly ContractTest[] {
	const contractTest = (name: string, check: (reranker: Reranker) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	return [
		contractTest("a reranker has a name and a bound", async ({ name, candidatesMax }) => {
			demand(name.trim() !== "", "its name is blank");
			demand(Number.isInteger(candidatesMax) && candidatesMax > 0, `it takes ${candidatesMax} candidates`);
		}),
		contractTest("no candidates, no scores", async (reranker) => demand((await score(reranker, query, [])).length === 0, "it scores what is not there")),
		contractTest("one score for each candidate, from 0 to 1", async (reranker) => {
			for (const asked of [query, ...oddTexts]) {
				const scores = await score(reranker, asked, candidates);
				demand(scores.length === candidates.length, `${scores.length} scores for ${candidates.length} candidates`);
				for (const value of scores) demand(value >= 0 && value <= 1, `a score of ${value}`);
			}
		}),
		contractTest("permuted candidates permute the scores", async (reranker) => {
			const scores = await score(reranker, query, candidates);
			const turned = (await score(reranker, query, candidates.toReversed())).toReversed();
			demand(
				scores.every((value, i) => Math.abs(value - (turned[i] ?? Number.NaN)) <= sameWithin),
				"the place of a candidate changes its score",
			);
		}),
		contractTest("an exact match is above a stranger", async (reranker) => {
			for (const [text, paraphrase, stranger] of kinTexts) {
				const [exact = 0, near = 0, far = 1] = await score(reranker, text, [text, paraphrase, stranger]);
				demand(exact > far && near > far, `"${text}": itself ${exact}, its paraphrase ${near}, a stranger ${far}`);
				demand(exact >= near, `"${text}": a paraphrase is above the text itself`);
			}
		}),
		contractTest("same in, same out", async (reranker) => {
			const [once, again] = [await score(reranker, query, candidates), await score(reranker, query, candidates)];
			demand(
				once.every((value, i) => Math.abs(value - (again[i] ?? Number.NaN)) <= sameWithin),
				"the same question gave other scores",
			);
		}),
	];
}

async function score(reranker: Reranker, asked: string, texts: readonly string[]): Promise<readonly number[]> {
	return reranker.score(asked, texts, quietStep());
}
