/** The sheets of an OpenDocument spreadsheet, streamed row by row. */

import { fail, limits, type Progress } from "cairn-memory";
import { columnsMax, createRowMaker, fillGrid, type GridRow, type Range, type RowMaker, rowsMax } from "../sheets/grid.ts";
import { formatStoredNumber } from "../sheets/number-format.ts";
import { addSheetTables } from "../sheets/sheet-tables.ts";
import { attributeOf, elementsOf, numberOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { addElements, type OdfContext } from "./body.ts";
import { commentText } from "./inline.ts";
import { styleElements } from "./styles.ts";
import { repeats } from "./table.ts";

interface Sheet {
	readonly name: string;
	readonly rows: GridRow[];
	readonly make: RowMaker;
	readonly merged: Range[];
	readonly comments: string[];
	readonly shapes: XmlElement[];
	/** The number of the next row, from 1. */
	next: number;
}

/** The number of rows is only known at the end. */
const reportEvery = 1_000;
const wanted = new Set(["table-row", "shapes", ...styleElements]);

export function addSheets(context: OdfContext, report: (progress: Progress) => void): void {
	let sheet: Sheet | null = null;
	let count = 0;
	let characters = 0;
	let rows = 0;
	const close = () => {
		if (sheet !== null) addSheet(sheet, context);
		sheet = null;
	};
	const enter = (element: XmlElement) => {
		if (element.name !== "table") return;
		close();
		const name = attributeOf(element, "name") ?? "";
		sheet = { name, rows: [], make: createRowMaker(), merged: [], comments: [], shapes: [], next: 1 };
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
	context.office.stream("content.xml", wanted, visit, enter);
	close();
}

function addRow(row: XmlElement, sheet: Sheet): number {
	const cells = new Map<number, string>();
	let column = 0;
	let characters = 0;
	for (const cell of elementsOf(row, "table-cell", "covered-table-cell")) {
		const text = cell.name === "table-cell" ? cellText(cell).trim() : "";
		if (text !== "") {
			for (let copy = repeats(cell, "number-columns-repeated"); copy > 0; copy--) cells.set(column + copy - 1, text);
			characters += (text.length + 1) * repeats(cell, "number-columns-repeated");
			noteMerged(cell, sheet, column);
		}
		for (const comment of topmostDescendants(cell, "annotation")) sheet.comments.push(commentText(comment));
		column += Math.max(1, numberOf(cell, "number-columns-repeated", 1));
		if (column >= columnsMax) break;
	}
	const times = Math.max(1, numberOf(row, "number-rows-repeated", 1));
	const copies = repeats(row, "number-rows-repeated");
	if (cells.size > 0) for (let copy = 0; copy < copies; copy++) sheet.rows.push(sheet.make(sheet.next + copy, cells));
	sheet.next = Math.min(sheet.next + times, rowsMax);
	return characters * copies;
}

/** The displayed text; where a program left it out, the value. */
function cellText(cell: XmlElement): string {
	const lines = elementsOf(cell, "p").map((line) => lineText(line));
	if (lines.length > 0) return lines.join("\n").trim();
	const words = ["string-value", "date-value", "time-value", "boolean-value"].map((name) => attributeOf(cell, name)).find((value) => value !== null);
	return words ?? formatStoredNumber(attributeOf(cell, "value") ?? "");
}

function lineText(line: XmlElement): string {
	return line.children.map((child) => (typeof child === "string" ? child : inlineText(child))).join("");
}

function inlineText(element: XmlElement): string {
	if (element.name === "s") return " ";
	if (element.name === "line-break") return "\n";
	return element.name === "annotation" ? "" : lineText(element);
}

function noteMerged(cell: XmlElement, sheet: Sheet, left: number): void {
	const across = numberOf(cell, "number-columns-spanned", 1);
	const down = numberOf(cell, "number-rows-spanned", 1);
	if (across <= 1 && down <= 1) return;
	sheet.merged.push({ top: sheet.next, left, bottom: Math.min(sheet.next + down - 1, rowsMax), right: Math.min(left + across, columnsMax) - 1 });
}

function addSheet(sheet: Sheet, context: OdfContext): void {
	const place = { sheet: sheet.name };
	addSheetTables(fillGrid(sheet.rows, sheet.merged), sheet.name, context.outline);
	for (const shapes of sheet.shapes) addElements(elementsOf(shapes), { ...context, place });
	for (const comment of sheet.comments) context.outline.paragraph(comment, { place });
}
