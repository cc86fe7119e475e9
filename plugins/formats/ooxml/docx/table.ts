/** A Word table → rows: merged cells are repeated in every cell they cover, deleted rows are left out, layout tables become text. */

import { hasNamedQuantities, looksLikeHeader } from "../../blocks/looks-like-header.ts";
import { attributeOf, elementAt, elementsOf, valueAt, type XmlElement } from "../../xml/xml-element.ts";
import { wholeNumber } from "./styles.ts";

/** Word allows 63 columns. */
const columnsMax = 256;

interface Row {
	readonly cells: readonly string[];
	readonly isHeader: boolean;
}

export interface WordTable {
	readonly header: readonly string[];
	readonly rows: readonly { readonly cells: readonly string[] }[];
}

/** The only cell of the table, which then is just a frame around text; else null. */
export function onlyCell(table: XmlElement): XmlElement | null {
	const rows = rowsOf(table);
	const [first] = rows;
	const cells = first === undefined || rows.length > 1 ? [] : cellsOf(first);
	return cells.length === 1 ? (cells[0] ?? null) : null;
}

/** @param textIn returns the text of a cell's elements. */
export function readTable(table: XmlElement, textIn: (cell: XmlElement) => string): WordTable {
	const filled = fill(rowsOf(table), textIn);
	const count = headerCount(table, filled);
	return { header: joinHeaders(filled.slice(0, count).map(({ cells }) => cells)), rows: filled.slice(count) };
}

function rowsOf(element: XmlElement): readonly XmlElement[] {
	return elementsOf(element).flatMap((child) => {
		if (child.name === "tr") return elementAt(child, "trPr", "del") === null ? [child] : [];
		return ["sdt", "sdtContent", "ins", "moveTo", "customXml"].includes(child.name) ? rowsOf(child) : [];
	});
}

function cellsOf(row: XmlElement): readonly XmlElement[] {
	return elementsOf(row).flatMap((child) => {
		if (child.name === "tc") return [child];
		return ["sdt", "sdtContent", "ins", "customXml"].includes(child.name) ? cellsOf(child) : [];
	});
}

function fill(rows: readonly XmlElement[], textIn: (cell: XmlElement) => string): readonly Row[] {
	let above: readonly string[] = [];
	return rows.map((row) => {
		const format = elementAt(row, "trPr");
		const cells: string[] = Array.from({ length: Math.min(wholeNumber(valueAt(format, "gridBefore")) ?? 0, columnsMax) }, () => "");
		for (const cell of cellsOf(row)) {
			const merge = elementAt(cell, "tcPr", "vMerge");
			const goesOn = merge !== null && attributeOf(merge, "val") !== "restart";
			const text = goesOn ? (above[cells.length] ?? "") : textIn(cell);
			const width = Math.max(1, wholeNumber(valueAt(cell, "tcPr", "gridSpan")) ?? 1);
			for (let column = 0; column < width && cells.length < columnsMax; column++) cells.push(text);
		}
		above = cells;
		const mark = elementAt(format, "tblHeader");
		return { cells, isHeader: mark !== null && !/^(?:0|false|off)$/.test(attributeOf(mark, "val") ?? "1") };
	});
}

/** Rows marked as header rows; else a first row with header formatting that looks like a header; else one above quantities. */
function headerCount(table: XmlElement, rows: readonly Row[]): number {
	const marked = rows.findIndex(({ isHeader }) => !isHeader);
	if (marked > 0) return marked;
	const texts = rows.map(({ cells }) => cells);
	if (hasNamedQuantities(texts)) return 1;
	const first = texts[0] ?? [];
	const namesAll = first.length > 1 && first.every((cell) => cell !== "" && cell.length <= 60 && !cell.includes("\n"));
	return isFirstRowShown(table) && namesAll && looksLikeHeader(texts) ? 1 : 0;
}

/** Reads `tblLook`: attributes or, in older files, bits of one number. */
function isFirstRowShown(table: XmlElement): boolean {
	const look = elementAt(table, "tblPr", "tblLook");
	const flag = attributeOf(look, "firstRow");
	if (flag !== null) return flag === "1" || flag === "true";
	return (Number.parseInt(attributeOf(look, "val") ?? "0", 16) & 0x20) !== 0;
}

/** Several header rows become one: `2024` above `Sales` is `2024 Sales`. */
function joinHeaders(rows: readonly (readonly string[])[]): readonly string[] {
	const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
	return Array.from({ length: width }, (_, column) =>
		[...new Set(rows.map((row) => (row[column] ?? "").replace(/\s+/g, " ").trim()).filter((name) => name !== ""))].join(" "),
	);
}
