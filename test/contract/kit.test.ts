/** The kit is tested itself: every broken plugin is caught by the law it breaks, and every law catches at least one. */

import { describe, expect, test } from "bun:test";
import paragraphs from "../../plugins/chunkers/paragraphs.ts";
import hashing from "../../plugins/embedders/hashing.ts";
import sentences from "../../plugins/memory-extractors/sentences/index.ts";
import overlap from "../../plugins/rerankers/overlap.ts";
import { chunkerMutants } from "../mutants/chunkers/index.ts";
import { embedderMutants } from "../mutants/embedders/index.ts";
import { languageModelMutants } from "../mutants/language-models/index.ts";
import { memoryExtractorMutants } from "../mutants/memory-extractors/index.ts";
import { memoryLinkerMutants } from "../mutants/memory-linkers/index.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { pluginMutants } from "../mutants/plugins/index.ts";
import { queryRewriterMutants } from "../mutants/query-rewriters/index.ts";
import { rerankerMutants } from "../mutants/rerankers/index.ts";
import { chunkerLaws } from "./chunker-laws.ts";
import { embedderLaws } from "./embedder-laws.ts";
import { languageModelLaws } from "./language-model-laws.ts";
import { type Law, LawBroken } from "./law.ts";
import { memoryExtractorLaws } from "./memory-extractor-laws.ts";
import { memoryLinkerLaws } from "./memory-linker-laws.ts";
import { pluginLaws } from "./plugin-laws.ts";
import { queryRewriterLaws } from "./query-rewriter-laws.ts";
import { rerankerLaws } from "./reranker-laws.ts";
import { partOf } from "./start.ts";

prove("chunker", chunkerMutants(await partOf(paragraphs(), "chunker")), chunkerLaws);
prove("embedder", embedderMutants(await partOf(hashing(), "embedder")), embedderLaws);
prove("memory extractor", memoryExtractorMutants(await partOf(sentences(), "memoryExtractor")), memoryExtractorLaws);
prove("memory linker", memoryLinkerMutants(), memoryLinkerLaws);
prove("reranker", rerankerMutants(await partOf(overlap(), "reranker")), rerankerLaws);
prove("language model", languageModelMutants(), languageModelLaws);
prove("query rewriter", queryRewriterMutants(), queryRewriterLaws);

describe("plugin laws", () => {
	const mutants = pluginMutants();
	for (const mutant of mutants) {
		test(`catch the mutant "${mutant.name}"`, async () => {
			await expectCaught(pluginLaws(await mutant.start()), mutant.laws);
		});
	}
	test("each catch a mutant", async () => {
		expect(uncaught(pluginLaws(paragraphs), mutants)).toEqual([]);
	});
});

function prove<Part>(kind: string, mutants: readonly Mutant<Part>[], laws: (start: () => Promise<Part>) => readonly Law[]): void {
	describe(`${kind} laws`, () => {
		for (const mutant of mutants) {
			test(`catch the mutant "${mutant.name}"`, async () => expectCaught(laws(mutant.start), mutant.laws));
		}
		test("each catch a mutant", () => {
			const [first] = mutants;
			expect(first === undefined ? ["no mutants"] : uncaught(laws(first.start), mutants)).toEqual([]);
		});
	});
}

/** Every law that the mutant names rejects it, because it is broken and not because the law stumbles. */
async function expectCaught(laws: readonly Law[], names: readonly string[]): Promise<void> {
	expect(names).not.toBeEmpty();
	for (const name of names) {
		const law = laws.find((one) => one.name === name);
		expect(law, `there is no law "${name}"`).toBeDefined();
		const thrown: unknown = await law?.check().catch((error: unknown) => error);
		expect(thrown instanceof LawBroken || (thrown instanceof Error && thrown.message === "already started")).toBeTrue();
	}
}

function uncaught<Part>(laws: readonly Law[], mutants: readonly Mutant<Part>[]): readonly string[] {
	const caught = new Set(mutants.flatMap((mutant) => mutant.laws));
	return laws.map(({ name }) => name).filter((name) => !caught.has(name));
}
