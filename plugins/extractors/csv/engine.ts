/** Reads tables kept as text. Runs in the sandbox. */

import { completeExtraction, type Engine } from "cairn";
import type { Content, Reading } from "../read-in-sandbox.ts";
import { readText } from "../read-text.ts";
import { readRows } from "./rows.ts";

export interface CsvInput {
	readonly content: Content;
	/** Null to find out. */
	readonly delimiter: string | null;
}

const engine: Engine<CsvInput, Reading> = async ({ content, delimiter }) => {
	const { blocks } = readRows(readText(content), delimiter);
	return { extraction: completeExtraction({ blocks, type: "text" }), remarks: [] };
};
export default engine;
