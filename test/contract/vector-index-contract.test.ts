/** The contract tests of a vector index hold for one that compares everything, whichever way it filters, and each catches a mutant. */

import { describe, expect, test } from "bun:test";
import type { VectorIndex } from "cairn-memory";
import { exactIndex } from "../doubles/exact-index.ts";
import { vectorIndexMutants } from "../mutants/vector-indexes/index.ts";
import { ContractBroken } from "./contract-test.ts";
import { vectorIndexContract } from "./vector-index-contract.ts";

function lawsOf(index: VectorIndex, reopened: VectorIndex) {
	return vectorIndexContract(async () => ({ index, reopen: async () => reopened, dispose: async () => {} }));
}

for (const filters of ["payload", "allowed-ids"] as const) {
	describe(`an exact index that filters by ${filters}`, () => {
		for (const { name, check } of vectorIndexContract(async () => ({
			index: exactIndex(filters),
			reopen: async () => exactIndex(filters),
			dispose: async () => {},
		})))
			test(name, check);
	});
}

describe("vector index laws", () => {
	for (const { name, contractTest, start } of vectorIndexMutants) {
		test(`catch the mutant "${name}"`, async () => {
			const { index, reopened = index } = start();
			const broken = lawsOf(index, reopened).find((each) => each.name === contractTest);
			expect(broken, `there is no law "${contractTest}"`).toBeDefined();
			expect(
				await broken?.check().then(
					() => null,
					(thrown: unknown) => thrown,
				),
			).toBeInstanceOf(ContractBroken);
		});
	}

	test("each catch a mutant", () => {
		const caught = new Set(vectorIndexMutants.map(({ contractTest }) => contractTest));
		expect(lawsOf(exactIndex(), exactIndex()).flatMap(({ name }) => (caught.has(name) ? [] : [name]))).toEqual([]);
	});
});
