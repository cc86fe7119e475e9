/** Reads calendars. Runs in the sandbox. */

import type { Engine } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { extractParagraphs } from "../text/plain-text.ts";
import { readText } from "../text/read-text.ts";
import { addCalendar } from "./add-calendar.ts";

const engine: Engine<Content, SandboxResult> = async (content) => {
	const text = readText(content);
	const outline = createOutline();
	const calendar = addCalendar(text, outline);
	if (calendar === null)
		return {
			extraction: extractParagraphs(text),
			warnings: [{ code: "CALENDAR_BROKEN", message: "its entries cannot be read; the text is as it is written" }],
		};
	return { extraction: completeExtraction({ blocks: outline.blocks, titles: [calendar.name], type: "text" }), warnings: [] };
};
export default engine;
