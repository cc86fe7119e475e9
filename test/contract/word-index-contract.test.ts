/** The contract tests of a word index hold for one that looks at everything, whichever way it filters, and each catches a mutant. */

import { describe, expect, test } from "bun:test";
import type { WordIndex } from "cairn-memory";
import { exactWordIndex } from "../doubles/exact-word-index.ts";
import { wordIndexMutants } from "../mutants/word-indexes/index.ts";
import { ContractBroken } from "./contract-test.ts";
import { wordIndexContract } from "./word-index-contract.ts";

function lawsOf(index: WordIndex, reopened: WordIndex) {
	return wordIndexContract(async () => ({ index, reopen: async () => reopened, dispose: async () => {} }));
}

for (const filters of ["payload", "allowed-ids"] as const) {
	describe(`an exact index that filters by ${filters}`, () => {
		const open = async () => ({ index: exactWordIndex(filters), reopen: async () => exactWordIndex(filters), dispose: async () => {} });
		for (const { name, check } of wordIndexContract(open)) test(name, check);
	});
}

describe("word index laws", () => {
	for (const { name, contractTest, start } of wordIndexMutants) {
		test(`catch the mutant "${name}"`, async () => {
			const { index, reopened = index } = start();
			const broken = lawsOf(index, reopened).find((each) => each.name === contractTest);
			expect(broken, `there is no law "${contractTest}"`).toBeDefined();
			const thrown: unknown = await broken?.check().catch((error: unknown) => error);
			expect(thrown).toBeInstanceOf(ContractBroken);
		});
	}

	test("each catch a mutant", () => {
		const caught = new Set(wordIndexMutants.map(({ contractTest }) => contractTest));
		expect(lawsOf(exactWordIndex(), exactWordIndex()).flatMap(({ name }) => (caught.has(name) ? [] : [name]))).toEqual([]);
	});
});
