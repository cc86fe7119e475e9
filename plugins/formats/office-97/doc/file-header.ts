/** The file header (FIB) of a Word file from before 2007: its version, and where its tables are. */

import { fail } from "cairn-memory";

export interface DocHead {
	/** The stream with the tables; in files of Word 6 and 95 the text stream. */
	readonly tables: Buffer;
	/** Word 6 or 95: 8-bit text, and other codes for formatting. */
	readonly isOld: boolean;
	/** Lengths in characters: text, footnotes, headers, macros, comments, endnotes, text boxes, text boxes in headers. */
	readonly lengths: readonly number[];
	/** The bytes of the table with this number; null when there is none. */
	readonly table: (number: number) => Buffer | null;
	/** Where the text begins when there is no piece table. */
	readonly textStart: number;
	readonly textEnd: number;
}

export const tableNumbers = { styles: 1, characters: 12, paragraphs: 13, pieces: 33, lists: 73, listUses: 74 } as const;

const word97 = 0xa5ec;
const word6 = 0xa5dc;
const flags = { isEncrypted: 0x0100, isSecondTable: 0x0200 } as const;
/** Offsets of the text lengths and the table list in both versions of the header. */
const places = { new: { lengths: 0x4c, tables: 0x9a }, old: { lengths: 0x34, tables: 0x58 } } as const;
const lengthsCount = 8;

/** @throws FILE_ENCRYPTED, FILE_BROKEN */
export function readHead(main: Buffer, stream: (name: string) => Buffer | null): DocHead {
	const kind = main.length >= 0x60 ? main.readUInt16LE(0) : 0;
	if (kind !== word97 && kind !== word6) throw fail("FILE_BROKEN", "its first bytes are not those of a Word file");
	const bits = main.readUInt16LE(0x0a);
	if ((bits & flags.isEncrypted) !== 0) throw fail("FILE_ENCRYPTED");
	const isOld = kind === word6 || main.readUInt16LE(2) < 0xc1;
	const at = isOld ? places.old : places.new;
	const name = (bits & flags.isSecondTable) !== 0 ? "1Table" : "0Table";
	const tables = isOld ? main : (stream(name) ?? stream(name === "1Table" ? "0Table" : "1Table"));
	if (tables === null) throw fail("FILE_BROKEN", `it has no stream ${name}`);
	return {
		tables,
		isOld,
		lengths: Array.from({ length: lengthsCount }, (_, index) => main.readUInt32LE(at.lengths + index * 4)),
		textStart: main.readUInt32LE(0x18),
		textEnd: main.readUInt32LE(0x1c),
		table(number) {
			// In old files the piece table has another number; all other tables used here have the same.
			const place = at.tables + (isOld && number === tableNumbers.pieces ? 33 : number) * 8;
			if (place + 8 > main.length) return null;
			const [start, length] = [main.readUInt32LE(place), main.readUInt32LE(place + 4)];
			return length === 0 || start + length > tables.length ? null : tables.subarray(start, start + length);
		},
	};
}
