/** Groups lines of a page that are side by side into rows of cells, for table detection. */

import { type Box, unionOf } from "../../ocr/ocr-paragraphs.ts";
import { joinLines } from "../letters/join-lines.ts";
import type { Line } from "../page-text.ts";

/** Lines on one baseline, from left to right. */
export type Row = readonly Line[];

/** Consecutive lines, one below the other, that form a cell or a paragraph. */
export interface Piece {
	readonly lines: readonly [Line, ...Line[]];
	readonly box: Box;
	readonly size: number;
}

/** Pieces side by side, from left to right. */
export type CellRow = readonly Piece[];

export interface Grid {
	readonly rows: readonly { readonly cells: readonly string[]; readonly lines: Row }[];
	/** The x at which each column begins, in points. */
	readonly edges: readonly number[];
	/** Whether all of the first row is bold, and not all of the second. */
	readonly hasBoldTop: boolean;
	/** Of a tagged table: the same on all of its pages. */
	readonly table?: string;
}

/** A wider gap separates cells, a narrower one separates words, in font sizes. */
const cellGap = 0.9;
/** The largest gap between lines of one piece, in font sizes. */
const lineGap = 0.75;
/** Aligned edges differ by at most this, in points. */
const alignment = 2;

/** A list marker on its own: a bullet, a dash, a number. */
const loneMarker = /^(?:[•◦▪‣●○■□–∗✓✔➢➤►▶❖◆★*·\ufffd\p{Co}-]|\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])$/u;

/** Groups lines into rows: consecutive lines on one baseline. */
export function rowsOf(lines: readonly Line[]): readonly Row[] {
	const rows: Line[][] = [];
	for (const line of lines) {
		const row = rows.at(-1);
		const last = row?.at(-1);
		if (row !== undefined && last !== undefined && isBeside(last.box, line.box)) row.push(line);
		else rows.push([line]);
	}
	return rows;
}

/** Groups lines into rows of cells. A cell may have several lines, and the file may store them cell by cell or line by line. */
export function cellRowsOf(lines: readonly Line[]): readonly CellRow[] {
	const rows: Piece[][] = [];
	for (const line of lines) {
		const row = rows.at(-1) ?? [];
		const last = row.at(-1);
		if (last === undefined) rows.push([pieceOf([line])]);
		else if (continuesPiece(last, line)) row[row.length - 1] = pieceOf([...last.lines, line]);
		else if (row.some((piece) => standsBeside(piece, line)) && line.box[0] >= last.box[2] - alignment) row.push(pieceOf([line]));
		else if (row.length === 1 && last.lines.length > 1 && isBeside((last.lines.at(-1) ?? line).box, line.box)) rows.push(...splitBefore(rows.pop(), line));
		else rows.push([pieceOf([line])]);
	}
	return rows;
}

function pieceOf(lines: readonly Line[]): Piece {
	const [first, ...rest] = lines as readonly [Line, ...Line[]];
	return { lines: [first, ...rest], box: rest.reduce((box, line) => unionOf(box, line.box), first.box), size: first.size };
}

/** Whether the line continues the piece: it is right below, has the same size and weight, and is aligned at a side or centred. */
function continuesPiece(piece: Piece, line: Line): boolean {
	const above = piece.lines.at(-1) ?? line;
	const gap = line.box[1] - above.box[3];
	if (gap < -line.size * 0.6 || gap > line.size * lineGap || line.box[1] < above.box[1] + line.size * 0.5) return false;
	if (Math.abs(above.size - line.size) > 0.6 || above.isBold !== line.isBold || line.hasDot) return false;
	const [left, right] = [line.box[0] - piece.box[0], line.box[2] - piece.box[2]];
	return Math.abs(left) <= alignment || Math.abs(right) <= alignment || Math.abs(left + right) <= alignment;
}

/** Whether the line is in the same row as the piece. Cells may be aligned at the top or in the middle. */
function standsBeside(piece: Piece, line: Line): boolean {
	return isBeside(piece.lines[0].box, line.box) || (piece.lines.length > 1 && isBeside(piece.box, line.box));
}

/** Splits a piece before its last line, since only the last line has another one beside it. */
function splitBefore(row: readonly Piece[] | undefined, line: Line): Piece[][] {
	const lines = row?.[0]?.lines ?? [line];
	return [[pieceOf(lines.slice(0, -1))], [pieceOf(lines.slice(-1)), pieceOf([line])]];
}

function isBeside(left: Box, right: Box): boolean {
	const distance = Math.abs(centerY(left) - centerY(right));
	return distance < Math.min(heightOf(left), heightOf(right)) * 0.5 && right[0] >= left[2] - alignment;
}

function centerY(box: Box): number {
	return (box[1] + box[3]) / 2;
}

function heightOf(box: Box): number {
	return box[3] - box[1];
}

/** Whether the row has several cells, and is not just a list marker and its item. */
export function hasCells(row: CellRow | undefined): row is CellRow {
	if (row === undefined || row.length < 2) return false;
	if (row.length === 2 && loneMarker.test(row[0]?.lines[0].text ?? "")) return false;
	return row.every((piece, index) => {
		const left = row[index - 1];
		return left === undefined || piece.box[0] - left.box[2] > piece.size * cellGap;
	});
}

/** The text of a cell with its line breaks; hyphenated words are joined. */
export function textOf({ lines }: Piece): string {
	return joinLines(lines);
}
