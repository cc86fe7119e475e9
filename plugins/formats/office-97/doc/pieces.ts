/** The text of a Word file is stored in pieces, in the order of typing; the piece table gives their order in the text. */

import { limits } from "cairn-memory";
import iconv from "iconv-lite";
import type { DocHead } from "./file-header.ts";
import { tableNumbers } from "./file-header.ts";

export interface DocText {
	readonly characters: string;
	/** The file offset of a character. */
	readonly placeOf: (character: number) => number;
}

interface Piece {
	/** Index of its first character. */
	readonly from: number;
	readonly to: number;
	readonly place: number;
	/** Bytes per character. */
	readonly width: 1 | 2;
}

const isNarrowBit = 0x40000000;

export function readText(main: Buffer, head: DocHead): DocText {
	const pieces = piecesOf(main, head);
	const characters = pieces.map(({ from, to, place, width }) => {
		const bytes = main.subarray(place, place + (to - from) * width);
		// One character for each byte keeps the character indexes right.
		return (width === 2 ? bytes.toString("utf16le") : iconv.decode(bytes, "windows-1252")).padEnd(to - from, "\0");
	});
	return {
		characters: characters.join(""),
		placeOf(character) {
			const piece = pieces[findPiece(pieces, character)];
			return piece === undefined ? -1 : piece.place + (character - piece.from) * piece.width;
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

function piecesOf(main: Buffer, head: DocHead): readonly Piece[] {
	const list = head.table(tableNumbers.pieces);
	const table = list === null ? null : pieceTable(list);
	if (table === null) {
		const length = Math.max(0, Math.min(head.textEnd, main.length) - head.textStart);
		return [{ from: 0, to: length, place: head.textStart, width: 1 }];
	}
	const count = Math.floor((table.length - 4) / 12);
	const pieces: Piece[] = [];
	for (let index = 0; index < count; index++) {
		const [from, to] = [table.readUInt32LE(index * 4), table.readUInt32LE(index * 4 + 4)];
		const written = table.readUInt32LE((count + 1) * 4 + index * 8 + 2);
		const isNarrow = head.isOld || (written & isNarrowBit) !== 0;
		const place = isNarrow && !head.isOld ? (written & ~isNarrowBit) >>> 1 : written;
		// Overlapping pieces would make a long text of a short file.
		if (from !== (pieces.at(-1)?.to ?? 0) || to <= from || to > limits.extractedCharactersMax) break;
		const fitting = Math.max(0, Math.floor((main.length - place) / (isNarrow ? 1 : 2)));
		pieces.push({ from, to: Math.min(to, from + fitting), place, width: isNarrow ? 1 : 2 });
		if (fitting < to - from) break;
	}
	return pieces;
}

/** Skips the property changes of a fast save, which come before it. */
function pieceTable(list: Buffer): Buffer | null {
	for (let at = 0; at + 3 <= list.length; ) {
		const kind = list.readUInt8(at);
		if (kind === 2) return list.subarray(at + 5, at + 5 + list.readUInt32LE(at + 1));
		if (kind !== 1) return null;
		at += 3 + list.readUInt16LE(at + 1);
	}
	return null;
}
