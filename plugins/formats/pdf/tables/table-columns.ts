/** The columns of a table without ruling lines, by the extents of cells, or else by where they begin. */

import type { CellRow, Piece } from "./page-rows.ts";

/** From the leftmost to the rightmost edge of its cells. */
export interface Column {
	readonly left: number;
	readonly right: number;
}

/** In letter heights: the least distance between the beginnings of columns. */
const columnGap = 1.2;
/** The largest share of rows that may cross the beginning of a column. */
const crossingShareMax = 0.1;
/** In points: tolerance for cells that are aligned left, right or centred. */
const alignment = 2;

/** For right-aligned and centred cells, which begin at different x: no cell of a full row is below two others. */
export function columnsOfCells(rows: readonly CellRow[]): readonly Column[] {
	const full = fullRows(rows);
	const columns: { left: number; right: number }[] = [];
	for (const { box } of full.flat().sort((one, other) => one.box[0] - other.box[0])) {
		const last = columns.at(-1);
		if (last !== undefined && box[0] < last.right - 1) last.right = Math.max(last.right, box[2]);
		else columns.push({ left: box[0], right: box[2] });
	}
	const isWhole =
		full.every((row) => row.length <= columns.length) && rows.every((row) => row.every(({ box }) => columns.some((column) => overlap(column, box) > 0)));
	return isWhole ? columns : columnEdges(rows).map((left) => ({ left, right: left }));
}

function fullRows(rows: readonly CellRow[]): readonly CellRow[] {
	const counts = rows.map((row) => row.length).sort((one, other) => one - other);
	const usual = counts[counts.length >> 1] ?? 0;
	return rows.filter((row) => row.length >= usual);
}

function overlap({ left, right }: Column, box: Piece["box"]): number {
	return Math.min(right, box[2]) - Math.max(left, box[0]);
}

/** The first and the last column of a cell; a header cell may span several. */
export function columnsUnder({ box, size, lines }: Piece, columns: readonly Column[], isTop: boolean): readonly [number, number] {
	const begun = (x: number) =>
		Math.max(
			0,
			columns.findLastIndex(({ left }) => left <= x),
		);
	const overlaps = columns.map((column) => overlap(column, box));
	const most = Math.max(...overlaps);
	const own = most > 0 ? overlaps.indexOf(most) : begun(box[0]);
	if (!isTop || lines[0].isMono) return [own, own]; // a line of code is no header
	const reached = overlaps.flatMap((each, column) => (each > size / 2 ? [column] : []));
	return reached.length > 1 ? [reached[0] ?? own, reached.at(-1) ?? own] : besideMiddle(box, own, columns);
}

/** A header that is centred over its column and a neighbour belongs to both. */
function besideMiddle(box: Piece["box"], own: number, columns: readonly Column[]): readonly [number, number] {
	const middleOf = (from: number, to: number) => ((columns[from]?.left ?? 0) + (columns[to]?.right ?? 0)) / 2;
	const distance = ([from, to]: readonly [number, number]) => Math.abs(middleOf(from, to) - (box[0] + box[2]) / 2);
	const column = columns[own];
	const isInLine = column === undefined || Math.abs(column.left - box[0]) <= alignment || Math.abs(column.right - box[2]) <= alignment;
	const pairs = (
		[
			[own - 1, own],
			[own, own + 1],
		] as const
	).filter(([from, to]) => from >= 0 && to < columns.length);
	const both = pairs.find((pair) => distance(pair) <= alignment * 2 && distance([own, own]) > alignment * 2);
	return isInLine || both === undefined ? [own, own] : both;
}

/** A column begins where a cell begins and no full row has text across. Rows with fewer cells may, such as titles. */
function columnEdges(rows: readonly CellRow[]): readonly number[] {
	const full = fullRows(rows);
	const edges: number[] = [];
	const starts = rows.flat().sort((one, other) => one.box[0] - other.box[0]);
	for (const { box, size } of starts) {
		const edge = box[0];
		const last = edges.at(-1);
		if (last !== undefined && edge - last < size * columnGap) continue;
		const crossing = full.filter((row) => row.some((piece) => piece.box[0] < edge - 1 && piece.box[2] > edge + 1)).length;
		if (crossing <= full.length * crossingShareMax) edges.push(edge);
	}
	return edges;
}
