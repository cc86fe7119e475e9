/** Reads tables kept as text. Runs in the sandbox. */

import { completeExtraction, type Engine } from "cairn";
import { addRows } from "../csv-rows.ts";
import { createOutline } from "../outline.ts";
import type { Content, Reading } from "../read-in-sandbox.ts";
import { readText } from "../read-text.ts";

export interface CsvInput {
	readonly content: Content;
	/** Null to find out. */
	readonly delimiter: string | null;
}

const engine: Engine<CsvInput, Reading> = async ({ content, delimiter }) => {
	const outline = createOutline();
	addRows(readText(content), delimiter, outline);
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "text" }), remarks: [] };
};
export default engine;
