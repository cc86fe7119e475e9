/** Makes the grid of a table from its tags. */

import { joinLines } from "../letters/join-lines.ts";
import type { Line } from "../page-text.ts";
import type { Grid } from "../tables/page-rows.ts";
import { type CellPlace, fieldsMax, pathOf, type StructureTree, type TableFields } from "./structure-tree.ts";
import { closest, outermost, roles, type TagNode } from "./tag-node.ts";

/** Cells with more lines on average hold texts: the table is only there to place them. */
const cellLinesMax = 12;
/** A table whose merged cells would repeat more characters than this is taken for damaged. */
const repeatedCharactersMax = 100_000;

/**
 * Null if it is no table: it has one column or one row on all pages, cells that hold whole texts, or two cells in one field; or if it
 * is damaged, and has far more fields than cells.
 */
export function taggedTable(table: TagNode, lines: readonly Line[], tree: StructureTree): Grid | null {
	const fields = tree.fieldsOf(table);
	if (fields === null || fields.columns < 2 || fields.rowCount < 2) return null;
	const linesByCell = Map.groupBy(lines, ({ element }) => cellPath(element, table));
	if (lines.length > linesByCell.size * cellLinesMax) return null;
	const edges = leftEdges(linesByCell, fields);
	const rows = createRows(fields.columns);
	let repeatedCharacters = 0;
	for (const [path, cellLines] of linesByCell) {
		const place = fields.places.get(path);
		if (place === undefined) return null;
		const { row, rowSpan, columnSpan, isHeader } = place;
		const column = fields.shortRows.has(row) ? columnAt(cellLines, edges, place) : place.column;
		const text = joinLines(isHeader ? withoutRepeats(cellLines) : cellLines);
		repeatedCharacters += text.length * (rowSpan * columnSpan - 1);
		if (repeatedCharacters > repeatedCharactersMax) return null;
		for (let at = row; at < row + rowSpan; at++) {
			const cells = rows.at(at)?.cells;
			if (cells === undefined || cells.slice(column, column + columnSpan).some((cell) => cell !== "")) return null; // one of two cells in a field would be lost
			cells.fill(text, column, column + columnSpan);
		}
		rows.at(row)?.lines.push(...cellLines);
	}
	const found = rows.inOrder();
	return {
		rows: found.map(([, row]) => row).filter((row) => row.lines.length > 0),
		edges,
		hasBoldTop: fields.headerRows.has(found[0]?.[0] ?? -1),
		table: pathOf(table).join("/"),
	};
}

interface GridRow {
	readonly cells: string[];
	readonly lines: Line[];
}

/** The rows of one page, which are made when a cell covers them. There is none when they have more fields than a whole table may have. */
function createRows(columns: number) {
	const rows = new Map<number, GridRow>();
	return {
		at(row: number): GridRow | undefined {
			const known = rows.get(row);
			if (known !== undefined || (rows.size + 1) * columns > fieldsMax) return known;
			const added = { cells: Array.from({ length: columns }, () => ""), lines: [] };
			rows.set(row, added);
			return added;
		},
		inOrder: () => [...rows].sort(([one], [other]) => one - other),
	};
}

/** The indexes from the table down to the cell that holds the element; of nested tables, of the outer one. */
function cellPath(element: TagNode | undefined, table: TagNode): string {
	let cell: TagNode | undefined;
	for (let node = element; node !== undefined && node !== table; node = node.parent)
		if (node.role === roles.cell || node.role === roles.headerCell) cell = node;
	return cell === undefined ? "" : pathOf(cell, table).join("/");
}

/** The column that a cell of a row without all cells is in: the last one that begins left of it, though not one that would be too far left. */
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
function leftEdges(linesByCell: ReadonlyMap<string, readonly Line[]>, { places, columns, shortRows }: TableFields): readonly number[] {
	const edges = Array.from({ length: columns }, () => Number.POSITIVE_INFINITY);
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
