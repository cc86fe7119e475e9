/** The file header (FIB) of a Word file from before 2007: its version, and where its tables are. */

import { fail } from "cairn-memory";

export interface DocHeader {
	/** The stream that contains the tables. In files of Word 6 and 95 it is the text stream. */
	readonly tableStream: Buffer;
	/** Whether the file is from Word 6 or 95, which have 8-bit text and other codes for formatting. */
	readonly isBeforeWord97: boolean;
	/** Lengths in characters: text, footnotes, headers, macros, comments, endnotes, text boxes, text boxes in headers. */
	readonly lengths: readonly number[];
	/** The bytes of a table; null if the file does not have it. */
	readonly table: (id: number) => Buffer | null;
	/** Offsets at which the text begins and ends if there is no piece table. */
	readonly textStart: number;
	readonly textEnd: number;
}

/** Positions of tables in the header's list of tables. */
export const tableIds = { styles: 1, characters: 12, paragraphs: 13, pieces: 33, lists: 73, listOverrides: 74 } as const;

const word97 = 0xa5ec;
const word6 = 0xa5dc;
const flags = { isEncrypted: 0x0100, isSecondTable: 0x0200 } as const;
/** Offsets of the text lengths and the table list in both versions of the header. */
const layouts = { word97: { lengths: 0x4c, tables: 0x9a }, before: { lengths: 0x34, tables: 0x58 } } as const;
const lengthsCount = 8;

/** @throws FILE_ENCRYPTED, FILE_BROKEN */
export function readHeader(main: Buffer, stream: (name: string) => Buffer | null): DocHeader {
	const version = main.length >= 0x60 ? main.readUInt16LE(0) : 0;
	if (version !== word97 && version !== word6) throw fail("FILE_BROKEN", "its first bytes are not those of a Word file");
	const flagBits = main.readUInt16LE(0x0a);
	if ((flagBits & flags.isEncrypted) !== 0) throw fail("FILE_ENCRYPTED");
	const isBeforeWord97 = version === word6 || main.readUInt16LE(2) < 0xc1;
	const layout = isBeforeWord97 ? layouts.before : layouts.word97;
	const name = (flagBits & flags.isSecondTable) !== 0 ? "1Table" : "0Table";
	const tableStream = isBeforeWord97 ? main : (stream(name) ?? stream(name === "1Table" ? "0Table" : "1Table"));
	if (tableStream === null) throw fail("FILE_BROKEN", `it has no stream ${name}`);
	return {
		tableStream,
		isBeforeWord97,
		lengths: Array.from({ length: lengthsCount }, (_, index) => main.readUInt32LE(layout.lengths + index * 4)),
		textStart: main.readUInt32LE(0x18),
		textEnd: main.readUInt32LE(0x1c),
		table(id) {
			const entryOffset = layout.tables + id * 8;
			if (entryOffset + 8 > main.length) return null;
			const [start, length] = [main.readUInt32LE(entryOffset), main.readUInt32LE(entryOffset + 4)];
			return length === 0 || start + length > tableStream.length ? null : tableStream.subarray(start, start + length);
		},
	};
}
