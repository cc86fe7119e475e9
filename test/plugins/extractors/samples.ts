/** What a person sees in the fixtures, for the contract tests and for the tests. */

import { test } from "bun:test";
import type { Extraction, Extractor, ExtractorSource, MediaType, Plugin } from "cairn-memory";
import { type ExtractorContractOptions, type ExtractorSample, extractorContract } from "../../contract/extractor-contract.ts";
import { createHost, createStep, type RecordedStep, sourceOf, startExtractors } from "../../doubles/extractor-host.ts";
import { fixture } from "../../doubles/fixture.ts";

export const keeper = [
	"The lighthouse keeper wrote every storm into a blue notebook.",
	"On calm evenings he counted ships and drew the coast from memory.",
	"Nobody asked for the drawings until the harbour office burned down.",
	"Then the whole town came up the stairs to look at them.",
];
export const baker = [
	"The baker on the corner keeps seven clocks, all of them wrong.",
	"She says that bread needs patience and not minutes.",
	"Tourists photograph the clocks and forget to buy anything.",
	"Locals buy two loaves and set their watches by the smell.",
];

export function sample(fileName: string, mediaType: MediaType, said: readonly string[], headings: readonly string[] = []): ExtractorSample {
	return { bytes: fixture(fileName), mediaType, fileName, words: said.flatMap((text) => text.split(/\s+/)), headings };
}

export async function extractorNamed(plugin: Plugin, name: string): Promise<Extractor> {
	const found = (await startExtractors(plugin, createHost())).find((extractor) => extractor.name === name);
	if (found === undefined) throw new Error(`the plugin has no extractor called ${name}`);
	return found;
}

/** Runs all contract tests as tests. */
export function testContract(start: () => Promise<Extractor>, samples: readonly ExtractorSample[], options: ExtractorContractOptions = {}): void {
	for (const contractTest of extractorContract(start, samples, options)) test(contractTest.name, contractTest.check, 20_000);
}

export interface Read {
	readonly extraction: Extraction;
	readonly step: RecordedStep;
}

export async function read(extractor: Extractor, content: Uint8Array | string, mediaType: MediaType, more: Partial<ExtractorSource> = {}): Promise<Read> {
	const step = createStep();
	return { extraction: await extractor.extract(sourceOf(content, mediaType, more), step), step };
}

/** The code of the error a reading ends with. */
export async function codeOf(reading: Promise<unknown>): Promise<string> {
	try {
		await reading;
		return "none";
	} catch (thrown) {
		return thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
	}
}
