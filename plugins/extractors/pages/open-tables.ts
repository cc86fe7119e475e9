/** Tables without drawn walls: rows of cells under each other whose cells begin at the same places. */

import { type CellRow, cellRowsOf, type Grid, hasCells, type Piece, textOf } from "./page-rows.ts";
import type { Line } from "./page-text.ts";

/** What follows each other on a page. */
export type Part =
	| { readonly kind: "text"; readonly lines: readonly Line[] }
	| { readonly kind: "table"; readonly grid: Grid }
	| { readonly kind: "columns"; readonly columns: readonly (readonly Line[])[] };

/** Columns begin at least this far apart, in letter heights. */
const columnGap = 1.2;
/** The share of a table's cells that must be filled: steps of a diagram fill fewer. */
const filledShareMin = 0.4;
/** The share of a table's rows that may reach across the beginning of a column. */
const crossingShareMax = 0.1;
/** Lines as long as this, on average, are those of two columns of prose. */
const proseCharacters = 25;
const proseRowsMin = 4;
/** What goes on below a cell lies no further away, in letter heights. */
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

/** The rows from here on that have cells, with what goes on below one of their cells. */
function tableRows(rows: readonly CellRow[], from: number): readonly CellRow[] {
	let end = from;
	let above: CellRow | null = null;
	for (let row = rows[end]; row !== undefined && (above === null || isBelow(row, above)); row = rows[++end]) {
		if (hasCells(row)) above = row;
		else if (above === null || !goesOnBelow(row, above)) break;
	}
	return rows.slice(from, end);
}

/** What stands higher up again is in the next column of the page. */
function isBelow(row: CellRow, above: CellRow): boolean {
	return (row[0]?.box[1] ?? 0) > (above[0]?.box[1] ?? 0);
}

/** A lone piece right below a cell that is not the first of its row: its next line. */
function goesOnBelow(row: CellRow, above: CellRow): boolean {
	const [piece] = row;
	if (piece === undefined || row.length > 1) return false;
	return above.some((cell, index) => {
		const gap = piece.box[1] - cell.box[3];
		return index > 0 && Math.abs(cell.box[0] - piece.box[0]) <= 2 && gap > -piece.size && gap < piece.size * continuationGap;
	});
}

/** Two columns of prose whose lines happen to share their baselines: to be read one after the other. */
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

/** The rows as a table; null when they share no columns: stretched lines of text, the labels of a drawing. */
function tableOf(rows: readonly CellRow[]): Part | null {
	const edges = columnEdges(rows.filter(hasCells));
	if (edges.length < 2) return null;
	const filled: { cells: string[]; lines: Line[] }[] = [];
	for (const row of rows) {
		const last = filled.at(-1);
		const isContinuation = !hasCells(row) && last !== undefined;
		const target = isContinuation ? last : { cells: edges.map(() => ""), lines: [] };
		for (const piece of row) put(piece, edges, target.cells);
		target.lines.push(...linesOf(row));
		if (!isContinuation) filled.push(target);
	}
	const count = filled.reduce((sum, { cells }) => sum + cells.filter((cell) => cell !== "").length, 0);
	if (filled.length < 2 || count < filled.length * edges.length * filledShareMin) return null;
	const [top, below] = filled;
	return { kind: "table", grid: { rows: filled, edges, hasBoldTop: isBold(top?.lines) && !isBold(below?.lines) } };
}

function isBold(lines: readonly Line[] | undefined): boolean {
	return lines?.every((line) => line.isBold) === true;
}

function put(piece: Piece, edges: readonly number[], cells: string[]): void {
	const column = Math.max(
		0,
		edges.findLastIndex((edge) => edge <= piece.box[0]),
	);
	cells[column] = cells[column] === "" ? textOf(piece) : `${cells[column]} ${textOf(piece)}`;
}

/** A column begins where a cell begins and no full row writes across. Rows with fewer cells may: a title spans columns. */
function columnEdges(rows: readonly CellRow[]): readonly number[] {
	const counts = rows.map((row) => row.length).sort((a, b) => a - b);
	const usual = counts[counts.length >> 1] ?? 0;
	const full = rows.filter((row) => row.length >= usual);
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
