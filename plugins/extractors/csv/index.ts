/** Rows of comma- or tab-separated text, each with its header; the delimiter and the encoding are found out. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { CsvInput } from "../../formats/csv/engine.ts";
import { csvSigns } from "../../formats/csv/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-csv",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<CsvInput>(host, {
				name: "csv",
				signs: csvSigns,
				engine: new URL("../../formats/csv/engine.ts", import.meta.url),
				input: async (source) => ({ content: await contentOf(source), delimiter: source.mediaType === "text/tab-separated-values" ? "\t" : null }),
			}),
		],
	}),
});
