/** Markdown with GitHub's tables and lists, and front matter. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { markdownSigns } from "../../formats/markdown/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-markdown",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			// Also what came as text: a few kilobytes of brackets keep a Markdown parser busy for minutes, and a warm child costs a millisecond.
			extractorOf(host, {
				name: "markdown",
				signs: markdownSigns,
				engine: new URL("../../formats/markdown/engine.ts", import.meta.url),
				input: contentOf,
			}),
		],
	}),
});
