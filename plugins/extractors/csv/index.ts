/** Rows of comma- or tab-separated text, each with its header; the delimiter and the encoding are found out. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { CsvInput } from "./engine.ts";

export default definePlugin({
	name: "extractor-csv",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "csv",
			accepts: ["text/csv", "text/tab-separated-values"],
			async extract(source, step) {
				const input: CsvInput = { content: await contentOf(source), delimiter: source.mediaType === "text/tab-separated-values" ? "\t" : null };
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
