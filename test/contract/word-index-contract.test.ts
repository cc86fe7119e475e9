/** The contract tests of a word index hold for one that looks at everything, whichever way it filters, and each catches a mutant. */

import { describe, test } from "bun:test";
import { exactWordIndex } from "../doubles/exact-word-index.ts";
import { catchMutants, demandMutants } from "../mutants/catch-mutants.ts";
import { wordIndexMutants } from "../mutants/word-indexes/index.ts";
import { wordIndexContract } from "./word-index-contract.ts";

for (const filters of ["payload", "allowed-ids"] as const) {
	describe(`an exact index that filters by ${filters}`, () => {
		const open = async () => ({ index: exactWordIndex(filters), reopen: async () => exactWordIndex(filters), dispose: async () => {} });
		for (const { name, check } of wordIndexContract(open)) test(name, check);
	});
}

const mutants = wordIndexMutants.map(({ name, contractTest, start }) => {
	const { index, reopened = index } = start();
	const contract = () => wordIndexContract(async () => ({ index, reopen: async () => reopened, dispose: async () => {} }));
	return { name, breaks: [contractTest], contract };
});
catchMutants(mutants);
demandMutants(mutants[0]?.contract() ?? [], mutants);
