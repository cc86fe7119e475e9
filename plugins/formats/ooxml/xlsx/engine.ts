/** Reads workbooks: sheet after sheet, each cell as it is shown. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { createExtractionWriter } from "cairn-memory/words";
import type { BytesInput, PackedSandboxResult } from "../../blocks/content.ts";
import { createLongOutline } from "../../blocks/outline.ts";
import { embeddedFiles } from "../embedded-files.ts";
import { mainPart, openPackage, readProperties } from "../package.ts";
import { createBudget } from "../sheet-budget.ts";
import { addComments } from "./beside-cells.ts";
import { addSheet } from "./sheet.ts";
import { readWorkbook } from "./workbook.ts";

const engine: Engine<BytesInput, PackedSandboxResult> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	const workbook = readWorkbook(office, mainPart(office, "xl/workbook.xml"));
	if (workbook.sheets.length === 0) throw fail("FILE_BROKEN", "it lists no sheets");
	const writer = createExtractionWriter();
	const budget = createBudget(report);
	const outline = createLongOutline({
		add: writer.add,
		addRow(row) {
			writer.addRow(row);
			budget.rowWritten();
		},
	});
	const readSheets = new Set<string>();
	for (const [index, sheet] of workbook.sheets.entries()) {
		if (readSheets.has(sheet.path)) continue; // a sheet is read once, however often it is listed
		readSheets.add(sheet.path);
		outline.heading(1, sheet.isHidden ? `${sheet.name} (hidden sheet)` : sheet.name, { place: { sheet: sheet.name } });
		const isRead = addSheet(office, workbook, sheet, outline, budget);
		if (!isRead) office.warnings.push({ code: "SHEET_MISSING", message: `the sheet ${sheet.name} could not be read`, place: { sheet: sheet.name } });
		addComments(office, sheet, outline);
		if (budget.isSpent()) writer.leaveOut();
		if (writer.isFull()) break;
		budget.reportSheet(index + 1, workbook.sheets.length);
	}
	const isBlank = outline.blocks.every(({ kind }) => kind === "heading");
	if (isBlank) throw office.warnings.length > 0 ? fail("FILE_BROKEN", "none of its sheets could be read") : fail("CONTENT_EMPTY");
	const { title, description, language } = readProperties(office);
	const attachments = embeddedFiles(office);
	const extraction = writer.complete({ titles: [title], description, language, type: "text" });
	return { extraction, warnings: [...writer.warnings(), ...office.warnings], attachments };
};
export default engine;
