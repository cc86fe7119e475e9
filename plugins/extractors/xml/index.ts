/** XML: feeds with their entries, outlines, the words of drawings, texts, and records as fields and tables. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-xml",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "xml",
			accepts: ["text/xml", "application/xml", "application/rss+xml", "application/atom+xml", "text/x-opml", "image/svg+xml"],
			async extract(source, step) {
				const input = await contentOf(source);
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
