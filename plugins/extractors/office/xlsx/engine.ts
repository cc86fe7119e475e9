/** Reads workbooks: sheet after sheet, each cell as it is shown. Runs in the sandbox. */

import { completeExtraction, type Engine, fail } from "cairn";
import { createOutline } from "../../outline.ts";
import type { Reading } from "../../read-in-sandbox.ts";
import { embeddedFiles } from "../embedded-files.ts";
import type { OfficeInput } from "../office-input.ts";
import { mainPart, openPackage, readProperties } from "../package.ts";
import { addComments } from "./beside-cells.ts";
import { addSheet } from "./sheet.ts";
import { readWorkbook } from "./workbook.ts";

const engine: Engine<OfficeInput, Reading> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	const workbook = readWorkbook(office, mainPart(office, "xl/workbook.xml"));
	if (workbook.sheets.length === 0) throw fail("FILE_BROKEN", "it lists no sheets");
	const outline = createOutline();
	const budget = { rows: 0, characters: 0 };
	const read = new Set<string>();
	for (const [index, sheet] of workbook.sheets.entries()) {
		if (read.has(sheet.path)) continue; // a sheet is read once, however often it is listed
		read.add(sheet.path);
		outline.heading(1, sheet.isHidden ? `${sheet.name} (hidden sheet)` : sheet.name, { place: { sheet: sheet.name } });
		const isRead = addSheet(office, workbook, sheet, outline, budget);
		if (!isRead) office.remarks.push({ code: "SHEET_MISSING", message: `the sheet ${sheet.name} could not be read`, place: { sheet: sheet.name } });
		addComments(office, sheet, outline);
		report({ done: index + 1, total: workbook.sheets.length, unit: "sheet" });
	}
	const isBlank = outline.blocks.every(({ kind }) => kind === "heading");
	if (isBlank) throw office.remarks.length > 0 ? fail("FILE_BROKEN", "none of its sheets could be read") : fail("CONTENT_EMPTY");
	const { title, description, language } = readProperties(office);
	const members = embeddedFiles(office);
	return { extraction: completeExtraction({ blocks: outline.blocks, titles: [title], description, language, type: "text" }), remarks: office.remarks, members };
};
export default engine;
