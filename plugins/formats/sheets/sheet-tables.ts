/** Adds the cells of a sheet as tables, each with its title and header. */

import type { Place } from "cairn-memory";
import { hasNamedQuantities, looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { Outline, TableRow } from "../blocks/outline.ts";
import { type GridRow, textsOf } from "./grid.ts";
import { cellsIn, type Region, regionsOf } from "./regions.ts";

/** A possible header, and so many rows as are enough to see the type of a column. */
const inspectedRowsMax = 51;

/** An object on a sheet: a chart, a picture, a text box. */
export interface Aside {
	/** The row it is anchored at, from 1. */
	readonly row: number;
	readonly write: () => void;
}

/** Of tables side by side the second begins above the end of the first, but row numbers of blocks never decrease. Objects go between tables. */
export function addSheetTables(rows: readonly GridRow[], sheet: string, outline: Outline, asides: readonly Aside[] = []): void {
	const waiting = asides.toSorted((one, other) => one.row - other.row);
	let reached = 0;
	for (const region of withNamesAbove(regionsOf(rows))) {
		const first = region.rows[0]?.number ?? 0;
		while ((waiting[0]?.row ?? first) < first) waiting.shift()?.write();
		const isBelow = first >= reached;
		const placeOf = (number: number): Place => (isBelow ? { sheet, row: number } : { sheet });
		addRegion(region, placeOf, outline);
		reached = Math.max(reached, region.rows.at(-1)?.number ?? 0);
	}
	for (const aside of waiting) aside.write();
}

/** Joins a header that is separated from its table: a single row above a table of the same width without a header. */
function withNamesAbove(regions: readonly Region[]): readonly Region[] {
	const united: Region[] = [];
	for (const region of regions) {
		const above = united.at(-1);
		const [names] = above?.rows ?? [];
		const isAlone = above !== undefined && above.rows.length === 1 && above.columns.length > 1 && names?.columns.length === above.columns.length;
		const isNameless = !looksLikeHeader(topOf(region));
		if (isAlone && isNameless && above.columns.join() === region.columns.join())
			united[united.length - 1] = { ...above, rows: [...above.rows, ...region.rows] };
		else united.push(region);
	}
	return united;
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
	const isNamed = (top[0]?.length ?? 0) > 1 ? looksLikeHeader(top) : hasNamedQuantities(top);
	const header = isNamed ? (top[0] ?? []).map((cell) => cell.replace(/\s+/g, " ").trim()) : [];
	outline.table(header, tableRows(region, isNamed ? start + 1 : start, placeOf));
}

function* tableRows(region: Region, from: number, placeOf: (row: number) => Place): Generator<TableRow> {
	for (let index = from; index < region.rows.length; index++) {
		const row = region.rows[index];
		if (row !== undefined) yield { cells: cellsIn(region, row), place: placeOf(row.number) };
	}
}

/** The only text of a row, in one cell or in merged ones. A row with equal numbers in all cells is data. */
function onlyText(row: GridRow): string | null {
	const said = textsOf(row);
	const [only] = said;
	const isAlone = said.length === 1 || (row.isMerged === true && new Set(said).size === 1);
	return isAlone && only !== undefined ? only : null;
}
