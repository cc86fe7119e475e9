/** What the sheets of a workbook from before 2007 share: names, strings, number formats. */

import { fail } from "cairn-memory";
import { builtInFormat, compileFormat, type NumberFormat } from "../../sheets/number-format.ts";
import { recordsFrom, type Script, scriptOf, textAt, types } from "./records.ts";
import { sharedStrings } from "./shared-strings.ts";

export interface XlsSheet {
	readonly name: string;
	/** Offset of its records. */
	readonly start: number;
	readonly isHidden: boolean;
}

export interface XlsWorkbook {
	readonly script: Script;
	readonly sheets: readonly XlsSheet[];
	readonly strings: readonly string[];
	readonly is1904: boolean;
	/** By the format index of a cell. */
	readonly formatOf: (look: number) => NumberFormat;
}

const worksheet = 0;
const defaultPage = 1252;

/** @throws FILE_ENCRYPTED, FILE_BROKEN */
export function readWorkbook(stream: Buffer): XlsWorkbook {
	const version = stream.length >= 6 && stream.readUInt16LE(0) === types.bof ? stream.readUInt16LE(4) : 0;
	if (version === 0) throw fail("FILE_BROKEN", "its first record is not that of a workbook");
	let script = scriptOf(version, defaultPage);
	let is1904 = false;
	let strings: readonly string[] = [];
	const sheets: XlsSheet[] = [];
	const looks: number[] = [];
	const codes = new Map<number, string>();
	for (const { type, data, pieces } of recordsFrom(stream, 0)) {
		if (type === types.eof) break;
		if (type === types.filePass) throw fail("FILE_ENCRYPTED");
		if (type === types.codePage) script = scriptOf(version, data.readUInt16LE(0));
		if (type === types.dateMode) is1904 = data.readUInt16LE(0) === 1;
		if (type === types.sst) strings = sharedStrings(pieces);
		if (type === types.xf) looks.push(data.readUInt16LE(2));
		if (type === types.format) codes.set(data.readUInt16LE(0), textAt(data, 2, script.isWide ? 2 : 1, script));
		if (type === types.boundSheet && data.readUInt8(5) === worksheet) {
			const name = textAt(data, 6, 1, script);
			sheets.push({ name: name.replace(/\p{Cc}/gu, ""), start: data.readUInt32LE(0), isHidden: (data.readUInt8(4) & 3) !== 0 });
		}
	}
	const compiled = new Map<number, NumberFormat>();
	const formatOf = (look: number): NumberFormat => {
		const id = looks[look] ?? 0;
		const format = compiled.get(id) ?? compileFormat(codes.get(id) ?? builtInFormat(id));
		compiled.set(id, format);
		return format;
	};
	return { script, sheets, strings, is1904, formatOf };
}
