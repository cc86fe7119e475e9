/** The contract tests of address readers are tried themselves: a good one keeps them all, every broken one is caught by the contract test it breaks. */

import { describe, test } from "bun:test";
import { addressReaderMutants, goodScene } from "../mutants/address-readers/index.ts";
import { catchMutants, demandMutants } from "../mutants/catch-mutants.ts";
import { addressReaderContract } from "./address-reader-contract.ts";

const laws = addressReaderContract(goodScene());
const mutants = addressReaderMutants().map(({ name, contractTests, scene }) => ({ name, breaks: contractTests, contract: () => addressReaderContract(scene) }));

describe("a good reader keeps", () => {
	for (const { name, check } of laws) test(name, check);
});
catchMutants(mutants);
demandMutants(laws, mutants);
