/** The columns of a table without walls: what stands under each other, or else where cells begin. */

import type { CellRow, Piece } from "./page-rows.ts";

/** From the leftmost beginning of its cells to their rightmost end. */
export interface Column {
	readonly left: number;
	readonly right: number;
}

/** Columns begin at least this far apart, in letter heights. */
const columnGap = 1.2;
/** The share of a table's rows that may reach across the beginning of a column. */
const crossingShareMax = 0.1;
/** Cells of a column are in line at their left, at their right or in their middle, give or take so many points. */
const alignment = 2;

/** Cells set to the right or to the middle begin at many places, but none of a full row stands under two others. */
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

/** The first and the last column that a cell stands in: at the top it may name several. */
export function columnsUnder({ box, size, lines }: Piece, columns: readonly Column[], isTop: boolean): readonly [number, number] {
	const begun = (x: number) =>
		Math.max(
			0,
			columns.findLastIndex(({ left }) => left <= x),
		);
	const overlaps = columns.map((column) => overlap(column, box));
	const most = Math.max(...overlaps);
	const own = most > 0 ? overlaps.indexOf(most) : begun(box[0]);
	if (!isTop || lines[0].isMono) return [own, own]; // a line of a program is no name
	const reached = overlaps.flatMap((each, column) => (each > size / 2 ? [column] : []));
	return reached.length > 1 ? [reached[0] ?? own, reached.at(-1) ?? own] : besideMiddle(box, own, columns);
}

/** A name that is in line with no side of its column, and stands over the middle of it and a neighbour, is the name of both. */
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

/** A column begins where a cell begins and no full row writes across. Rows with fewer cells may: a title spans columns. */
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
