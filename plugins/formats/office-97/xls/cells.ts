/** The records of one sheet → its cells as displayed, merged ranges, comments and text boxes. */

import { columnsMax, type Range, rowsMax } from "../../sheets/grid.ts";
import { charactersAt, recordsFrom, textAt, types, type XlsRecord } from "./records.ts";
import type { XlsSheet, XlsWorkbook } from "./workbook.ts";

export interface XlsCells {
	/** By row, from 1, then by column, from 0. */
	readonly rows: ReadonlyMap<number, ReadonlyMap<number, string>>;
	readonly merged: readonly Range[];
	/** With the cell they belong to, such as `B3`. */
	readonly comments: readonly { readonly cell: string; readonly author: string; readonly text: string }[];
	/** Text boxes. */
	readonly boxes: readonly string[];
}

const errors: Readonly<Record<number, string>> = { 0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A" };
const commentObject = 0x19;

/** @param spend is called with the length of every text, and throws when there is too much. */
export function readCells(stream: Buffer, sheet: XlsSheet, workbook: XlsWorkbook, spend: (characters: number) => void): XlsCells {
	const rows = new Map<number, Map<number, string>>();
	const merged: Range[] = [];
	const notes: { readonly cell: string; readonly object: number; readonly author: string }[] = [];
	const texts = new Map<number, { readonly text: string; readonly isComment: boolean }>();
	const put = (row: number, column: number, text: string) => {
		if (text.trim() === "" || row >= rowsMax || column >= columnsMax) return;
		spend(text.length);
		const cells = rows.get(row + 1) ?? new Map<number, string>();
		rows.set(row + 1, cells);
		cells.set(column, text);
	};
	let depth = 0;
	/** A formula cell whose result is a text, which is in the next record. */
	let waiting: readonly [row: number, column: number] | null = null;
	let object = { id: 0, isComment: false };
	for (const record of recordsFrom(stream, sheet.start)) {
		const { type, data } = record;
		// An embedded chart has its own BOF and EOF records.
		if (type === types.bof) depth++;
		if (type === types.eof && --depth <= 0) break;
		if (depth !== 1) continue;
		if (type === types.string && waiting !== null) put(...waiting, textAt(data, 0, 2, workbook.script));
		if (type === types.string) waiting = null;
		if (type === types.formula && isTextResult(data)) waiting = [data.readUInt16LE(0), data.readUInt16LE(2)];
		else if (type === types.mulRk) putMany(data, workbook, put);
		else if (isCell(type)) put(data.readUInt16LE(0), data.readUInt16LE(2), cellText(record, workbook));
		else if (type === types.mergeCells) merged.push(...rangesIn(data));
		else if (type === types.object && data.length >= 8) object = { id: data.readUInt16LE(6), isComment: data.readUInt16LE(4) === commentObject };
		else if (type === types.textObject) texts.set(object.id, { text: boxText(record), isComment: object.isComment });
		else if (type === types.note && workbook.script.isWide)
			notes.push({
				cell: `${columnName(data.readUInt16LE(2))}${data.readUInt16LE(0) + 1}`,
				object: data.readUInt16LE(6),
				author: textAt(data, 8, 2, workbook.script),
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

function cellText({ type, data }: XlsRecord, { strings, script, formatOf, is1904 }: XlsWorkbook): string {
	const format = (value: number) => formatOf(data.readUInt16LE(4))(value, is1904);
	if (type === types.labelSst) return strings[data.readUInt32LE(6)] ?? "";
	if (type === types.label || type === types.rString) return textAt(data, 6, 2, script);
	if (type === types.number) return format(data.readDoubleLE(6));
	if (type === types.rk) return format(rkNumber(data.readUInt32LE(6)));
	if (type === types.boolErr) return flagText(data.readUInt8(6), data.readUInt8(7) === 1);
	if (data.readUInt16LE(12) !== 0xffff) return format(data.readDoubleLE(6));
	const kind = data.readUInt8(6);
	return kind === 1 || kind === 2 ? flagText(data.readUInt8(8), kind === 2) : "";
}

function isTextResult(data: Buffer): boolean {
	return data.readUInt16LE(12) === 0xffff && data.readUInt8(6) === 0;
}

function flagText(value: number, isError: boolean): string {
	if (isError) return errors[value] ?? "#N/A";
	return value === 1 ? "TRUE" : "FALSE";
}

/** 1 → `B`, 28 → `AC`. */
function columnName(column: number): string {
	return `${column < 26 ? "" : columnName(Math.floor(column / 26) - 1)}${String.fromCharCode(65 + (column % 26))}`;
}

/** An RK number: thirty bits, a flag for integers and a flag for hundredths. */
function rkNumber(rk: number): number {
	const bytes = Buffer.alloc(8);
	bytes.writeUInt32LE((rk & 0xfffffffc) >>> 0, 4);
	const value = (rk & 2) !== 0 ? (rk | 0) >> 2 : bytes.readDoubleLE(0);
	return (rk & 1) !== 0 ? value / 100 : value;
}

function putMany(data: Buffer, { formatOf, is1904 }: XlsWorkbook, put: (row: number, column: number, text: string) => void): void {
	const [row, first] = [data.readUInt16LE(0), data.readUInt16LE(2)];
	for (let at = 4, column = first; at + 8 <= data.length; at += 6, column++)
		put(row, column, formatOf(data.readUInt16LE(at))(rkNumber(data.readUInt32LE(at + 2)), is1904));
}

function rangesIn(data: Buffer): readonly Range[] {
	const count = Math.min(data.readUInt16LE(0), Math.floor((data.length - 2) / 8));
	return Array.from({ length: count }, (_, index) => {
		const at = 2 + index * 8;
		return { top: data.readUInt16LE(at) + 1, bottom: data.readUInt16LE(at + 2) + 1, left: data.readUInt16LE(at + 4), right: data.readUInt16LE(at + 6) };
	});
}

/** The text is in the continuation records. */
function boxText({ data, pieces }: XlsRecord): string {
	if (data.length < 12) return "";
	let left = data.readUInt16LE(10);
	let text = "";
	for (const piece of pieces.slice(1)) {
		if (left <= 0 || piece.length === 0) break;
		const more = charactersAt(piece, 1, left, (piece.readUInt8(0) & 1) !== 0);
		text += more;
		left -= more.length;
	}
	return text.replace(/\r\n?/g, "\n").trim();
}
