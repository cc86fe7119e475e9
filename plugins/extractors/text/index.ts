/** Plain text of any encoding; blank lines separate paragraphs. It reads every text format that no other extractor reads. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { extractParagraphs } from "../../formats/blocks/paragraphs.ts";
import { cleanClientText } from "../../formats/text/clean-text.ts";
import { textSignatures } from "../../formats/text/signatures.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-text",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const sandboxed = extractorOf(host, {
			name: "text",
			signatures: [...textSignatures, { mediaType: "text/plain" }, { mediaType: "text/*" }],
			engine: new URL("../../formats/text/engine.ts", import.meta.url),
			input: contentOf,
		});
		return {
			extractor: [
				{
					...sandboxed,
					// Text that a client sent needs no decoding, and splitting it in one pass is safe outside of the sandbox.
					extract: async (source, step) => (source.text === null ? await sandboxed.extract(source, step) : extractParagraphs(cleanClientText(source.text))),
				},
			],
		};
	},
});
