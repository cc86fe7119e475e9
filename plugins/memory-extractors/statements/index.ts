/**
 * Extracts memories by rules, without a model. The rules are loaded with the first text, since a server that has none to read
 * starts sooner and holds less without them.
 */

import { definePlugin } from "cairn-memory";
import { options } from "./options.ts";
import { createExtraction } from "./thread/extraction.ts";

export default definePlugin({
	name: "memory-extractor-statements",
	contract: 1,
	options,
	start: (chosenOptions) => {
		const { extract, close } = createExtraction(chosenOptions);
		return { memoryExtractor: [{ name: "statements", version: "4", extract: (input, { signal }) => extract(input, signal) }], stop: close };
	},
});
