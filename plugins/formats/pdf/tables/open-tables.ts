/** Finds tables without ruling lines: rows whose cells are aligned in columns. */

import type { Line } from "../page-text.ts";
import { type CellRow, cellRowsOf, type Grid, hasCells, type Piece, textOf } from "./page-rows.ts";
import { type Column, columnsOfCells, columnsUnder } from "./table-columns.ts";

/** A part of a page: text, a table, or columns of text that are read one after the other. */
export type Part =
	| { readonly kind: "text"; readonly lines: readonly Line[] }
	| { readonly kind: "table"; readonly grid: Grid }
	| { readonly kind: "columns"; readonly columns: readonly (readonly Line[])[] };

/** The least share of filled cells. The labels of a diagram fill fewer. */
const filledShareMin = 0.4;
/** With at least this many characters per line on average, two columns are prose and not a table. */
const proseLineCharacters = 25;
const proseRowsMin = 4;
/**
 * A row is below the table, and not part of it, if the gap above it is this many times the largest one in the table, and at least
 * this many font sizes, unless it is aligned with the table.
 */
const [rowGapRatio, rowGapMin] = [2, 0.9];
/** The largest gap between lines of a cell, in font sizes. */
const continuationGap = 0.75;

export function openTables(lines: readonly Line[]): readonly Part[] {
	const rows = cellRowsOf(lines);
	const parts: Part[] = [];
	let textLines: Line[] = [];
	const endText = () => {
		if (textLines.length > 0) parts.push({ kind: "text", lines: textLines });
		textLines = [];
	};
	for (let index = 0; index < rows.length; ) {
		const candidates = tableRows(rows, index);
		const part = candidates.length < 2 ? null : (columnsOf(candidates) ?? tableOf(candidates));
		const usedRows = part === null ? rows.slice(index, index + Math.max(1, candidates.length)) : candidates;
		if (part === null) textLines.push(...usedRows.flatMap(linesOf));
		else {
			endText();
			parts.push(part);
		}
		index += usedRows.length;
	}
	endText();
	return parts;
}

function linesOf(row: CellRow): readonly Line[] {
	return row.flatMap(({ lines }) => lines);
}

/** The rows from here on that may form a table, including continuation lines of cells. */
function tableRows(rows: readonly CellRow[], from: number): readonly CellRow[] {
	let end = from;
	let above: CellRow | null = null;
	let widest = 0;
	for (let row = rows[end]; row !== undefined && (above === null || isBelow(row, above)); row = rows[++end]) {
		if (hasCells(row)) {
			const gap = above === null ? 0 : gapBetween(above, row);
			if (above !== null && isNumberedHeading(row) && isNumberedHeading(above) && !haveSimilarSize(row, above)) break;
			const isFarBelow = end - from > 1 && gap > Math.max(widest, (row[0]?.size ?? 0) * rowGapMin) * rowGapRatio;
			if (isFarBelow && !row.every((piece) => isAligned(piece, rows.slice(from, end)))) break;
			widest = Math.max(widest, gap);
			above = row;
		} else if (above === null || !continuesCell(row, above)) break;
	}
	return rows.slice(from, end);
}

/** Numbered headings under each other differ by more than this in font size, unlike rows of a table. */
const sizeTolerance = 0.2;
const sectionNumber = /^(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]{1,5}\.)$/;

/** Whether the row may be a heading: the number of a section and its title. */
function isNumberedHeading([number, title, ...others]: CellRow): boolean {
	return number !== undefined && title !== undefined && others.length === 0 && sectionNumber.test(textOf(number)) && /\p{L}/u.test(textOf(title));
}

function haveSimilarSize([first]: CellRow, [above]: CellRow): boolean {
	return first === undefined || above === undefined || Math.abs(first.size - above.size) <= first.size * sizeTolerance;
}

/** Whether the left or right edge of a piece is aligned with that of a cell above. */
function isAligned({ box }: Piece, rows: readonly CellRow[]): boolean {
	return rows.some((row) => row.some((above) => Math.abs(above.box[0] - box[0]) <= 2 || Math.abs(above.box[2] - box[2]) <= 2));
}

function gapBetween(above: CellRow, row: CellRow): number {
	return Math.min(...row.map(({ box }) => box[1])) - Math.max(...above.map(({ box }) => box[3]));
}

