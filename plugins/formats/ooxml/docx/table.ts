/** Converts a Word table to rows. Merged cells are repeated in every cell they cover; deleted rows are left out. */

import { hasNamedQuantities, hasOnlyNames, joinHeaders, looksLikeHeader } from "../../blocks/looks-like-header.ts";
import { attributeOf, elementByPath, elementsOf, valueByPath, type XmlElement } from "../../xml/xml-element.ts";
import { wholeNumber } from "./styles.ts";

/** Word itself allows 63 columns. */
const columnsMax = 256;

interface Row {
	readonly cells: readonly string[];
	readonly isHeader: boolean;
}

export interface WordTable {
	readonly header: readonly string[];
	readonly rows: readonly { readonly cells: readonly string[] }[];
}

/** The only cell of a table that has one, which is then just a frame around text; otherwise null. */
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
		if (child.name === "tr") return elementByPath(child, "trPr", "del") === null ? [child] : [];
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
		const format = elementByPath(row, "trPr");
		const cells: string[] = Array.from({ length: Math.min(wholeNumber(valueByPath(format, "gridBefore")) ?? 0, columnsMax) }, () => "");
		for (const cell of cellsOf(row)) {
			const merge = elementByPath(cell, "tcPr", "vMerge");
			const continuesMerge = merge !== null && attributeOf(merge, "val") !== "restart";
			const text = continuesMerge ? (above[cells.length] ?? "") : textIn(cell);
			const width = Math.max(1, wholeNumber(valueByPath(cell, "tcPr", "gridSpan")) ?? 1);
			for (let column = 0; column < width && cells.length < columnsMax; column++) cells.push(text);
		}
		above = cells;
		const headerMark = elementByPath(format, "tblHeader");
		return { cells, isHeader: headerMark !== null && !/^(?:0|false|off)$/.test(attributeOf(headerMark, "val") ?? "1") };
	});
}

/** The number of header rows: those marked as such; otherwise 1 if the first row names quantities, or is formatted and looks like a header. */
function headerCount(table: XmlElement, rows: readonly Row[]): number {
	const markedRows = rows.findIndex(({ isHeader }) => !isHeader);
	if (markedRows > 0) return markedRows;
	const texts = rows.map(({ cells }) => cells);
	if (hasNamedQuantities(texts)) return 1;
	const first = texts[0] ?? [];
	return highlightsFirstRow(table) && hasOnlyNames(first) && looksLikeHeader(texts) ? 1 : 0;
}

/** Whether the table style formats the first row, according to `tblLook`: an attribute or, in older files, a bit of a number. */
function highlightsFirstRow(table: XmlElement): boolean {
	const tableLook = elementByPath(table, "tblPr", "tblLook");
	const flag = attributeOf(tableLook, "firstRow");
	if (flag !== null) return flag === "1" || flag === "true";
	return (Number.parseInt(attributeOf(tableLook, "val") ?? "0", 16) & 0x20) !== 0;
}
