/** The contract tests of extractors: a sound extractor passes them all, and each mutant is caught by those it names. */

import { describe, test } from "bun:test";
import markdownPlugin from "../../plugins/extractors/markdown/index.ts";
import { startExtractors } from "../doubles/extractor-host.ts";
import { catchMutants, demandMutants } from "../mutants/catch-mutants.ts";
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

const laws = extractorContract(async () => sound, samples, { damagedCopies: 3 });
const mutants = extractorMutants(sound, bytes).map(({ name, contractTests, start }) => ({
	name,
	breaks: contractTests,
	contract: () => extractorContract(start, samples, options),
}));

describe("a sound extractor keeps", () => {
	for (const { name, check } of laws) test(name, check);
});
catchMutants(mutants);
demandMutants(laws, mutants);
