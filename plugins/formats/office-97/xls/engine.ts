/** Reads Excel workbooks from before 2007: every sheet with its tables, comments and text boxes. Runs in the sandbox. */

import { type Engine, fail, limits, ServiceError, type Warning } from "cairn-memory";
import { createExtractionWriter } from "cairn-memory/words";
import type { BytesInput, PackedSandboxResult } from "../../blocks/content.ts";
import { createLongOutline, type Outline } from "../../blocks/outline.ts";
import { openLegacyFile, withDamageErrors } from "../../cfb/legacy-file.ts";
import { packedFiles } from "../../ooxml/embedded-files.ts";
import { createRowMaker, fillGrid } from "../../sheets/grid.ts";
import { addSheetTables } from "../../sheets/sheet-tables.ts";
import { readCells } from "./cells.ts";
import { readWorkbook, type XlsSheet, type XlsWorkbook } from "./workbook.ts";

const engine: Engine<BytesInput, PackedSandboxResult> = async ({ bytes }, report) => {
	const file = openLegacyFile(bytes);
	const stream = file.stream("Workbook", "Book");
	if (stream === null) throw fail("FILE_BROKEN", "it has no stream Workbook");
	const workbook = withDamageErrors(() => readWorkbook(stream));
	if (workbook.sheets.length === 0) throw fail("FILE_BROKEN", "it lists no sheets");
	const writer = createExtractionWriter();
	const outline = createLongOutline(writer);
	const warnings: Warning[] = [];
	const spend = createCharacterBudget();
	const readSheets = new Set<number>();
	for (const [index, sheet] of workbook.sheets.entries()) {
		if (readSheets.has(sheet.start)) continue; // a sheet is read once, however often it is listed
		readSheets.add(sheet.start);
		const place = { sheet: sheet.name };
		outline.heading(1, sheet.isHidden ? `${sheet.name} (hidden sheet)` : sheet.name, { place });
		try {
			withDamageErrors(() => addSheet(stream, sheet, workbook, outline, spend));
		} catch (thrown) {
			if (!(thrown instanceof ServiceError) || thrown.code !== "FILE_BROKEN") throw thrown;
			warnings.push({ code: "SHEET_MISSING", message: `the sheet ${sheet.name} could not be read`, place });
		}
		report({ done: index + 1, total: workbook.sheets.length, unit: "sheet" });
	}
	const isBlank = outline.blocks.every(({ kind }) => kind === "heading");
	if (isBlank) throw warnings.length > 0 ? fail("FILE_BROKEN", "none of its sheets could be read") : fail("CONTENT_EMPTY");
	const { title, description, language } = file.properties;
	const attachments = packedFiles(new Map([...file.root.storages].filter(([name]) => name.startsWith("MBD"))));
	const extraction = writer.complete({ titles: [title], description, language, type: "text" });
	return { extraction, warnings: [...writer.warnings(), ...warnings], attachments };
};
export default engine;

function addSheet(stream: Buffer, sheet: XlsSheet, workbook: XlsWorkbook, outline: Outline, spend: (characters: number) => void): void {
	const { rows, merged, comments, boxes } = readCells(stream, sheet, workbook, spend);
	const makeRow = createRowMaker();
	const grid = [...rows].map(([number, cells]) => makeRow(number, cells));
	addSheetTables(fillGrid(grid, merged), sheet.name, outline);
	for (const text of boxes) outline.paragraph(text, { place: { sheet: sheet.name } });
	for (const { cell, author, text } of comments) {
		if (text === "") continue;
		// Excel begins most comments with the author's name, which is then not repeated.
		const namesAuthor = author === "" || text.startsWith(`${author}:`);
		outline.paragraph(namesAuthor ? `Comment on ${cell}: ${text}` : `Comment on ${cell} by ${author}: ${text}`, { place: { sheet: sheet.name } });
	}
}

/** Limits the characters of all cells together, since a small file may repeat texts endlessly. @throws OUTPUT_TOO_LARGE */
function createCharacterBudget(): (characters: number) => void {
	let charactersLeft = limits.extractedCharactersMax;
	return (characters) => {
		charactersLeft -= characters;
		if (charactersLeft < 0) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	};
}
