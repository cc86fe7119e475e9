/** Markdown with GitHub's tables and lists, and front matter. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-markdown",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "markdown",
			accepts: ["text/markdown", "text/x-markdown"],
			// Also what came as text: a few kilobytes of brackets keep a Markdown parser busy for minutes, and a warm child costs a millisecond.
			async extract(source, step) {
				const input = await contentOf(source);
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
