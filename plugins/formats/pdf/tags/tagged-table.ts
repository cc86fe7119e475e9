/** Makes the grid of a table from its tags. */

import { joinLines } from "../letters/join-lines.ts";
import type { Line } from "../page-text.ts";
import type { Grid } from "../tables/page-rows.ts";
import { type CellPlace, type CellPlaces, pathOf, type StructureTree } from "./structure-tree.ts";
import { closest, outermost, roles, type TagNode } from "./tag-node.ts";

/** Cells with more lines on average hold texts: the table is only there to place them. */
const cellLinesMax = 12;
/** A table whose merged cells would repeat more characters than this is taken for damaged. */
const repeatedCharactersMax = 100_000;

/** Null if it is no table: it has one column or one row on all pages, cells that hold whole texts, or two cells in one field. */
export function taggedTable(table: TagNode, lines: readonly Line[], tree: StructureTree): Grid | null {
	const places = tree.placesIn(table);
	if (places === null) return null;
	const all = [...places.values()];
	const columns = Math.max(0, ...all.map(({ column, columnSpan }) => column + columnSpan));
	const rowCount = Math.max(0, ...all.map(({ row, rowSpan }) => row + rowSpan));
	const linesByCell = Map.groupBy(lines, ({ element }) => cellPath(element, table));
	if (columns < 2 || rowCount < 2 || lines.length > linesByCell.size * cellLinesMax) return null;
	const edges = leftEdges(linesByCell, places, columns);
	const rows = new Map<number, { cells: string[]; lines: Line[] }>();
	const rowAt = (row: number) => {
		const found = rows.get(row) ?? { cells: Array.from({ length: columns }, () => ""), lines: [] };
		rows.set(row, found);
		return found;
	};
	const shortRows = rowsWithoutAllCells(all, columns);
	let repeatedCharacters = 0;
	for (const [path, cellLines] of linesByCell) {
		const place = places.get(path);
		if (place === undefined) return null;
		const { row, rowSpan, columnSpan, isHeader } = place;
		const column = shortRows.has(row) ? columnAt(cellLines, edges, place) : place.column;
		const text = joinLines(isHeader ? withoutRepeats(cellLines) : cellLines);
		repeatedCharacters += text.length * (rowSpan * columnSpan - 1);
		if (repeatedCharacters > repeatedCharactersMax) return null;
		for (let at = row; at < row + rowSpan; at++) {
			const fields = rowAt(at).cells;
			if (fields.slice(column, column + columnSpan).some((field) => field !== "")) return null; // one of two cells in a field would be lost
			fields.fill(text, column, column + columnSpan);
		}
		rowAt(row).lines.push(...cellLines);
	}
	const found = [...rows].sort(([one], [other]) => one - other);
	return {
		rows: found.map(([, row]) => row).filter((row) => row.lines.length > 0),
		edges,
		hasBoldTop: isHeader(found[0]?.[0], places),
		table: pathOf(table).join("/"),
	};
}

/** The indexes from the table down to the cell that holds the element; of nested tables, of the outer one. */
function cellPath(element: TagNode | undefined, table: TagNode): string {
	let cell: TagNode | undefined;
	for (let node = element; node !== undefined && node !== table; node = node.parent)
		if (node.role === roles.cell || node.role === roles.headerCell) cell = node;
	return cell === undefined ? "" : pathOf(cell, table).join("/");
}

/** Whether all cells of the row are headers. */
function isHeader(row: number | undefined, places: CellPlaces): boolean {
	const cells = [...places.values()].filter((place) => place.row === row);
	return cells.length > 1 && cells.every((place) => place.isHeader);
}

/** The rows with fewer cells than columns: Chromium does not tag empty cells. */
function rowsWithoutAllCells(cells: readonly CellPlace[], columns: number): ReadonlySet<number> {
	const counts = new Map<number, number>();
	for (const { row, rowSpan, columnSpan } of cells) for (let at = row; at < row + rowSpan; at++) counts.set(at, (counts.get(at) ?? 0) + columnSpan);
	return new Set([...counts].filter(([, count]) => count < columns).map(([row]) => row));
}

/** The column that a cell of such a row is in: the last one that begins left of it, though not one that would be too far left. */
function columnAt(lines: readonly Line[], edges: readonly number[], { column, columnSpan }: CellPlace): number {
	const left = Math.min(...lines.map(({ box }) => box[0]));
	const found = edges.findLastIndex((edge) => edge <= left + alignment);
	return Math.min(edges.length - columnSpan, Math.max(column, found));
}

/** Cells of a column begin at the same x, within this, in points. */
const alignment = 2;

/** The lines of a header once, if all of them are there again at another x: the header was printed again in the next column. */
function withoutRepeats(lines: readonly Line[]): readonly Line[] {
	for (let count = 1; count <= lines.length / 2; count++) if (lines.length % count === 0 && repeatsAfter(lines, count)) return lines.slice(0, count);
	return lines;
}

function repeatsAfter(lines: readonly Line[], count: number): boolean {
	return lines.slice(count).every(({ text, box }, at) => {
		const before = lines[at];
		return before?.text === text && Math.abs(before.box[0] - box[0]) > alignment;
	});
}

/** Where the columns begin, by the rows that have all cells; by all rows if none has. */
function leftEdges(linesByCell: ReadonlyMap<string, readonly Line[]>, places: CellPlaces, columns: number): readonly number[] {
	const edges = Array.from({ length: columns }, () => Number.POSITIVE_INFINITY);
	const shortRows = rowsWithoutAllCells([...places.values()], columns);
	const cells = [...linesByCell].map(([path, lines]) => ({ lines, ...(places.get(path) ?? { row: 0, column: 0 }) }));
	const whole = cells.filter(({ row }) => !shortRows.has(row));
	for (const { lines, column } of whole.length > 0 ? whole : cells) {
		for (const { box } of lines) edges[column] = Math.min(edges[column] ?? box[0], box[0]);
	}
	return edges;
}

/** The table around a line; of nested tables, the outer one. */
export function tableAround({ element }: Line): TagNode | undefined {
	const table = outermost(element, roles.table);
	return table !== undefined && closest(element, (role) => role === roles.cell || role === roles.headerCell) !== undefined ? table : undefined;
}
