/** Reads Numbers since 2017: every table of every sheet, each row with its header. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { createExtractionWriter } from "cairn-memory/words";
import type { BytesInput, PackedSandboxResult } from "../blocks/content.ts";
import { createLongOutline } from "../blocks/outline.ts";
import { openZip } from "../zip/zip-archive.ts";
import { openIndex } from "./index-zip.ts";
import { addSheets, numbersTypes } from "./numbers-tables.ts";
import { readObjects } from "./object-store.ts";

const engine: Engine<BytesInput, PackedSandboxResult> = async ({ bytes }) => {
	const writer = createExtractionWriter();
	const outline = createLongOutline(writer);
	addSheets(readObjects(openIndex(openZip(bytes)), numbersTypes), outline, writer.isFull);
	if (outline.blocks.every(({ kind }) => kind === "heading" || kind === "caption")) throw fail("CONTENT_EMPTY");
	return { extraction: writer.complete({ titles: [], type: "text" }), warnings: [...writer.warnings()] };
};
export default engine;
