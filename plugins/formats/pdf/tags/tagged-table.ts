/** Makes the grid of a table from its tags. */

import { joinLines } from "../letters/join-lines.ts";
import type { Line } from "../page-text.ts";
import type { Grid } from "../tables/page-rows.ts";
import { type CellPlaces, pathOf, type StructureTree } from "./structure-tree.ts";
import { closest, outermost, roles, type TagNode } from "./tag-node.ts";

/** Cells with more lines on average hold texts: the table is only there to place them. */
const cellLinesMax = 12;

/** Null if it is no table: it has one column or one row on all pages, no rows, or cells that hold whole texts. */
export function taggedTable(table: TagNode, lines: readonly Line[], tree: StructureTree): Grid | null {
	const places = tree.placesIn(table);
	if (places === null) return null;
	const all = [...places.values()];
	const columns = Math.max(0, ...all.map(({ column, columnSpan }) => column + columnSpan));
	const rowCount = Math.max(0, ...all.map(({ row, rowSpan }) => row + rowSpan));
	const linesByCell = Map.groupBy(lines, ({ element }) => cellPath(element, table));
	if (columns < 2 || rowCount < 2 || lines.length > linesByCell.size * cellLinesMax) return null;
	const rows = new Map<number, { cells: string[]; lines: Line[] }>();
	const rowAt = (row: number) => {
		const found = rows.get(row) ?? { cells: Array.from({ length: columns }, () => ""), lines: [] };
		rows.set(row, found);
		return found;
	};
	for (const [path, cellLines] of linesByCell) {
		const place = places.get(path);
		if (place === undefined) return null;
		const text = joinLines(cellLines);
		for (let row = place.row; row < place.row + place.rowSpan; row++) rowAt(row).cells.fill(text, place.column, place.column + place.columnSpan);
		rowAt(place.row).lines.push(...cellLines);
	}
	const found = [...rows].sort(([one], [other]) => one - other);
	return {
		rows: found.map(([, row]) => row).filter((row) => row.lines.length > 0),
		edges: leftEdges(linesByCell, places, columns),
		hasBoldTop: isHeader(found[0]?.[0], places),
		table: pathOf(table).join("/"),
	};
}

/** The indexes from the table down to the cell that holds the element; of nested tables, of the outer one. */
function cellPath(element: TagNode | undefined, table: TagNode): string {
	let cell: TagNode | undefined;
	for (let node = element; node !== undefined && node !== table; node = node.parent) if (node.role === roles.cell || node.role === roles.headerCell) cell = node;
	return cell === undefined ? "" : pathOf(cell, table).join("/");
}

/** Whether all cells of the row are headers. */
function isHeader(row: number | undefined, places: CellPlaces): boolean {
	const cells = [...places.values()].filter((place) => place.row === row);
	return cells.length > 1 && cells.every((place) => place.isHeader);
}

function leftEdges(linesByCell: ReadonlyMap<string, readonly Line[]>, places: CellPlaces, columns: number): readonly number[] {
	const edges = Array.from({ length: columns }, () => Number.POSITIVE_INFINITY);
	for (const [path, lines] of linesByCell) {
		const column = places.get(path)?.column ?? 0;
		for (const { box } of lines) edges[column] = Math.min(edges[column] ?? box[0], box[0]);
	}
	return edges;
}

/** The table around a line; of nested tables, the outer one. */
export function tableAround({ element }: Line): TagNode | undefined {
	const table = outermost(element, roles.table);
	return table !== undefined && closest(element, (role) => role === roles.cell || role === roles.headerCell) !== undefined ? table : undefined;
}
