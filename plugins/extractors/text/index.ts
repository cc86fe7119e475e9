/** Plain text of any encoding; blank lines part paragraphs. Takes every other text format that nobody reads better. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { givenText } from "../clean-text.ts";
import { extractParagraphs } from "../paragraphs.ts";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-text",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "text",
			accepts: ["text/plain", "text/*"],
			async extract(source, step) {
				const content = await contentOf(source);
				// What a client handed in as text is split in one pass without decoding: there is nothing in it to attack.
				if (content.text !== null) return extractParagraphs(givenText(content.text));
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input: content, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
