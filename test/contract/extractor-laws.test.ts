/** The laws of extractors: a sound extractor keeps them all, and each mutant is caught by the laws it names. */

import { expect, test } from "bun:test";
import markdownPlugin from "../../plugins/extractors/markdown/index.ts";
import { startExtractors } from "../doubles/extractor-host.ts";
import { extractorMutants } from "../mutants/extractors/index.ts";
import { type ExtractorSample, extractorLaws } from "./extractor-laws.ts";

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

test.each(extractorLaws(async () => sound, samples, { damagedCopies: 3 }).map((law) => [law.name, law] as const))("a sound extractor: %s", async (_, law) => {
	await law.check();
});

test.each(extractorMutants(sound, bytes).map((mutant) => [mutant.name, mutant] as const))("the mutant that %s is caught", async (_, mutant) => {
	const laws = extractorLaws(mutant.start, samples, options);
	for (const name of mutant.laws) {
		const law = laws.find((candidate) => candidate.name === name);
		if (law === undefined) throw new Error(`there is no law called "${name}"`);
		await expect(law.check(), name).rejects.toMatchObject({ name: "LawBroken" });
	}
});

test("every law catches a mutant", () => {
	const caught = new Set(extractorMutants(sound, bytes).flatMap((mutant) => mutant.laws));
	expect(
		extractorLaws(async () => sound, samples)
			.map((law) => law.name)
			.filter((name) => !caught.has(name)),
	).toEqual([]);
});
