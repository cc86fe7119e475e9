/** The contract tests of connectors: a sound connector passes them all, and each mutant is caught by those it names. */

import { expect, test } from "bun:test";
import { connectorMutants } from "../mutants/connectors/index.ts";
import { shelfScene } from "../mutants/connectors/shelf.ts";
import { connectorContract } from "./connector-contract.ts";

const named = connectorContract(async () => shelfScene()).map((contractTest) => [contractTest.name, contractTest] as const);

test.each(named)("a sound connector: %s", async (_, contractTest) => {
	await contractTest.check();
});

test.each(connectorMutants().map((mutant) => [mutant.name, mutant] as const))("the mutant that %s is caught", async (_, mutant) => {
	const contractTests = connectorContract(mutant.start);
	for (const name of mutant.contractTests) {
		const contractTest = contractTests.find((candidate) => candidate.name === name);
		if (contractTest === undefined) throw new Error(`there is no law called "${name}"`);
		await expect(contractTest.check(), name).rejects.toMatchObject({ name: "ContractBroken" });
	}
});

test("every law catches a mutant", () => {
	const caught = new Set(connectorMutants().flatMap((mutant) => mutant.contractTests));
	expect(named.map(([name]) => name).filter((name) => !caught.has(name))).toEqual([]);
});