/** Whether a row is below another. A row further up is in the next column of the page. */
function isBelow(row: CellRow, above: CellRow): boolean {
	return (row[0]?.box[1] ?? 0) > (above[0]?.box[1] ?? 0);
}

/** Whether the row is a single piece that continues a cell right above it, other than the first cell. */
function continuesCell(row: CellRow, above: CellRow): boolean {
	const [piece] = row;
	if (piece === undefined || row.length > 1) return false;
	return above.some((cell, index) => {
		const gap = piece.box[1] - cell.box[3];
		return index > 0 && Math.abs(cell.box[0] - piece.box[0]) <= 2 && gap > -piece.size && gap < piece.size * continuationGap;
	});
}

/** Two columns of prose whose lines happen to share baselines. They are read one after the other. Null for anything else. */
function columnsOf(rows: readonly CellRow[]): Part | null {
	if (rows.length < proseRowsMin || !rows.every((row) => row.length === 2 && row.every(({ lines }) => lines.length === 1))) return null;
	const columns = [0, 1].map((column) => rows.flatMap((row) => row[column]?.lines ?? []));
	const isProse = columns.every((lines) => lines.reduce((sum, line) => sum + line.text.length, 0) / lines.length >= proseLineCharacters);
	return isProse && columns.some(fillsColumn) ? { kind: "columns", columns } : null;
}

/** Whether most lines reach the right edge. Prose fills its column, cells do not. */
function fillsColumn(lines: readonly Line[]): boolean {
	const right = Math.max(...lines.map(({ box }) => box[2]));
	const width = right - Math.min(...lines.map(({ box }) => box[0]));
	return lines.filter(({ box }) => right - box[2] < width * 0.12).length > lines.length * 0.6;
}

/** The rows as a table; null if they do not share columns, such as justified text or the labels of a drawing. */
function tableOf(rows: readonly CellRow[]): Part | null {
	const columns = columnsOfCells(rows.filter(hasCells));
	if (columns.length < 2 || rows.filter(hasCells).every(isJustified)) return null;
	const tableRowsSoFar: { cells: string[]; lines: Line[] }[] = [];
	for (const row of rows) {
		const last = tableRowsSoFar.at(-1);
		const isContinuation = !hasCells(row) && last !== undefined;
		const target = isContinuation ? last : { cells: columns.map(() => ""), lines: [] };
		for (const piece of row) addToCells(piece, columns, target.cells, hasCells(row) && tableRowsSoFar.length === 0);
		target.lines.push(...linesOf(row));
		if (!isContinuation) tableRowsSoFar.push(target);
	}
	const filledCellCounts = tableRowsSoFar.map(({ cells }) => cells.filter((cell) => cell !== "").length);
	const count = filledCellCounts.reduce((sum, each) => sum + each, 0);
	if (filledCellCounts.filter((each) => each > 1).length < 2 || count < tableRowsSoFar.length * columns.length * filledShareMin) return null;
	const [top, below] = tableRowsSoFar;
	return { kind: "table", grid: { rows: tableRowsSoFar, edges: columns.map(({ left }) => left), hasBoldTop: isBold(top?.lines) && !isBold(below?.lines) } };
}

/** The gaps of a justified line differ by less than this, in font sizes. */
const justifiedGapTolerance = 0.12;

/** Whether the row is a justified line of prose: its gaps are equally wide, but its words are not. */
function isJustified(row: CellRow): boolean {
	if (row.length < 3 || row.some(({ lines }) => lines.length > 1)) return false;
	const gaps = row.slice(1).map(({ box }, index) => box[0] - (row[index]?.box[2] ?? 0));
	const widths = row.map(({ box }) => box[2] - box[0]);
	return Math.max(...gaps) - Math.min(...gaps) < (row[0]?.size ?? 0) * justifiedGapTolerance && Math.max(...widths) > Math.min(...widths) * 1.2;
}

function isBold(lines: readonly Line[] | undefined): boolean {
	return lines?.every((line) => line.isBold) === true;
}

/** Adds a piece to its cells. A header that spans columns is repeated in each of them. */
function addToCells(piece: Piece, columns: readonly Column[], cells: string[], isTop: boolean): void {
	const [from, to] = columnsUnder(piece, columns, isTop);
	for (let column = from; column <= to; column++) cells[column] = cells[column] === "" ? textOf(piece) : `${cells[column]} ${textOf(piece)}`;
}
