/** Workbooks of Excel 97 made for tests. */

import { compoundOf, streamNode } from "./compound-file.ts";

export type XlsCell = string | number | boolean | null | { readonly formula: string | number } | { readonly error: number } | { readonly date: number };

export interface XlsSheetParts {
	readonly name: string;
	readonly rows: readonly (readonly XlsCell[])[];
	readonly isHidden?: boolean;
	/** Top, bottom, left, right, from 0. */
	readonly merged?: readonly (readonly [number, number, number, number])[];
	readonly comment?: { readonly row: number; readonly column: number; readonly author: string; readonly text: string };
}

export interface XlsOptions {
	/** Cuts the list of texts into records of this many bytes. */
	readonly recordBytes?: number;
	readonly isEncrypted?: boolean;
}

/** Looks of cells: general, and a date. */
const dateLook = 1;

export function xlsOf(sheets: readonly XlsSheetParts[], { recordBytes = 8_000, isEncrypted = false }: XlsOptions = {}): Uint8Array {
	const strings = [...new Set(sheets.flatMap(({ rows }) => rows.flat().filter((cell) => typeof cell === "string")))];
	const bodies = sheets.map((sheet) => sheetRecords(sheet, strings));
	const globals = (starts: readonly number[]) =>
		Buffer.concat([
			record(0x809, numbers(0x600, 5, 0, 0)),
			...(isEncrypted ? [record(0x2f, numbers(1, 1))] : []),
			record(0xe0, Buffer.concat([numbers(0, 0), Buffer.alloc(16)])),
			record(0xe0, Buffer.concat([numbers(0, 14), Buffer.alloc(16)])),
			...sheets.map(({ name, isHidden = false }, index) =>
				record(0x85, Buffer.concat([long(starts[index] ?? 0), Buffer.from([isHidden ? 1 : 0, 0]), shortText(name)])),
			),
			...stringRecords(strings, recordBytes),
			record(0x0a, Buffer.alloc(0)),
		]);
	let at = globals(sheets.map(() => 0)).length;
	const starts = bodies.map((body) => {
		at += body.length;
		return at - body.length;
	});
	return compoundOf([streamNode("Workbook", Buffer.concat([globals(starts), ...bodies]))]);
}

function sheetRecords({ rows, merged = [], comment }: XlsSheetParts, strings: readonly string[]): Buffer {
	const cells = rows.flatMap((row, y) => row.flatMap((cell, x) => cellRecords(cell, y, x, strings)));
	return Buffer.concat([
		record(0x809, numbers(0x600, 0x10, 0, 0)),
		...cells,
		// A chart on the sheet, with a number that is no cell of it.
		record(0x809, numbers(0x600, 0x20, 0, 0)),
		record(0x203, Buffer.concat([numbers(0, 0, 0), double(666)])),
		record(0x0a, Buffer.alloc(0)),
		...(merged.length === 0 ? [] : [record(0xe5, Buffer.concat([numbers(merged.length), ...merged.map((range) => numbers(...range))]))]),
		...(comment === undefined ? [] : commentRecords(comment)),
		record(0x0a, Buffer.alloc(0)),
	]);
}

function cellRecords(cell: XlsCell, row: number, column: number, strings: readonly string[]): readonly Buffer[] {
	const head = numbers(row, column, 0);
	if (cell === null) return [];
	if (typeof cell === "string") return [record(0xfd, Buffer.concat([head, long(strings.indexOf(cell))]))];
	if (typeof cell === "boolean") return [record(0x205, Buffer.concat([head, Buffer.from([cell ? 1 : 0, 0])]))];
	if (typeof cell === "number" && Number.isInteger(cell)) return [record(0x27e, Buffer.concat([head, long((cell << 2) | 2)]))];
	if (typeof cell === "number") return [record(0x203, Buffer.concat([head, double(cell)]))];
	if ("error" in cell) return [record(0x205, Buffer.concat([head, Buffer.from([cell.error, 1])]))];
	if ("date" in cell) return [record(0x203, Buffer.concat([numbers(row, column, dateLook), double(cell.date)]))];
	const { formula } = cell;
	const tail = Buffer.alloc(8);
	if (typeof formula === "number") return [record(0x06, Buffer.concat([head, double(formula), tail]))];
	return [record(0x06, Buffer.concat([head, Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), tail])), record(0x207, longText(formula))];
}

function commentRecords({ row, column, author, text }: NonNullable<XlsSheetParts["comment"]>): readonly Buffer[] {
	const shown = Buffer.alloc(18);
	shown.writeUInt16LE(text.length, 10);
	return [
		record(0x5d, numbers(0x15, 0x12, 0x19, 1, 0, 0, 0, 0, 0, 0, 0)),
		record(0x1b6, shown),
		record(0x3c, Buffer.concat([Buffer.from([0]), Buffer.from(text, "latin1")])),
		record(0x1c, Buffer.concat([numbers(row, column, 0, 1), longText(author)])),
	];
}

/** A text is cut wherever its record is full, and goes on with a byte that says how. */
function stringRecords(strings: readonly string[], bytesMax: number): readonly Buffer[] {
	const pieces: Buffer[] = [];
	let piece: Buffer[] = [long(strings.length), long(strings.length)];
	let used = 8;
	const close = () => {
		pieces.push(Buffer.concat(piece));
		piece = [];
		used = 0;
	};
	const add = (bytes: Buffer) => {
		piece.push(bytes);
		used += bytes.length;
	};
	for (const text of strings) {
		if (used + 4 > bytesMax) close();
		const head = Buffer.from([0, 0, 1]);
		head.writeUInt16LE(text.length);
		add(head);
		for (const unit of text.split("")) {
			if (used + 2 > bytesMax) {
				close();
				add(Buffer.from([1]));
			}
			add(Buffer.from(unit, "utf16le"));
		}
	}
	close();
	return pieces.map((bytes, index) => record(index === 0 ? 0xfc : 0x3c, bytes));
}

function record(type: number, data: Buffer): Buffer {
	return Buffer.concat([numbers(type, data.length), data]);
}

function numbers(...values: readonly number[]): Buffer {
	return Buffer.from(Uint16Array.from(values).buffer);
}

function long(value: number): Buffer {
	return Buffer.from(Int32Array.of(value).buffer);
}

function double(value: number): Buffer {
	return Buffer.from(Float64Array.of(value).buffer);
}

function shortText(text: string): Buffer {
	return Buffer.concat([Buffer.from([text.length, 1]), Buffer.from(text, "utf16le")]);
}

function longText(text: string): Buffer {
	return Buffer.concat([numbers(text.length), Buffer.from([1]), Buffer.from(text, "utf16le")]);
}
