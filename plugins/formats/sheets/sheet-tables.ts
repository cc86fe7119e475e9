/** Adds the cells of a sheet as tables, each with its title and header. */

import type { Place } from "cairn-memory";
import { hasNamedQuantities, looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { Outline, TableRow } from "../blocks/outline.ts";
import { type GridRow, textsOf } from "./grid.ts";
import { cellsIn, type Region, regionsOf } from "./regions.ts";

/** A possible header, and as many rows as are enough to see the type of a column. */
const inspectedRowsMax = 51;

/** An object on a sheet: a chart, a picture, a text box. */
export interface SheetObject {
	/** The row it is anchored at, from 1. */
	readonly row: number;
	readonly add: () => void;
}

/**
 * Row numbers of blocks must not decrease. If tables stand side by side, the second one begins above the end of the first, so its
 * blocks get no row number. Objects are added between tables.
 */
export function addSheetTables(rows: readonly GridRow[], sheet: string, outline: Outline, objects: readonly SheetObject[] = []): void {
	const pendingObjects = objects.toSorted((one, other) => one.row - other.row);
	let lastRow = 0;
	for (const region of joinSeparateHeaders(regionsOf(rows))) {
		const first = region.rows[0]?.number ?? 0;
		while ((pendingObjects[0]?.row ?? first) < first) pendingObjects.shift()?.add();
		const isBelow = first >= lastRow;
		const placeOf = (number: number): Place => (isBelow ? { sheet, row: number } : { sheet });
		addRegion(region, placeOf, outline);
		lastRow = Math.max(lastRow, region.rows.at(-1)?.number ?? 0);
	}
	for (const object of pendingObjects) object.add();
}

/** Joins a header that a blank row separates from its table: a single row above a table with the same columns and no header. */
function joinSeparateHeaders(regions: readonly Region[]): readonly Region[] {
	const joined: Region[] = [];
	for (const region of regions) {
		const above = joined.at(-1);
		const [headerRow] = above?.rows ?? [];
		const mayBeHeader = above !== undefined && above.rows.length === 1 && above.columns.length > 1 && headerRow?.columns.length === above.columns.length;
		const hasNoHeader = !looksLikeHeader(topOf(region));
		if (mayBeHeader && hasNoHeader && above.columns.join() === region.columns.join())
			joined[joined.length - 1] = { ...above, rows: [...above.rows, ...region.rows] };
		else joined.push(region);
	}
	return joined;
}

/** The first rows, by which a header is detected. */
function topOf(region: Region, from = 0): readonly (readonly string[])[] {
	return region.rows.slice(from, from + inspectedRowsMax).map((row) => cellsIn(region, row));
}

function addRegion(region: Region, placeOf: (row: number) => Place, outline: Outline): void {
	const { rows } = region;
	let start = 0;
	// Rows at the top with a single text are the title of the table.
	for (; start < rows.length; start++) {
		const row = rows[start];
		const title = row === undefined ? null : onlyText(row);
		if (row === undefined || title === null || (rows.length > 1 && region.columns.length === 1)) break;
		outline.paragraph(title, { place: placeOf(row.number) });
	}
	if (start === rows.length) return;
	const top = topOf(region, start);
	const hasHeader = (top[0]?.length ?? 0) > 1 ? looksLikeHeader(top) : hasNamedQuantities(top);
	const header = hasHeader ? (top[0] ?? []).map((cell) => cell.replace(/\s+/g, " ").trim()) : [];
	outline.table(header, tableRows(region, hasHeader ? start + 1 : start, placeOf));
}

function* tableRows(region: Region, from: number, placeOf: (row: number) => Place): Generator<TableRow> {
	for (let index = from; index < region.rows.length; index++) {
		const row = region.rows[index];
		if (row !== undefined) yield { cells: cellsIn(region, row), place: placeOf(row.number) };
	}
}

/** The only text of a row, in one cell or in merged ones; otherwise null. A row with equal texts in separate cells is data. */
function onlyText(row: GridRow): string | null {
	const texts = textsOf(row);
	const [text] = texts;
	const mayBeHeader = texts.length === 1 || (row.isMerged === true && new Set(texts).size === 1);
	return mayBeHeader && text !== undefined ? text : null;
}
