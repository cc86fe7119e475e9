/** Reads CSV and TSV. Runs in the sandbox. */

import { createExtractionWriter, type Engine } from "cairn-memory";
import type { Content, PackedSandboxResult } from "../blocks/content.ts";
import { outlineInto } from "../blocks/outline.ts";
import { readText } from "../text/read-text.ts";
import { addRows } from "./csv-rows.ts";

export interface CsvInput {
	readonly content: Content;
	/** Null to guess it. */
	readonly delimiter: string | null;
}

const engine: Engine<CsvInput, PackedSandboxResult> = async ({ content, delimiter }, report) => {
	const writer = createExtractionWriter();
	addRows(readText(content), delimiter, outlineInto(writer), { isFull: writer.isFull, report });
	return { extraction: writer.complete({ type: "text" }), warnings: writer.warnings() };
};
export default engine;
