/** The kit is tested itself: every broken plugin is caught by the contract test it breaks, and every contract test catches at least one. */

import { describe, expect, test } from "bun:test";
import paragraphs from "../../plugins/chunkers/paragraphs.ts";
import hashing from "../../plugins/embedders/hashing.ts";
import statements from "../../plugins/memory-extractors/statements/index.ts";
import { chunkerMutants } from "../mutants/chunkers/index.ts";
import { embedderMutants } from "../mutants/embedders/index.ts";
import { languageModelMutants } from "../mutants/language-models/index.ts";
import { memoryExtractorMutants } from "../mutants/memory-extractors/index.ts";
import { memoryLinkerMutants } from "../mutants/memory-linkers/index.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { pluginMutants } from "../mutants/plugins/index.ts";
import { queryRewriterMutants } from "../mutants/query-rewriters/index.ts";
import { rerankerMutants } from "../mutants/rerankers/index.ts";
import { chunkerContract } from "./chunker-contract.ts";
import { ContractBroken, type ContractTest } from "./contract-test.ts";
import { embedderContract } from "./embedder-contract.ts";
import { languageModelContract } from "./language-model-contract.ts";
import { memoryExtractorContract } from "./memory-extractor-contract.ts";
import { memoryLinkerContract } from "./memory-linker-contract.ts";
import { pluginContract } from "./plugin-contract.ts";
import { queryRewriterContract } from "./query-rewriter-contract.ts";
import { rerankerContract } from "./reranker-contract.ts";
import { partOf } from "./start.ts";

prove("chunker", chunkerMutants(await partOf(paragraphs(), "chunker")), chunkerContract);
prove("embedder", embedderMutants(await partOf(hashing(), "embedder")), embedderContract);
prove("memory extractor", memoryExtractorMutants(await partOf(statements(), "memoryExtractor")), memoryExtractorContract);
prove("memory linker", memoryLinkerMutants(), memoryLinkerContract);
prove("reranker", rerankerMutants(), rerankerContract);
prove("language model", languageModelMutants(), languageModelContract);
prove("query rewriter", queryRewriterMutants(), queryRewriterContract);

describe("plugin laws", () => {
	const mutants = pluginMutants();
	for (const mutant of mutants) {
		test(`catch the mutant "${mutant.name}"`, async () => {
			await expectCaught(pluginContract(await mutant.start()), mutant.contractTests);
		});
	}
	test("each catch a mutant", async () => {
		expect(uncaught(pluginContract(paragraphs), mutants)).toEqual([]);
	});
});

function prove<Part>(kind: string, mutants: readonly Mutant<Part>[], contractTests: (start: () => Promise<Part>) => readonly ContractTest[]): void {
	describe(`${kind} laws`, () => {
		for (const mutant of mutants) {
			test(`catch the mutant "${mutant.name}"`, async () => expectCaught(contractTests(mutant.start), mutant.contractTests));
		}
		test("each catch a mutant", () => {
			const [first] = mutants;
			expect(first === undefined ? ["no mutants"] : uncaught(contractTests(first.start), mutants)).toEqual([]);
		});
	});
}

/** Every contract test that the mutant names rejects it, because it is broken and not because the contract test stumbles. */
async function expectCaught(contractTests: readonly ContractTest[], names: readonly string[]): Promise<void> {
	expect(names).not.toBeEmpty();
	for (const name of names) {
		const contractTest = contractTests.find((one) => one.name === name);
		expect(contractTest, `there is no law "${name}"`).toBeDefined();
		const thrown: unknown = await contractTest?.check().catch((error: unknown) => error);
		expect(thrown instanceof ContractBroken || (thrown instanceof Error && thrown.message === "already started")).toBeTrue();
	}
}

function uncaught<Part>(contractTests: readonly ContractTest[], mutants: readonly Mutant<Part>[]): readonly string[] {
	const caught = new Set(mutants.flatMap((mutant) => mutant.contractTests));
	return contractTests.map(({ name }) => name).filter((name) => !caught.has(name));
}
