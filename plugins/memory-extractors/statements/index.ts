/**
 * Extracts memories by rules, without a model. The rules are loaded with the first text, since a server that has none to read
 * starts sooner and holds less without them.
 */

import { definePlugin, type MemoryExtractor } from "cairn-memory";
import { type Options, options } from "./options.ts";

export default definePlugin({
	name: "memory-extractor-statements",
	contract: 1,
	options,
	start: (chosenOptions) => ({ memoryExtractor: [statements(chosenOptions)] }),
});

function statements(chosenOptions: Options): MemoryExtractor {
	return {
		name: "statements",
		version: "6",
		extract: async (input, step) => (await import("./extract-memories.ts")).extractMemories(input, chosenOptions, step.signal),
	};
}
