/** Reads one sheet: its cells as displayed, with charts and text boxes at their rows. */

import type { Outline } from "../../blocks/outline.ts";
import { columnOf, columnsMax, createRowMaker, fillGrid, type GridRow, type Range, rangeOf, rowsMax } from "../../sheets/grid.ts";
import { addSheetTables } from "../../sheets/sheet-tables.ts";
import { attributeOf, elementByPath, elementsOf, numberOf, textOf, type XmlElement } from "../../xml/xml-element.ts";
import type { OfficePackage } from "../package.ts";
import type { SheetBudget } from "../sheet-budget.ts";
import { drawingsOf } from "./beside-cells.ts";
import { richText, type SheetEntry, unescaped, type Workbook } from "./workbook.ts";

const sheetElements = new Set(["row", "mergeCell"]);

/** @returns whether the sheet could be read. */
export function addSheet(office: OfficePackage, workbook: Workbook, sheet: SheetEntry, outline: Outline, budget: SheetBudget): boolean {
	const rows: GridRow[] = [];
	const merged: Range[] = [];
	const makeRow = createRowMaker();
	let lastRow = 0;
	const visit = (element: XmlElement): boolean => {
		if (element.name === "mergeCell") {
			const range = rangeOf(attributeOf(element, "ref"));
			if (range !== null) merged.push(range);
			return true;
		}
		const declared = numberOf(element, "r", lastRow + 1);
		lastRow = declared >= 1 && declared <= rowsMax ? declared : lastRow + 1;
		const cells = cellsOf(element, workbook);
		if (cells.size === 0) return true;
		rows.push(makeRow(lastRow, cells));
		return budget.spend(cells);
	};
	const enter = (element: XmlElement) => {
		if (element.name === "dimension") budget.expectRows(rangeOf(attributeOf(element, "ref"))?.bottom ?? 0);
	};
	const exists = office.stream(sheet.path, sheetElements, visit, enter);
	addSheetTables(fillGrid(rows, merged), sheet.name, outline, drawingsOf(office, sheet, outline));
	return exists;
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

/** The displayed text. A formula shows its stored result, or its own text when it was never computed. */
function cellText(cell: XmlElement, { strings, formatOf, is1904 }: Workbook): string {
	const type = attributeOf(cell, "t") ?? "n";
	if (type === "inlineStr") return richText(elementByPath(cell, "is"));
	const value = elementByPath(cell, "v");
	const raw = textOf(value);
	if (raw === "") {
		const formula = textOf(elementByPath(cell, "f"));
		return formula === "" || value !== null ? "" : `=${formula}`;
	}
	if (type === "s") return strings[Number(raw)] ?? "";
	if (type === "str") return unescaped(raw);
	if (type === "b") return raw.trim() === "1" ? "TRUE" : "FALSE";
	if (type === "d") return raw.replace("T", " ").replace(/ 00:00:00(?:\.0+)?Z?$/, "");
	const number = type === "n" ? Number(raw) : Number.NaN;
	return Number.isFinite(number) ? formatOf(numberOf(cell, "s", 0))(number, is1904) : raw;
}
