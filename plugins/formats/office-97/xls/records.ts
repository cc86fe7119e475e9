/** The records of a workbook from before 2007 (BIFF5 and BIFF8). Each has a type, a length and bytes. */

import iconv from "iconv-lite";
import { codePage } from "../../cfb/legacy-file.ts";

export interface XlsRecord {
	readonly type: number;
	readonly data: Buffer;
	/** The record's data, then the data of its continuation records. Texts may be split between them anywhere. */
	readonly pieces: readonly Buffer[];
}

export const types = {
	formula: 0x06,
	eof: 0x0a,
	note: 0x1c,
	dateMode: 0x22,
	filePass: 0x2f,
	continuation: 0x3c,
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

/** All records from an offset on. Continuation records are added to the record they continue. */
export function* recordsFrom(stream: Buffer, start: number): Generator<XlsRecord> {
	for (let offset = start; offset + 4 <= stream.length; ) {
		const type = stream.readUInt16LE(offset);
		const data = dataAt(stream, offset);
		const pieces = [data];
		offset += 4 + data.length;
		while (offset + 4 <= stream.length && stream.readUInt16LE(offset) === types.continuation && type !== types.continuation) {
			const continuation = dataAt(stream, offset);
			pieces.push(continuation);
			offset += 4 + continuation.length;
		}
		yield { type, data, pieces };
	}
}

function dataAt(stream: Buffer, offset: number): Buffer {
	return stream.subarray(offset + 4, offset + 4 + stream.readUInt16LE(offset + 2));
}

/** The text encoding of the workbook. */
export interface TextEncoding {
	/** Whether texts are Unicode with a byte of flags before them; otherwise they are bytes of a code page. */
	readonly isUnicode: boolean;
	readonly encoding: string;
}

export function textEncodingOf(version: number, codePageNumber: number): TextEncoding {
	return { isUnicode: version >= 0x600, encoding: codePage(codePageNumber === 32768 ? 10000 : codePageNumber === 32769 ? 1252 : codePageNumber) };
}

/** Reads a text that is preceded by its length, which takes one or two bytes. */
export function textAt(data: Buffer, offset: number, lengthBytes: 1 | 2, { isUnicode, encoding }: TextEncoding): string {
	const length = lengthBytes === 1 ? data.readUInt8(offset) : data.readUInt16LE(offset);
	const start = offset + lengthBytes;
	if (!isUnicode) return iconv.decode(data.subarray(start, start + length), encoding);
	const flags = data.readUInt8(start);
	const richLengthBytes = (flags & 8) === 0 ? 0 : 2;
	const phoneticLengthBytes = (flags & 4) === 0 ? 0 : 4;
	return charactersAt(data, start + 1 + richLengthBytes + phoneticLengthBytes, length, (flags & 1) !== 0);
}

/** Reads characters of two bytes each or, if all are Latin-1, of one byte each. */
export function charactersAt(data: Buffer, start: number, length: number, isWide: boolean): string {
	return isWide
		? data.toString("utf16le", start, Math.min(data.length, start + length * 2))
		: data.toString("latin1", start, Math.min(data.length, start + length));
}
