/** Comma- or tab-separated text: its rows with the header. The delimiter and the encoding are detected. */

import type { CsvInput } from "../../formats/csv/engine.ts";
import { csvSignatures } from "../../formats/csv/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-csv", {
	name: "csv",
	signatures: csvSignatures,
	engine: new URL("../../formats/csv/engine.ts", import.meta.url),
	input: async (source): Promise<CsvInput> => ({ content: await contentOf(source), delimiter: source.mediaType === "text/tab-separated-values" ? "\t" : null }),
});
