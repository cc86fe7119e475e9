/** Lines of a page that stand side by side → rows; rows that stand under each other in columns → tables. */

import type { Line } from "./page-text.ts";

/** Lines on one baseline, from left to right. */
export type Row = readonly Line[];

export interface Grid {
	readonly rows: readonly { readonly cells: readonly string[]; readonly lines: Row }[];
	/** Whether all of the first row is bold, and not all of the second. */
	readonly hasBoldTop: boolean;
}

/** A gap wider than this, measured in letter heights, parts two cells; a narrower one two words. */
const cellGap = 0.9;
/** Columns begin at least this far apart, in letter heights. */
const columnGap = 1.2;
/** The share of a table's cells that must be filled: steps of a diagram fill fewer. */
const filledShareMin = 0.4;
/** The share of a table's rows that may reach across the beginning of a column. */
const crossingShareMax = 0.1;
/** Cells as long as this, on average, are the lines of two columns of prose. */
const proseCharacters = 25;
const proseRowsMin = 4;

/** What stands before a list item: a dot, a dash, a number. */
const loneMarker = /^(?:[•◦▪‣●○■□–\uf0b7\uf0a7-]|\(?(?:\d{1,2}|[a-z])[.)])$/;

export function rowsOf(lines: readonly Line[]): readonly Row[] {
	const rows: Line[][] = [];
	for (const line of lines) {
		const row = rows.at(-1);
		const last = row?.at(-1);
		if (row !== undefined && last !== undefined && isBeside(last, line)) row.push(line);
		else rows.push([line]);
	}
	return rows;
}

function isBeside(left: Line, right: Line): boolean {
	const distance = Math.abs(middle(left) - middle(right));
	return distance < Math.min(heightOf(left), heightOf(right)) * 0.5 && right.box[0] >= left.box[2] - 2;
}

function middle({ box }: Line): number {
	return (box[1] + box[3]) / 2;
}

function heightOf({ box }: Line): number {
	return box[3] - box[1];
}

/** How many rows from here on have cells: a table has two at least. */
export function tableRowCount(rows: readonly Row[], from: number): number {
	let end = from;
	while (hasCells(rows[end])) end++;
	return end - from >= 2 ? end - from : 0;
}

/** A row in pieces far apart, unless the first is but the mark of a list item. */
export function hasCells(row: Row | undefined): row is Row {
	if (row === undefined || row.length < 2) return false;
	if (row.length === 2 && loneMarker.test(row[0]?.text ?? "")) return false;
	return row.every((line, index) => {
		const left = row[index - 1];
		return left === undefined || line.box[0] - left.box[2] > line.size * cellGap;
	});
}

/** Two columns of prose whose lines happen to share their baselines: to be read one after the other. */
export function asColumns(rows: readonly Row[]): readonly (readonly Line[])[] | null {
	if (rows.length < proseRowsMin || !rows.every((row) => row.length === 2)) return null;
	const columns = [0, 1].map((column) => rows.flatMap((row) => row[column] ?? []));
	const areProse = columns.every((lines) => lines.reduce((sum, line) => sum + line.text.length, 0) / lines.length >= proseCharacters);
	return areProse ? columns : null;
}

/** The rows as a table; null when they share no columns: stretched lines of text, the labels of a drawing. */
export function asGrid(rows: readonly Row[]): Grid | null {
	const edges = columnEdges(rows);
	if (edges.length < 2) return null;
	const filled = rows.map((row) => {
		const cells = edges.map(() => "");
		for (const line of row) {
			const column = Math.max(
				0,
				edges.findLastIndex((edge) => edge <= line.box[0]),
			);
			cells[column] = cells[column] === "" ? line.text : `${cells[column]} ${line.text}`;
		}
		return { cells, lines: row };
	});
	const count = filled.reduce((sum, { cells }) => sum + cells.filter((cell) => cell !== "").length, 0);
	if (count < filled.length * edges.length * filledShareMin) return null;
	const [top = [], below = []] = rows;
	return { rows: filled, hasBoldTop: top.every((line) => line.isBold) && !below.every((line) => line.isBold) };
}

/** A column begins where a cell begins and no full row writes across. Rows with fewer cells may: a title spans columns. */
function columnEdges(rows: readonly Row[]): readonly number[] {
	const counts = rows.map((row) => row.length).sort((a, b) => a - b);
	const usual = counts[counts.length >> 1] ?? 0;
	const full = rows.filter((row) => row.length >= usual);
	const edges: number[] = [];
	const starts = rows.flat().sort((one, other) => one.box[0] - other.box[0]);
	for (const { box, size } of starts) {
		const edge = box[0];
		const last = edges.at(-1);
		if (last !== undefined && edge - last < size * columnGap) continue;
		const crossing = full.filter((row) => row.some((line) => line.box[0] < edge - 1 && line.box[2] > edge + 1)).length;
		if (crossing <= full.length * crossingShareMax) edges.push(edge);
	}
	return edges;
}
