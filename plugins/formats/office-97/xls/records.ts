/** The records of a workbook from before 2007 (BIFF5 and BIFF8): a type, a length, the bytes. */

import iconv from "iconv-lite";
import { codePage } from "../../cfb/legacy-file.ts";

export interface XlsRecord {
	readonly type: number;
	readonly data: Buffer;
	/** The record's data and that of its continuation records, which split texts anywhere. */
	readonly pieces: readonly Buffer[];
}

export const types = {
	formula: 0x06,
	eof: 0x0a,
	note: 0x1c,
	dateMode: 0x22,
	filePass: 0x2f,
	goesOn: 0x3c,
	codePage: 0x42,
	object: 0x5d,
	boundSheet: 0x85,
	mulRk: 0xbd,
	rString: 0xd6,
	xf: 0xe0,
	mergeCells: 0xe5,
	sst: 0xfc,
	labelSst: 0xfd,
	textObject: 0x1b6,
	number: 0x203,
	label: 0x204,
	boolErr: 0x205,
	string: 0x207,
	rk: 0x27e,
	format: 0x41e,
	bof: 0x809,
} as const;

/** All records from an offset on; a truncated one is left out. */
export function* recordsFrom(stream: Buffer, start: number): Generator<XlsRecord> {
	for (let at = start; at + 4 <= stream.length; ) {
		const type = stream.readUInt16LE(at);
		const data = dataAt(stream, at);
		const pieces = [data];
		at += 4 + data.length;
		while (at + 4 <= stream.length && stream.readUInt16LE(at) === types.goesOn && type !== types.goesOn) {
			const more = dataAt(stream, at);
			pieces.push(more);
			at += 4 + more.length;
		}
		yield { type, data, pieces };
	}
}

function dataAt(stream: Buffer, at: number): Buffer {
	return stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
}

/** The text encoding of the workbook. */
export interface Script {
	/** Unicode with a byte of flags before the text; else bytes of a code page. */
	readonly isWide: boolean;
	readonly page: string;
}

export function scriptOf(version: number, page: number): Script {
	return { isWide: version >= 0x600, page: codePage(page === 32768 ? 10000 : page === 32769 ? 1252 : page) };
}

/** Reads a text that is preceded by its length in one or two bytes. */
export function textAt(data: Buffer, at: number, lengthBytes: 1 | 2, { isWide, page }: Script): string {
	const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at);
	const start = at + lengthBytes;
	if (!isWide) return iconv.decode(data.subarray(start, start + length), page);
	const flags = data.readUInt8(start);
	const rich = (flags & 8) === 0 ? 0 : 2;
	const foreign = (flags & 4) === 0 ? 0 : 4;
	return charactersAt(data, start + 1 + rich + foreign, length, (flags & 1) !== 0);
}

/** Characters are one byte each where all are Latin-1. */
export function charactersAt(data: Buffer, start: number, length: number, isWide: boolean): string {
	return isWide
		? data.toString("utf16le", start, Math.min(data.length, start + length * 2))
		: data.toString("latin1", start, Math.min(data.length, start + length));
}
