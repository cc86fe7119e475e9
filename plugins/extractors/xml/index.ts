/** XML: feeds with their entries, outlines, the words of drawings, texts, and records as fields and tables. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { xmlSigns } from "../../formats/xml-documents/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-xml",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf(host, {
				name: "xml",
				signs: xmlSigns,
				engine: new URL("../../formats/xml-documents/engine.ts", import.meta.url),
				input: contentOf,
			}),
		],
	}),
});
