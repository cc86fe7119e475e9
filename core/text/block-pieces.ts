/** Blocks as readable Markdown, in as few pieces as fit a limit. What chunkers pack. */

import type { Block, Place } from "../model/extraction.ts";
import { cutText } from "./cut-text.ts";
import { splitText } from "./split-text.ts";
import { isSameTable, noHeader, rowLine, tableHeader } from "./table-lines.ts";

/** A part of a block that is never cut again. */
export interface Piece {
	readonly block: Block;
	readonly text: string;
	readonly place: Place;
	/** Of a line of a table: the lines that name its columns, where they are short enough to be repeated. */
	readonly header?: string;
	/** Whether the header has been written above an earlier line of the same table. */
	readonly isHeaderKnown?: boolean;
}

const listIndent = "  ";
const listDepthMax = 8; // deeper is decoration, and would use up the room
const speakerCharactersMax = 80;
const markerCharactersMax = 40;

/**
 * Takes blocks in reading order and answers the pieces of each. A table's header goes with each of its lines and counts towards
 * the room; one that is too long to be repeated is a piece of its own before the first line.
 */
export function pieceCutter(room: number, whole: string): (block: Block) => readonly Piece[] {
	let above: Block | null = null;
	let header = noHeader;
	return (block) => {
		if (block.kind !== "row" || block.text.trim() === "") {
			if (block.text.trim() !== "") above = block;
			return blockPieces(block, room, whole);
		}
		const begins = !isSameTable(above, block);
		if (begins) header = tableHeader(block, room);
		above = block;
		const { lines, isRepeated } = header;
		if (!isRepeated) return [...(begins ? headerPieces(block, lines, room) : []), ...blockPieces(block, room, whole)];
		const pieces = blockPieces(block, room - lines.length - 1, whole);
		// A row that had to be cut names its columns itself.
		return pieces[0]?.text === rowLine(block.cells, block.text) ? pieces.map((piece) => ({ ...piece, header: lines, isHeaderKnown: !begins })) : pieces;
	};
}

function headerPieces(block: Block, lines: string, room: number): readonly Piece[] {
	return splitText(lines, room, "lines").map(([begin, end]) => ({ block, text: lines.slice(begin, end), place: block.place }));
}

/** One block by itself, whole if it fits, else cut; nothing for a blank one. `whole` is the extraction's text, for exact spans of the parts. */
export function blockPieces(block: Block, room: number, whole: string): readonly Piece[] {
	if (block.text.trim() === "") return [];
	const { before, after } = frame(block, room);
	const plain = block.kind === "row" ? rowLine(block.cells, block.text) : block.text.trim();
	const rendered = before + plain + after;
	if (rendered.length <= room) return [{ block, text: rendered, place: block.place }];
	const inside = Math.max(1, room - before.length - after.length);
	const offset = offsetOf(block, whole);
	return splitText(block.text, inside, block.kind === "code" ? "lines" : "sentences").map(([begin, end]) => ({
		block,
		text: before + block.text.slice(begin, end) + after,
		place: offset === null ? block.place : { ...block.place, span: [offset + begin, offset + end] },
	}));
}

/** The pieces of a chunk as one text. @param isRepeating whether a table's header is written again where an earlier chunk has it. */
export function joinPieces(group: readonly Piece[], isRepeating = true): string {
	let text = "";
	for (const [i, piece] of group.entries()) text += jointBefore(group[i - 1], piece, isRepeating) + piece.text;
	return text;
}

/** What is written before a piece that follows another: an empty line, or only a new one in a list, a table or speech, and a table's header. */
export function jointBefore(before: Piece | undefined, piece: Piece, isRepeating = true): string {
	const goesOn = before !== undefined && before.header === piece.header && isSameTable(before.block, piece.block);
	const isWritten = piece.header !== undefined && !goesOn && (isRepeating || piece.isHeaderKnown !== true);
	const glue = before === undefined ? "" : glueBetween(before.block, piece.block, goesOn);
	return isWritten ? `${glue}${piece.header}\n` : glue;
}

function glueBetween(a: Block, b: Block, isOneTable: boolean): string {
	const isClose = isOneTable || (a.kind === b.kind && (b.kind === "list-item" || b.kind === "cue"));
	return isClose ? "\n" : "\n\n";
}

/** The marks around a block's text; none when they would take most of the room. */
function frame(block: Block, room: number): { readonly before: string; readonly after: string } {
	const marks = marksOf(block);
	return marks.before.length + marks.after.length > room / 2 ? { before: "", after: "" } : marks;
}

function marksOf(block: Block): { readonly before: string; readonly after: string } {
	switch (block.kind) {
		case "heading":
			return { before: `${"#".repeat(Math.min(6, Math.max(1, block.level)))} `, after: "" };
		case "list-item":
			return { before: `${listIndent.repeat(Math.min(listDepthMax, Math.max(0, block.depth)))}${markerOf(block)} `, after: "" };
		case "code":
			return { before: `\`\`\`${block.language ?? ""}\n`, after: "\n```" };
		case "cue":
			return { before: block.speaker === null || block.speaker.trim() === "" ? "" : `${cutText(block.speaker.trim(), speakerCharactersMax)}: `, after: "" };
		default:
			return { before: "", after: "" };
	}
}

function markerOf({ marker = "" }: Extract<Block, { kind: "list-item" }>): string {
	const words = marker.replace(/\s+/g, " ").trim();
	return words === "" ? "-" : cutText(words, markerCharactersMax);
}

/** Where the block's own text begins in the whole; null when it is not written there letter by letter. */
function offsetOf(block: Block, whole: string): number | null {
	const { span } = block.place;
	if (span === undefined) return null;
	const at = whole.slice(span[0], span[1]).indexOf(block.text);
	return at < 0 ? null : span[0] + at;
}
