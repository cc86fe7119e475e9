/** Reads the sheets of an OpenDocument spreadsheet, streamed row by row. */

import { fail, limits, type Progress } from "cairn-memory";
import { columnsMax, createRowMaker, fillGrid, type GridRow, type Range, type RowMaker, rowsMax } from "../sheets/grid.ts";
import { formatStoredNumber } from "../sheets/number-format.ts";
import { addSheetTables } from "../sheets/sheet-tables.ts";
import { attributeOf, elementsOf, numberOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { addElements, type OdfContext } from "./body.ts";
import { commentText } from "./inline.ts";
import { styleElements } from "./styles.ts";
import { repeatCount } from "./table.ts";

interface Sheet {
	readonly name: string;
	readonly rows: GridRow[];
	readonly makeRow: RowMaker;
	readonly merged: Range[];
	readonly comments: string[];
	readonly shapes: XmlElement[];
	/** The number of the next row, from 1. */
	nextRow: number;
}

/** Progress is reported after this many rows. */
const reportEvery = 1_000;
const streamedElements = new Set(["table-row", "shapes", ...styleElements]);

export function addSheets(context: OdfContext, report: (progress: Progress) => void): void {
	let sheet: Sheet | null = null;
	let count = 0;
	let characters = 0;
	let rows = 0;
	const endSheet = () => {
		if (sheet !== null) addSheet(sheet, context);
		sheet = null;
	};
	const enter = (element: XmlElement) => {
		if (element.name !== "table") return;
		endSheet();
		const name = attributeOf(element, "name") ?? "";
		sheet = { name, rows: [], makeRow: createRowMaker(), merged: [], comments: [], shapes: [], nextRow: 1 };
		const isHidden = context.styles.isHidden(attributeOf(element, "style-name"));
		context.outline.heading(1, isHidden ? `${name} (hidden sheet)` : name, { place: { sheet: name } });
		count++;
		report({ done: count, total: count, unit: "sheet" }); // the total is only known at the end
	};
	const visit = (element: XmlElement) => {
		if (element.name === "shapes") sheet?.shapes.push(element);
		else if (element.name !== "table-row") context.styles.add(element);
		else if (sheet !== null) {
			characters += addRow(element, sheet);
			if (++rows % reportEvery === 0) report({ done: rows, total: rows, unit: "row" });
		}
		if (characters > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	};
	context.office.stream("content.xml", streamedElements, visit, enter);
	endSheet();
}

function addRow(row: XmlElement, sheet: Sheet): number {
	const cells = new Map<number, string>();
	let column = 0;
	let characters = 0;
	for (const cell of elementsOf(row, "table-cell", "covered-table-cell")) {
		const text = cell.name === "table-cell" ? cellText(cell).trim() : "";
		if (text !== "") {
			for (let copy = repeatCount(cell, "number-columns-repeated"); copy > 0; copy--) cells.set(column + copy - 1, text);
			characters += (text.length + 1) * repeatCount(cell, "number-columns-repeated");
			addMergedRange(cell, sheet, column);
		}
		for (const comment of topmostDescendants(cell, "annotation")) sheet.comments.push(commentText(comment));
		column += Math.max(1, numberOf(cell, "number-columns-repeated", 1));
		if (column >= columnsMax) break;
	}
	const rowRepeats = Math.max(1, numberOf(row, "number-rows-repeated", 1));
	const copies = repeatCount(row, "number-rows-repeated");
	if (cells.size > 0) for (let copy = 0; copy < copies; copy++) sheet.rows.push(sheet.makeRow(sheet.nextRow + copy, cells));
	sheet.nextRow = Math.min(sheet.nextRow + rowRepeats, rowsMax);
	return characters * copies;
}

/** The displayed text of a cell; its value if the program did not store the text. */
function cellText(cell: XmlElement): string {
	const lines = elementsOf(cell, "p").map((line) => lineText(line));
	if (lines.length > 0) return lines.join("\n").trim();
	const storedValue = ["string-value", "date-value", "time-value", "boolean-value"].map((name) => attributeOf(cell, name)).find((value) => value !== null);
	return storedValue ?? formatStoredNumber(attributeOf(cell, "value") ?? "");
}

function lineText(line: XmlElement): string {
	return line.children.map((child) => (typeof child === "string" ? child : inlineText(child))).join("");
}

function inlineText(element: XmlElement): string {
	if (element.name === "s") return " ";
	if (element.name === "line-break") return "\n";
	return element.name === "annotation" ? "" : lineText(element);
}

function addMergedRange(cell: XmlElement, sheet: Sheet, left: number): void {
	const across = numberOf(cell, "number-columns-spanned", 1);
	const down = numberOf(cell, "number-rows-spanned", 1);
	if (across <= 1 && down <= 1) return;
	sheet.merged.push({ top: sheet.nextRow, left, bottom: Math.min(sheet.nextRow + down - 1, rowsMax), right: Math.min(left + across, columnsMax) - 1 });
}

function addSheet(sheet: Sheet, context: OdfContext): void {
	const place = { sheet: sheet.name };
	addSheetTables(fillGrid(sheet.rows, sheet.merged), sheet.name, context.outline);
	for (const shapes of sheet.shapes) addElements(elementsOf(shapes), { ...context, place });
	for (const comment of sheet.comments) context.outline.paragraph(comment, { place });
}
