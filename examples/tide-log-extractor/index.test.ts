/** The extractor passes the contract tests, on a log of two days. */

import { test } from "bun:test";
import { type ExtractorSample, extractorContract, partOf, pluginContract } from "cairn-memory/contract";
import tideLog from "./index.ts";
import { tideLogOf } from "./tide-log.ts";

const sample: ExtractorSample = {
	bytes: tideLogOf([
		{ minute: 29_600_000, level: 412, note: "High water at the east mole, the ferry Maribel waited." },
		{ minute: 29_600_375, level: -38, note: "" },
	]),
	mediaType: "application/vnd.brennik.tide-log",
	fileName: "april.tide",
	// All that the extractor shows, the words it adds itself included.
	words: ["2026-04-12T13:20 level 412 cm High water at the east mole, the ferry Maribel waited.", "2026-04-12T19:35 level -38 cm"],
};
const start = () => partOf(tideLog(), "extractor");

for (const contractTest of [...pluginContract(tideLog), ...extractorContract(start, [sample])]) test(contractTest.name, contractTest.check);
