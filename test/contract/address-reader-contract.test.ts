/** The contract tests of address readers are tried themselves: a good one keeps them all, every broken one is caught by the contract test it breaks. */

import { describe, expect, test } from "bun:test";
import { addressReaderMutants, goodScene } from "../mutants/address-readers/index.ts";
import { addressReaderContract } from "./address-reader-contract.ts";
import { ContractBroken } from "./contract-test.ts";

const mutants = addressReaderMutants();

describe("a good reader keeps", () => {
	for (const contractTest of addressReaderContract(goodScene())) test(contractTest.name, contractTest.check);
});

for (const mutant of mutants) {
	test.concurrent(`the mutant that ${mutant.name} is caught`, async () => {
		const contractTests = addressReaderContract(mutant.scene);
		for (const name of mutant.contractTests) {
			const contractTest = contractTests.find((one) => one.name === name);
			expect(contractTest, `there is no law "${name}"`).toBeDefined();
			expect(await contractTest?.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(ContractBroken);
		}
	});
}

test("each law catches a mutant", () => {
	const caught = new Set(mutants.flatMap(({ contractTests }) => contractTests));
	expect(addressReaderContract(goodScene()).filter(({ name }) => !caught.has(name))).toEqual([]);
});
