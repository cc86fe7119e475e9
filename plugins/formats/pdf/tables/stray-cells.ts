/** Brings the cells of a table into the order of its rows, since some files store its header or single cells after the others. */

import type { Line } from "../page-text.ts";
import { cellRowsOf, type Row, rowsOf } from "./page-rows.ts";

/** The most characters of a cell, and the fewest and most cells of a table whose order is mended. Mending takes the square of their number. */
const [cellCharactersMax, cellsMin, cellsMax] = [45, 12, 2_000];
/** At least this share of the cells begins with a number. Prose and lists have fewer. */
const numberShareMin = 0.5;

const number = /^[^\p{L}\p{N}]{0,3}\d/u;
/** The number of a list's item: `1.`, `(2) Low water`. */
const itemNumber = /^\(?\d{1,3}[.)](?:\s|$)/u;
const leader = /(?:[.…_]\s*){3,}/g;

export function orderStrayCells(lines: readonly Line[]): readonly Line[] {
	const result: Line[] = [];
	for (let from = 0; from < lines.length; ) {
		let end = from;
		let right: number | null = null;
		for (let line = lines[end]; line !== undefined && isCell(line) && !beginsColumn(line, lines[end - 1], right); line = lines[++end])
			if (right !== null || isBeside(line, lines[end + 1])) right = Math.max(right ?? line.box[2], line.box[2]);
		result.push(...(end === from ? lines.slice(from, ++end) : inRows(lines.slice(from, end))));
		from = end;
	}
	return result;
}

/**
 * Whether the line is above the one before and right of all before, as at the top of the page's next column.
 * @param right the right edge of the lines before, from the first row of several cells on: a title above may be wider than the column
 */
function beginsColumn({ box }: Line, previous: Line | undefined, right: number | null): boolean {
	return previous !== undefined && right !== null && box[3] < previous.box[1] && box[0] >= right;
}

function isBeside(line: Line, next: Line | undefined): boolean {
	return next !== undefined && Math.abs(middleOf(line) - middleOf(next)) < line.size / 2;
}

function isCell({ text }: Line): boolean {
	return text.replace(leader, "").length < cellCharactersMax;
}

/** The cells row by row; unchanged unless they are numbers, and no row becomes longer: tables side by side are read one after the other. */
function inRows(cells: readonly Line[]): readonly Line[] {
	if (cells.length < cellsMin || cells.length > cellsMax || cells.filter(isNumber).length < cells.length * numberShareMin || isInOrder(cells)) return cells;
	const sorted = sortedRows(cells);
	return longestOf(sorted) > longestOf(rowsOf(cells)) ? cells : sorted.flat();
}

function isNumber({ text }: Line): boolean {
	return number.test(text) && !itemNumber.test(text);
}

/** Whether every row begins below the one before. The cells of a row may have several lines each. */
function isInOrder(cells: readonly Line[]): boolean {
	const tops = cellRowsOf(cells).map((row) => row.reduce((top, { box }) => Math.min(top, box[1]), Number.POSITIVE_INFINITY));
	return tops.every((top, index) => index === 0 || top > (tops[index - 1] ?? 0));
}

function longestOf(rows: readonly Row[]): number {
	return rows.reduce((longest, row) => Math.max(longest, row.length), 0);
}

function sortedRows(cells: readonly Line[]): readonly Row[] {
	const rows: Line[][] = [];
	let middle = Number.NEGATIVE_INFINITY;
	for (const cell of cells.toSorted((one, other) => middleOf(one) - middleOf(other))) {
		if (middleOf(cell) - middle < cell.size / 2) rows.at(-1)?.push(cell);
		else {
			rows.push([cell]);
			middle = middleOf(cell);
		}
	}
	return rows.map((row) => row.sort((one, other) => one.box[0] - other.box[0]));
}

function middleOf({ box }: Line): number {
	return (box[1] + box[3]) / 2;
}
