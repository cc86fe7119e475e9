/** Determines the columns of a table without ruling lines: by the extents of its cells, otherwise by the positions at which cells begin. */

import type { CellRow, Piece } from "./page-rows.ts";

/** The extent of a column, from the leftmost to the rightmost edge of its cells, in points. */
export interface Column {
	readonly left: number;
	readonly right: number;
}

/** The least distance between the beginnings of columns, in font sizes. */
const columnGap = 1.2;
/** The largest share of rows that may cross the beginning of a column. */
const crossingShareMax = 0.1;
/** Aligned edges or centres of cells differ by at most this, in points. */
const alignment = 2;

/** Uses the extents of cells if they never overlap two columns. That also works for right-aligned and centred cells, which begin at different x. */
export function columnsOfCells(rows: readonly CellRow[]): readonly Column[] {
	const fullRowList = fullRows(rows);
	const columns: { left: number; right: number }[] = [];
	for (const { box } of fullRowList.flat().sort((one, other) => one.box[0] - other.box[0])) {
		const last = columns.at(-1);
		if (last !== undefined && box[0] < last.right - 1) last.right = Math.max(last.right, box[2]);
		else columns.push({ left: box[0], right: box[2] });
	}
	const fitsAllRows =
		fullRowList.every((row) => row.length <= columns.length) && rows.every((row) => row.every(({ box }) => columns.some((column) => overlap(column, box) > 0)));
	return fitsAllRows ? columns : columnEdges(rows).map((left) => ({ left, right: left }));
}

function fullRows(rows: readonly CellRow[]): readonly CellRow[] {
	const counts = rows.map((row) => row.length).sort((one, other) => one - other);
	const usual = counts[counts.length >> 1] ?? 0;
	return rows.filter((row) => row.length >= usual);
}

function overlap({ left, right }: Column, box: Piece["box"]): number {
	return Math.min(right, box[2]) - Math.max(left, box[0]);
}

/** The first and the last column that a cell covers. Only a header cell may span several. */
export function columnsUnder({ box, size, lines }: Piece, columns: readonly Column[], isTop: boolean): readonly [number, number] {
	const columnBeginningBefore = (x: number) =>
		Math.max(
			0,
			columns.findLastIndex(({ left }) => left <= x),
		);
	const overlaps = columns.map((column) => overlap(column, box));
	const largestOverlap = Math.max(...overlaps);
	const mainColumn = largestOverlap > 0 ? overlaps.indexOf(largestOverlap) : columnBeginningBefore(box[0]);
	if (!isTop || lines[0].isMono) return [mainColumn, mainColumn]; // a line of code is not a header
	const coveredColumns = overlaps.flatMap((width, column) => (width > size / 2 ? [column] : []));
	return coveredColumns.length > 1 ? [coveredColumns[0] ?? mainColumn, coveredColumns.at(-1) ?? mainColumn] : columnsUnderCentre(box, mainColumn, columns);
}

/** The columns of a header. If it is centred over its column and a neighbour, it belongs to both. */
function columnsUnderCentre(box: Piece["box"], mainColumn: number, columns: readonly Column[]): readonly [number, number] {
	const middleOf = (from: number, to: number) => ((columns[from]?.left ?? 0) + (columns[to]?.right ?? 0)) / 2;
	const distance = ([from, to]: readonly [number, number]) => Math.abs(middleOf(from, to) - (box[0] + box[2]) / 2);
	const column = columns[mainColumn];
	const isAligned = column === undefined || Math.abs(column.left - box[0]) <= alignment || Math.abs(column.right - box[2]) <= alignment;
	const pairs = (
		[
			[mainColumn - 1, mainColumn],
			[mainColumn, mainColumn + 1],
		] as const
	).filter(([from, to]) => from >= 0 && to < columns.length);
	const coveredPair = pairs.find((pair) => distance(pair) <= alignment * 2 && distance([mainColumn, mainColumn]) > alignment * 2);
	return isAligned || coveredPair === undefined ? [mainColumn, mainColumn] : coveredPair;
}

/** The x of each column: a column begins where a cell begins and almost no full row has text across. Rows with fewer cells, such as titles, are ignored. */
function columnEdges(rows: readonly CellRow[]): readonly number[] {
	const fullRowList = fullRows(rows);
	const edges: number[] = [];
	const starts = rows.flat().sort((one, other) => one.box[0] - other.box[0]);
	for (const { box, size } of starts) {
		const edge = box[0];
		const last = edges.at(-1);
		if (last !== undefined && edge - last < size * columnGap) continue;
		const crossing = fullRowList.filter((row) => row.some((piece) => piece.box[0] < edge - 1 && piece.box[2] > edge + 1)).length;
		if (crossing <= fullRowList.length * crossingShareMax) edges.push(edge);
	}
	return edges;
}
