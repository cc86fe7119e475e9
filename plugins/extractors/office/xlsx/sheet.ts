/** Reads one sheet: its cells as they are shown, and its charts and boxes where they stand. */

import { fail, limits } from "cairn";
import type { Outline } from "../../outline.ts";
import { attributeOf, elementAt, elementsOf, numberOf, textOf, type XmlElement } from "../../xml-element.ts";
import { columnOf, columnsMax, fillGrid, type GridRow, type Range, rangeOf, rowsMax } from "../grid.ts";
import type { OfficePackage } from "../package.ts";
import { addSheetTables } from "../sheet-tables.ts";
import { drawingsOf } from "./beside-cells.ts";
import { richText, type SheetEntry, unescaped, type Workbook } from "./workbook.ts";

const sheetElements = new Set(["row", "mergeCell"]);

/** What has been read so far of all sheets, so that a bomb ends early. */
export interface Budget {
	rows: number;
	characters: number;
}

/** @throws OUTPUT_TOO_LARGE. @returns whether the sheet could be read. */
export function addSheet(office: OfficePackage, workbook: Workbook, sheet: SheetEntry, outline: Outline, budget: Budget): boolean {
	const rows: GridRow[] = [];
	const merged: Range[] = [];
	let last = 0;
	const isThere = office.stream(sheet.path, sheetElements, (element) => {
		if (element.name === "mergeCell") {
			const range = rangeOf(attributeOf(element, "ref"));
			if (range !== null) merged.push(range);
			return;
		}
		const written = numberOf(element, "r", last + 1);
		last = written >= 1 && written <= rowsMax ? written : last + 1;
		const cells = cellsOf(element, workbook);
		if (cells.size === 0) return;
		rows.push({ number: last, cells });
		spend(cells, budget);
	});
	addSheetTables(fillGrid(rows, merged), sheet.name, outline, drawingsOf(office, sheet, outline));
	return isThere;
}

function spend(cells: ReadonlyMap<number, string>, budget: Budget): void {
	budget.rows++;
	for (const text of cells.values()) budget.characters += text.length;
	if (budget.rows > limits.blocksMax) throw fail("OUTPUT_TOO_LARGE", `${limits.blocksMax} rows`);
	if (budget.characters > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
}

function cellsOf(row: XmlElement, workbook: Workbook): ReadonlyMap<number, string> {
	const cells = new Map<number, string>();
	let column = -1;
	for (const cell of elementsOf(row, "c")) {
		column = columnOf(attributeOf(cell, "r")) ?? column + 1;
		if (column >= columnsMax) break;
		const text = cellText(cell, workbook);
		if (text.trim() !== "") cells.set(column, text);
	}
	return cells;
}

/** What is shown: a formula shows what it came to when the file was saved, and itself when it never came to anything. */
function cellText(cell: XmlElement, { strings, formatOf, is1904 }: Workbook): string {
	const type = attributeOf(cell, "t") ?? "n";
	if (type === "inlineStr") return richText(elementAt(cell, "is"));
	const value = elementAt(cell, "v");
	const written = textOf(value);
	if (written === "") {
		const formula = textOf(elementAt(cell, "f"));
		return formula === "" || value !== null ? "" : `=${formula}`;
	}
	if (type === "s") return strings[Number(written)] ?? "";
	if (type === "str") return unescaped(written);
	if (type === "b") return written.trim() === "1" ? "TRUE" : "FALSE";
	if (type === "d") return written.replace("T", " ").replace(/ 00:00:00(?:\.0+)?Z?$/, "");
	const number = type === "n" ? Number(written) : Number.NaN;
	return Number.isFinite(number) ? formatOf(numberOf(cell, "s", 0))(number, is1904) : written;
}
