/** Reads the records of one sheet: its cells as displayed, merged ranges, comments and text boxes. */

import { columnsMax, type Range, rowsMax } from "../../sheets/grid.ts";
import { charactersAt, recordsFrom, textAt, types, type XlsRecord } from "./records.ts";
import type { XlsSheet, XlsWorkbook } from "./workbook.ts";

export interface XlsCells {
	/** Texts by row (from 1), then by column (from 0). */
	readonly rows: ReadonlyMap<number, ReadonlyMap<number, string>>;
	readonly merged: readonly Range[];
	/** Comments with the cell they belong to, such as `B3`. */
	readonly comments: readonly { readonly cell: string; readonly author: string; readonly text: string }[];
	/** The texts of text boxes. */
	readonly boxes: readonly string[];
}

const errors: Readonly<Record<number, string>> = { 0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A" };
const commentObject = 0x19;

/** @param spend is called with the length of every text, and throws if there is too much text. */
export function readCells(stream: Buffer, sheet: XlsSheet, workbook: XlsWorkbook, spend: (characters: number) => void): XlsCells {
	const rows = new Map<number, Map<number, string>>();
	const merged: Range[] = [];
	const notes: { readonly cell: string; readonly object: number; readonly author: string }[] = [];
	const texts = new Map<number, { readonly text: string; readonly isComment: boolean }>();
	const setCell = (row: number, column: number, text: string) => {
		if (text.trim() === "" || row >= rowsMax || column >= columnsMax) return;
		spend(text.length);
		const cells = rows.get(row + 1) ?? new Map<number, string>();
		rows.set(row + 1, cells);
		cells.set(column, text);
	};
	let depth = 0;
	/** The cell of a formula whose result is a text. The text is in one of the next records. */
	let formulaWaitingForText: readonly [row: number, column: number] | null = null;
	let object = { id: 0, isComment: false };
	for (const record of recordsFrom(stream, sheet.start)) {
		const { type, data } = record;
		// An embedded chart has its own BOF and EOF records.
		if (type === types.bof) depth++;
		if (type === types.eof && --depth <= 0) break;
		if (depth !== 1) continue;
		if (type === types.string && formulaWaitingForText !== null) setCell(...formulaWaitingForText, textAt(data, 0, 2, workbook.encoding));
		if (type === types.string) formulaWaitingForText = null;
		if (type === types.formula && isTextResult(data)) formulaWaitingForText = [data.readUInt16LE(0), data.readUInt16LE(2)];
		else if (type === types.mulRk) setCells(data, workbook, setCell);
		else if (isCell(type)) setCell(data.readUInt16LE(0), data.readUInt16LE(2), cellText(record, workbook));
		else if (type === types.mergeCells) merged.push(...rangesIn(data));
		else if (type === types.object && data.length >= 8) object = { id: data.readUInt16LE(6), isComment: data.readUInt16LE(4) === commentObject };
		else if (type === types.textObject) texts.set(object.id, { text: boxText(record), isComment: object.isComment });
		else if (type === types.note && workbook.encoding.isUnicode)
			notes.push({
				cell: `${columnName(data.readUInt16LE(2))}${data.readUInt16LE(0) + 1}`,
				object: data.readUInt16LE(6),
				author: textAt(data, 8, 2, workbook.encoding),
			});
	}
	return {
		rows,
		merged,
		comments: notes.map(({ cell, object: id, author }) => ({ cell, author, text: texts.get(id)?.text ?? "" })),
		boxes: [...texts.values()].filter(({ isComment }) => !isComment).map(({ text }) => text),
	};
}

function isCell(type: number): boolean {
	return (
		type === types.labelSst ||
		type === types.number ||
		type === types.rk ||
		type === types.label ||
		type === types.rString ||
		type === types.boolErr ||
		type === types.formula
	);
}

function cellText({ type, data }: XlsRecord, { strings, encoding, formatOf, is1904 }: XlsWorkbook): string {
	const format = (value: number) => formatOf(data.readUInt16LE(4))(value, is1904);
	if (type === types.labelSst) return strings[data.readUInt32LE(6)] ?? "";
	if (type === types.label || type === types.rString) return textAt(data, 6, 2, encoding);
	if (type === types.number) return format(data.readDoubleLE(6));
	if (type === types.rk) return format(rkNumber(data.readUInt32LE(6)));
	if (type === types.boolErr) return booleanOrError(data.readUInt8(6), data.readUInt8(7) === 1);
	if (data.readUInt16LE(12) !== 0xffff) return format(data.readDoubleLE(6));
	const kind = data.readUInt8(6);
	return kind === 1 || kind === 2 ? booleanOrError(data.readUInt8(8), kind === 2) : "";
}

function isTextResult(data: Buffer): boolean {
	return data.readUInt16LE(12) === 0xffff && data.readUInt8(6) === 0;
}

function booleanOrError(value: number, isError: boolean): string {
	if (isError) return errors[value] ?? "#N/A";
	return value === 1 ? "TRUE" : "FALSE";
}

/** The letters of a column number: `B` for 1, `AC` for 28. */
function columnName(column: number): string {
	return `${column < 26 ? "" : columnName(Math.floor(column / 26) - 1)}${String.fromCharCode(65 + (column % 26))}`;
}

/** Decodes an RK number: thirty bits of the value, a flag for integers and a flag for division by 100. */
function rkNumber(rk: number): number {
	const bytes = Buffer.alloc(8);
	bytes.writeUInt32LE((rk & 0xfffffffc) >>> 0, 4);
	const value = (rk & 2) !== 0 ? (rk | 0) >> 2 : bytes.readDoubleLE(0);
	return (rk & 1) !== 0 ? value / 100 : value;
}

function setCells(data: Buffer, { formatOf, is1904 }: XlsWorkbook, setCell: (row: number, column: number, text: string) => void): void {
	const [row, first] = [data.readUInt16LE(0), data.readUInt16LE(2)];
	for (let offset = 4, column = first; offset + 8 <= data.length; offset += 6, column++)
		setCell(row, column, formatOf(data.readUInt16LE(offset))(rkNumber(data.readUInt32LE(offset + 2)), is1904));
}

function rangesIn(data: Buffer): readonly Range[] {
	const count = Math.min(data.readUInt16LE(0), Math.floor((data.length - 2) / 8));
	return Array.from({ length: count }, (_, index) => {
		const offset = 2 + index * 8;
		return {
			top: data.readUInt16LE(offset) + 1,
			bottom: data.readUInt16LE(offset + 2) + 1,
			left: data.readUInt16LE(offset + 4),
			right: data.readUInt16LE(offset + 6),
		};
	});
}

/** The text of a text box, which is in the continuation records. */
function boxText({ data, pieces }: XlsRecord): string {
	if (data.length < 12) return "";
	let charactersLeft = data.readUInt16LE(10);
	let text = "";
	for (const piece of pieces.slice(1)) {
		if (charactersLeft <= 0 || piece.length === 0) break;
		const part = charactersAt(piece, 1, charactersLeft, (piece.readUInt8(0) & 1) !== 0);
		text += part;
		charactersLeft -= part.length;
	}
	return text.replace(/\r\n?/g, "\n").trim();
}
