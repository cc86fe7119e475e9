/** Converts an HTML table to a grid. Merged cells are repeated in every cell they cover. */

import type { Element } from "hast";
import { hasNamedQuantities } from "../blocks/looks-like-header.ts";
import { inlineOf } from "./html-inline.ts";
import { attribute, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";

export interface Grid {
	readonly header: readonly string[];
	readonly rows: readonly (readonly string[])[];
}

/** Larger spans are mistakes or attacks. Browsers have similar limits. */
const columnSpanMax = 200;
const rowSpanMax = 2_000;
const columnsMax = 1_000;

/** A cell with a nested table and more characters than this is a part of the page layout. */
const cellCharactersMax = 500;

/** Whether a table is only used for layout: it has nested tables and no header, one cell in each row, or code in its only row. */
export function isLayoutTable(table: Element): boolean {
	const role = attribute(table, "role");
	if (role === "presentation" || role === "none") return true;
	if (findAll(table.children, "table").length > 0 && !isTableOfTables(table)) return true;
	const rows = rowsOf(table);
	if (rows.length === 1 && findAll(table.children, "pre").length > 0) return true;
	return rows.every((row) => cellsOf(row).length <= 1);
}

/** Whether it is a data table whose cells contain small tables: it has headers, or the same number of cells in each row. */
function isTableOfTables(table: Element): boolean {
	const rows = rowsOf(table).map(cellsOf);
	const cells = rows.flat();
	const withTables = cells.filter((cell) => findAll(cell.children, "table").length > 0);
	const hasSameCellCount = rows.length > 1 && rows.every((row) => row.length > 1 && row.length === rows[0]?.length) && withTables.length <= cells.length / 3;
	const hasHeader = cells.some(({ tagName }) => tagName === "th");
	return (hasSameCellCount || hasHeader) && withTables.every((cell) => cell.tagName === "td" && wordsOf(cell.children).length <= cellCharactersMax);
}

export function gridOf(table: Element, base: string | null): Grid {
	const rows = rowsOf(table);
	const filled = fill(rows, base);
	const headerCount = countHeaderRows(table, rows) || (hasNamedQuantities(filled) ? 1 : 0);
	return { header: joinHeaders(filled.slice(0, headerCount)), rows: filled.slice(headerCount) };
}

export function captionOf(table: Element): Element | null {
	return table.children.filter(isElement).find((child) => child.tagName === "caption") ?? null;
}

/** The rows in display order: a `tfoot` may come before the body. */
export function rowsOf(table: Element): readonly Element[] {
	const children = table.children.filter(isElement);
	const inOrder = [...children.filter(({ tagName }) => tagName !== "tfoot"), ...children.filter(({ tagName }) => tagName === "tfoot")];
	return inOrder.flatMap((child) => {
		if (child.tagName === "tr") return [child];
		return isSection(child) ? child.children.filter(isElement).filter((row) => row.tagName === "tr") : [];
	});
}

export function cellsOf(row: Element): readonly Element[] {
	return row.children.filter(isElement).filter((cell) => cell.tagName === "td" || cell.tagName === "th");
}

function isSection(node: Element): boolean {
	return node.tagName === "thead" || node.tagName === "tbody" || node.tagName === "tfoot";
}

/** A cell that also covers cells of the rows below. */
interface SpannedCell {
	readonly text: string;
	rowsLeft: number;
}

function fill(rows: readonly Element[], base: string | null): readonly (readonly string[])[] {
	let above = new Map<number, SpannedCell>();
	return rows.map((row) => {
		const filled: string[] = [];
		const below = new Map<number, SpannedCell>();
		const addCell = (text: string, rowsLeft: number) => {
			if (rowsLeft > 0) below.set(filled.length, { text, rowsLeft });
			filled.push(text);
		};
		const addSpannedCells = () => {
			for (let spanned = above.get(filled.length); spanned !== undefined; spanned = above.get(filled.length)) addCell(spanned.text, spanned.rowsLeft - 1);
		};
		for (const cell of cellsOf(row)) {
			addSpannedCells();
			const text = inlineOf(cell.children as readonly Node[], base).text;
			const columns = span(cell, "colSpan", columnSpanMax);
			const rowsLeft = span(cell, "rowSpan", rowSpanMax) - 1;
			for (let column = 0; column < columns && filled.length < columnsMax; column++) addCell(text, rowsLeft);
		}
		addSpannedCells();
		above = below;
		return filled;
	});
}

function span(cell: Element, name: "colSpan" | "rowSpan", max: number): number {
	const value = Number(cell.properties[name] ?? 1);
	return Number.isInteger(value) && value > 0 ? Math.min(value, max) : 1;
}

/** The number of header rows: rows in `thead`, otherwise leading rows with only header cells. */
function countHeaderRows(table: Element, rows: readonly Element[]): number {
	const headElement = table.children.filter(isElement).find((child) => child.tagName === "thead");
	const headRows = headElement === undefined ? 0 : headElement.children.filter(isElement).filter((row) => row.tagName === "tr").length;
	if (headRows > 0) return headRows;
	const firstOther = rows.findIndex((row) => !cellsOf(row).every((cell) => cell.tagName === "th"));
	return Math.max(firstOther, 0);
}

/** Several header rows become one: `2024` above `Sales` is `2024 Sales`. */
function joinHeaders(rows: readonly (readonly string[])[]): readonly string[] {
	const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
	return Array.from({ length: width }, (_, column) => [...new Set(rows.map((row) => row[column]?.trim() ?? "").filter((name) => name !== ""))].join(" "));
}
