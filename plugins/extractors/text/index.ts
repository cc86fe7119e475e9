/** Plain text of any encoding; blank lines separate paragraphs. It reads every text format without a better extractor. */

import { definePlugin } from "cairn-memory";
import { extractParagraphs, givenText } from "../../formats/text/plain-text.ts";
import { textSignatures } from "../../formats/text/signatures.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-text",
	contract: 1,
	start(_options, host) {
		const decoded = extractorOf(host, {
			name: "text",
			signatures: [...textSignatures, { mediaType: "text/plain" }, { mediaType: "text/*" }],
			engine: new URL("../../formats/text/engine.ts", import.meta.url),
			input: contentOf,
		});
		return {
			extractor: [
				{
					...decoded,
					// What a client handed in as text is split in one pass without decoding: there is nothing in it to attack.
					extract: async (source, step) => (source.text === null ? await decoded.extract(source, step) : extractParagraphs(givenText(source.text))),
				},
			],
		};
	},
});
