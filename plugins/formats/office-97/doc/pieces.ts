/** Reads the text of a Word file. It is stored in pieces in the order of typing; the piece table gives their order in the text. */

import { limits } from "cairn-memory";
import iconv from "iconv-lite";
import type { DocHeader } from "./file-header.ts";
import { tableIds } from "./file-header.ts";

export interface DocText {
	readonly characters: string;
	/** The file offset of a character. */
	readonly offsetOf: (character: number) => number;
}

interface Piece {
	/** Index of its first character in the text. */
	readonly from: number;
	readonly to: number;
	readonly offset: number;
	/** Bytes per character. */
	readonly width: 1 | 2;
}

const isNarrowBit = 0x40000000;

export function readText(main: Buffer, header: DocHeader): DocText {
	const pieces = piecesOf(main, header);
	const characters = pieces.map(({ from, to, offset, width }) => {
		const bytes = main.subarray(offset, offset + (to - from) * width);
		// Padding keeps one character for each stored one, so that character indexes stay right.
		return (width === 2 ? bytes.toString("utf16le") : iconv.decode(bytes, "windows-1252")).padEnd(to - from, "\0");
	});
	return {
		characters: characters.join(""),
		offsetOf(character) {
			const piece = pieces[findPiece(pieces, character)];
			return piece === undefined ? -1 : piece.offset + (character - piece.from) * piece.width;
		},
	};
}

function findPiece(pieces: readonly Piece[], character: number): number {
	let [low, high] = [0, pieces.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((pieces[middle]?.from ?? 0) <= character) low = middle;
		else high = middle - 1;
	}
	return low;
}

function piecesOf(main: Buffer, header: DocHeader): readonly Piece[] {
	const list = header.table(tableIds.pieces);
	const table = list === null ? null : pieceTable(list);
	if (table === null) {
		const length = Math.max(0, Math.min(header.textEnd, main.length) - header.textStart);
		return [{ from: 0, to: length, offset: header.textStart, width: 1 }];
	}
	const count = Math.floor((table.length - 4) / 12);
	const pieces: Piece[] = [];
	for (let index = 0; index < count; index++) {
		const [from, to] = [table.readUInt32LE(index * 4), table.readUInt32LE(index * 4 + 4)];
		const rawOffset = table.readUInt32LE((count + 1) * 4 + index * 8 + 2);
		const isNarrow = header.isBeforeWord97 || (rawOffset & isNarrowBit) !== 0;
		const offset = isNarrow && !header.isBeforeWord97 ? (rawOffset & ~isNarrowBit) >>> 1 : rawOffset;
		// With overlapping pieces, a short file could produce an endless text.
		if (from !== (pieces.at(-1)?.to ?? 0) || to <= from || to > limits.extractedCharactersMax) break;
		const charactersLeft = Math.max(0, Math.floor((main.length - offset) / (isNarrow ? 1 : 2)));
		pieces.push({ from, to: Math.min(to, from + charactersLeft), offset, width: isNarrow ? 1 : 2 });
		if (charactersLeft < to - from) break;
	}
	return pieces;
}

/** The piece table itself, after the property changes of fast saves. Null if it is damaged. */
function pieceTable(list: Buffer): Buffer | null {
	for (let position = 0; position + 3 <= list.length; ) {
		const entryType = list.readUInt8(position);
		if (entryType === 2) return list.subarray(position + 5, position + 5 + list.readUInt32LE(position + 1));
		if (entryType !== 1) return null;
		position += 3 + list.readUInt16LE(position + 1);
	}
	return null;
}
