/** The contract tests of a vector index hold for one that compares everything, whichever way it filters, and each catches a mutant. */

import { describe, test } from "bun:test";
import { exactIndex } from "../doubles/exact-index.ts";
import { catchMutants, demandMutants } from "../mutants/catch-mutants.ts";
import { vectorIndexMutants } from "../mutants/vector-indexes/index.ts";
import { vectorIndexContract } from "./vector-index-contract.ts";

for (const filters of ["payload", "allowed-ids"] as const) {
	describe(`an exact index that filters by ${filters}`, () => {
		const open = async () => ({ index: exactIndex(filters), reopen: async () => exactIndex(filters), dispose: async () => {} });
		for (const { name, check } of vectorIndexContract(open)) test(name, check);
	});
}

const mutants = vectorIndexMutants.map(({ name, contractTest, start }) => {
	const { index, reopened = index } = start();
	const contract = () => vectorIndexContract(async () => ({ index, reopen: async () => reopened, dispose: async () => {} }));
	return { name, breaks: [contractTest], contract };
});
catchMutants(mutants);
demandMutants(mutants[0]?.contract() ?? [], mutants);
