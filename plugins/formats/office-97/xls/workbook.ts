/** Reads what the sheets of a workbook from before 2007 share: names, strings, number formats. */

import { fail } from "cairn-memory";
import { builtInFormat, compileFormat, type NumberFormat } from "../../sheets/number-format.ts";
import { recordsFrom, type TextEncoding, textAt, textEncodingOf, types } from "./records.ts";
import { sharedStrings } from "./shared-strings.ts";

export interface XlsSheet {
	readonly name: string;
	/** Offset of its records. */
	readonly start: number;
	readonly isHidden: boolean;
}

export interface XlsWorkbook {
	readonly encoding: TextEncoding;
	readonly sheets: readonly XlsSheet[];
	readonly strings: readonly string[];
	/** Whether dates count from 1904, as in old Mac workbooks, and not from 1900. */
	readonly is1904: boolean;
	/** Returns the number format for the format index of a cell. */
	readonly formatOf: (cellFormat: number) => NumberFormat;
}

const worksheet = 0;
const defaultCodePage = 1252;

/** @throws FILE_ENCRYPTED, FILE_BROKEN */
export function readWorkbook(stream: Buffer): XlsWorkbook {
	const version = stream.length >= 6 && stream.readUInt16LE(0) === types.bof ? stream.readUInt16LE(4) : 0;
	if (version === 0) throw fail("FILE_BROKEN", "its first record is not that of a workbook");
	let encoding = textEncodingOf(version, defaultCodePage);
	let is1904 = false;
	let strings: readonly string[] = [];
	const sheets: XlsSheet[] = [];
	const formatIds: number[] = [];
	const codes = new Map<number, string>();
	for (const { type, data, pieces } of recordsFrom(stream, 0)) {
		if (type === types.eof) break;
		if (type === types.filePass) throw fail("FILE_ENCRYPTED");
		if (type === types.codePage) encoding = textEncodingOf(version, data.readUInt16LE(0));
		if (type === types.dateMode) is1904 = data.readUInt16LE(0) === 1;
		if (type === types.sst) strings = sharedStrings(pieces);
		if (type === types.xf) formatIds.push(data.readUInt16LE(2));
		if (type === types.format) codes.set(data.readUInt16LE(0), textAt(data, 2, encoding.isUnicode ? 2 : 1, encoding));
		if (type === types.boundSheet && data.readUInt8(5) === worksheet) {
			const name = textAt(data, 6, 1, encoding);
			sheets.push({ name: name.replace(/\p{Cc}/gu, ""), start: data.readUInt32LE(0), isHidden: (data.readUInt8(4) & 3) !== 0 });
		}
	}
	const compiled = new Map<number, NumberFormat>();
	const formatOf = (cellFormat: number): NumberFormat => {
		const id = formatIds[cellFormat] ?? 0;
		const format = compiled.get(id) ?? compileFormat(codes.get(id) ?? builtInFormat(id));
		compiled.set(id, format);
		return format;
	};
	return { encoding, sheets, strings, is1904, formatOf };
}
