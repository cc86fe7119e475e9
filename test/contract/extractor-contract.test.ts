/** The contract tests of extractors: a sound extractor passes them all, and each mutant is caught by those it names. */

import { expect, test } from "bun:test";
import markdownPlugin from "../../plugins/extractors/markdown/index.ts";
import { startExtractors } from "../doubles/extractor-host.ts";
import { extractorMutants } from "../mutants/extractors/index.ts";
import { type ExtractorSample, extractorContract } from "./extractor-contract.ts";

const text = "# Tides\n\nThe water comes twice a day.\n\n## Today\n\nHigh water is at noon.";
const bytes = new TextEncoder().encode(text);
const samples: readonly ExtractorSample[] = [
	{
		bytes,
		mediaType: "text/markdown",
		fileName: "tides.md",
		words: text.split(/\s+/).filter((word) => /\w/.test(word)),
		headings: ["Tides", "Today"],
	},
];
const options = { damagedCopies: 3, readingMsMax: 200 };

const [sound] = await startExtractors(markdownPlugin());
if (sound === undefined) throw new Error("the plugin offers no extractor");

test.each(extractorContract(async () => sound, samples, { damagedCopies: 3 }).map((contractTest) => [contractTest.name, contractTest] as const))(
	"a sound extractor: %s",
	async (_, contractTest) => {
		await contractTest.check();
	},
);

test.each(extractorMutants(sound, bytes).map((mutant) => [mutant.name, mutant] as const))("the mutant that %s is caught", async (_, mutant) => {
	const contractTests = extractorContract(mutant.start, samples, options);
	for (const name of mutant.contractTests) {
		const contractTest = contractTests.find((candidate) => candidate.name === name);
		if (contractTest === undefined) throw new Error(`there is no law called "${name}"`);
		await expect(contractTest.check(), name).rejects.toMatchObject({ name: "ContractBroken" });
	}
});

test("every law catches a mutant", () => {
	const caught = new Set(extractorMutants(sound, bytes).flatMap((mutant) => mutant.contractTests));
	expect(
		extractorContract(async () => sound, samples)
			.map((contractTest) => contractTest.name)
			.filter((name) => !caught.has(name)),
	).toEqual([]);
});
