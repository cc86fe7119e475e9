/** Tables without ruling lines: rows whose cells are aligned in columns. */

import type { Line } from "../page-text.ts";
import { type CellRow, cellRowsOf, type Grid, hasCells, type Piece, textOf } from "./page-rows.ts";
import { type Column, columnsOfCells, columnsUnder } from "./table-columns.ts";

/** A part of a page. */
export type Part =
	| { readonly kind: "text"; readonly lines: readonly Line[] }
	| { readonly kind: "table"; readonly grid: Grid }
	| { readonly kind: "columns"; readonly columns: readonly (readonly Line[])[] };

/** The least share of filled cells; labels of a diagram fill fewer. */
const filledShareMin = 0.4;
/** With longer lines, on average, it is two columns of prose. */
const proseCharacters = 25;
const proseRowsMin = 4;
/** A row whose gap is this many times that of the table, and at least so many letter heights, is below the table, unless it is aligned with it. */
const [rowGapGrowth, rowGapMin] = [2, 0.9];
/** In letter heights: the largest gap between lines of a cell. */
const continuationGap = 0.75;

export function openTables(lines: readonly Line[]): readonly Part[] {
	const rows = cellRowsOf(lines);
	const parts: Part[] = [];
	let loose: Line[] = [];
	const close = () => {
		if (loose.length > 0) parts.push({ kind: "text", lines: loose });
		loose = [];
	};
	for (let at = 0; at < rows.length; ) {
		const candidates = tableRows(rows, at);
		const part = candidates.length < 2 ? null : (columnsOf(candidates) ?? tableOf(candidates));
		const taken = part === null ? rows.slice(at, at + Math.max(1, candidates.length)) : candidates;
		if (part === null) loose.push(...taken.flatMap(linesOf));
		else {
			close();
			parts.push(part);
		}
		at += taken.length;
	}
	close();
	return parts;
}

function linesOf(row: CellRow): readonly Line[] {
	return row.flatMap(({ lines }) => lines);
}

/** The rows from here on that have cells, including continuation lines of cells. */
function tableRows(rows: readonly CellRow[], from: number): readonly CellRow[] {
	let end = from;
	let above: CellRow | null = null;
	let widest = 0;
	for (let row = rows[end]; row !== undefined && (above === null || isBelow(row, above)); row = rows[++end]) {
		if (hasCells(row)) {
			const gap = above === null ? 0 : gapBetween(above, row);
			const isFar = end - from > 1 && gap > Math.max(widest, (row[0]?.size ?? 0) * rowGapMin) * rowGapGrowth;
			if (isFar && !row.every((piece) => isInLine(piece, rows.slice(from, end)))) break;
			widest = Math.max(widest, gap);
			above = row;
		} else if (above === null || !goesOnBelow(row, above)) break;
	}
	return rows.slice(from, end);
}

/** Whether it is aligned with a cell above. */
function isInLine({ box }: Piece, rows: readonly CellRow[]): boolean {
	return rows.some((row) => row.some((above) => Math.abs(above.box[0] - box[0]) <= 2 || Math.abs(above.box[2] - box[2]) <= 2));
}

function gapBetween(above: CellRow, row: CellRow): number {
	return Math.min(...row.map(({ box }) => box[1])) - Math.max(...above.map(({ box }) => box[3]));
}

/** False for a row further up, which is in the next column of the page. */
function isBelow(row: CellRow, above: CellRow): boolean {
	return (row[0]?.box[1] ?? 0) > (above[0]?.box[1] ?? 0);
}

/** Whether a single piece is the next line of a cell right above it, other than the first cell. */
function goesOnBelow(row: CellRow, above: CellRow): boolean {
	const [piece] = row;
	if (piece === undefined || row.length > 1) return false;
	return above.some((cell, index) => {
		const gap = piece.box[1] - cell.box[3];
		return index > 0 && Math.abs(cell.box[0] - piece.box[0]) <= 2 && gap > -piece.size && gap < piece.size * continuationGap;
	});
}

/** Two columns of prose that happen to share baselines: they are read one after the other. */
function columnsOf(rows: readonly CellRow[]): Part | null {
	if (rows.length < proseRowsMin || !rows.every((row) => row.length === 2 && row.every(({ lines }) => lines.length === 1))) return null;
	const columns = [0, 1].map((column) => rows.flatMap((row) => row[column]?.lines ?? []));
	const areProse = columns.every((lines) => lines.reduce((sum, line) => sum + line.text.length, 0) / lines.length >= proseCharacters);
	return areProse && columns.some(isFilled) ? { kind: "columns", columns } : null;
}

/** Whether most lines reach the right edge: prose fills its column, cells do not. */
function isFilled(lines: readonly Line[]): boolean {
	const right = Math.max(...lines.map(({ box }) => box[2]));
	const width = right - Math.min(...lines.map(({ box }) => box[0]));
	return lines.filter(({ box }) => right - box[2] < width * 0.12).length > lines.length * 0.6;
}

/** The rows as a table; null when they share no columns, such as justified text or labels of a drawing. */
function tableOf(rows: readonly CellRow[]): Part | null {
	const columns = columnsOfCells(rows.filter(hasCells));
	if (columns.length < 2 || rows.filter(hasCells).every(isStretched)) return null;
	const filled: { cells: string[]; lines: Line[] }[] = [];
	for (const row of rows) {
		const last = filled.at(-1);
		const isContinuation = !hasCells(row) && last !== undefined;
		const target = isContinuation ? last : { cells: columns.map(() => ""), lines: [] };
		for (const piece of row) put(piece, columns, target.cells, hasCells(row) && filled.length === 0);
		target.lines.push(...linesOf(row));
		if (!isContinuation) filled.push(target);
	}
	const filledCells = filled.map(({ cells }) => cells.filter((cell) => cell !== "").length);
	const count = filledCells.reduce((sum, each) => sum + each, 0);
	if (filledCells.filter((each) => each > 1).length < 2 || count < filled.length * columns.length * filledShareMin) return null;
	const [top, below] = filled;
	return { kind: "table", grid: { rows: filled, edges: columns.map(({ left }) => left), hasBoldTop: isBold(top?.lines) && !isBold(below?.lines) } };
}

/** In letter heights: the gaps of a justified line differ by no more. */
const stretchedGaps = 0.12;

/** A justified line of prose: its gaps are equal, but its words are not. */
function isStretched(row: CellRow): boolean {
	if (row.length < 3 || row.some(({ lines }) => lines.length > 1)) return false;
	const gaps = row.slice(1).map(({ box }, index) => box[0] - (row[index]?.box[2] ?? 0));
	const widths = row.map(({ box }) => box[2] - box[0]);
	return Math.max(...gaps) - Math.min(...gaps) < (row[0]?.size ?? 0) * stretchedGaps && Math.max(...widths) > Math.min(...widths) * 1.2;
}

function isBold(lines: readonly Line[] | undefined): boolean {
	return lines?.every((line) => line.isBold) === true;
}

/** A header that spans columns is repeated in each of them. */
function put(piece: Piece, columns: readonly Column[], cells: string[], isTop: boolean): void {
	const [from, to] = columnsUnder(piece, columns, isTop);
	for (let column = from; column <= to; column++) cells[column] = cells[column] === "" ? textOf(piece) : `${cells[column]} ${textOf(piece)}`;
}
