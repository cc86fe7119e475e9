/** Tests of contract tests: each mutant breaks those that were made for it. */

import { expect, test } from "bun:test";
import { ContractBroken, type ContractTest } from "../contract/contract-test.ts";

export interface CaughtMutant {
	/** What is wrong with it. */
	readonly name: string;
	/** The names of the contract tests that must notice. */
	readonly breaks: readonly string[];
	/** All contract tests, of this mutant. */
	readonly contract: () => readonly ContractTest[];
}

export function catchMutants(mutants: readonly CaughtMutant[]): void {
	for (const { name, breaks, contract } of mutants) {
		test(`the mutant that ${name} is caught`, async () => {
			const contractTests = contract();
			for (const law of breaks) {
				const contractTest = contractTests.find((each) => each.name === law);
				expect(contractTest, `there is no law "${law}"`).toBeDefined();
				expect(await contractTest?.check().catch((thrown: unknown) => thrown), law).toBeInstanceOf(ContractBroken);
			}
		});
	}
}

/** A law that no mutant breaks may be one that cannot fail. */
export function demandMutants(laws: readonly ContractTest[], mutants: readonly CaughtMutant[]): void {
	test("each law catches a mutant", () => {
		const caught = new Set(mutants.flatMap(({ breaks }) => breaks));
		expect(laws.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
	});
}
