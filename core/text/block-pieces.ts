/** Splits blocks into pieces of readable Markdown that fit a limit; chunkers pack these pieces into chunks. */

import type { Block, Place } from "../model/extraction.ts";
import { cutText } from "./cut-text.ts";
import { splitText } from "./split-text.ts";
import { isSameTable, noHeader, rowLine, tableHeader } from "./table-lines.ts";

/** A block, or a part of one, that is not split any further. */
export interface Piece {
	readonly block: Block;
	readonly text: string;
	readonly place: Place;
	/** For a table row: the header lines of its table, if they are short enough to be repeated. */
	readonly header?: string;
	/** Whether the header has been written above an earlier line of the same table. */
	readonly isHeaderKnown?: boolean;
}

const listIndent = "  ";
const listDepthMax = 8; // deeper indentation would use up the chunk
const speakerCharactersMax = 80;
const markerCharactersMax = 40;

/**
 * Takes blocks in reading order and returns the pieces of each. A table's header is attached to each of its rows and counts towards
 * their length; a header that is too long to be repeated is a piece of its own before the first row.
 */
export function pieceSplitter(charactersMax: number, fullText: string): (block: Block) => readonly Piece[] {
	let previous: Block | null = null;
	let header = noHeader;
	return (block) => {
		if (block.kind !== "row" || block.text.trim() === "") {
			if (block.text.trim() !== "") previous = block;
			return blockPieces(block, charactersMax, fullText);
		}
		const isFirstRow = !isSameTable(previous, block);
		if (isFirstRow) header = tableHeader(block, charactersMax);
		previous = block;
		const { lines, isRepeated } = header;
		if (!isRepeated) return [...(isFirstRow ? headerPieces(block, lines, charactersMax) : []), ...blockPieces(block, charactersMax, fullText)];
		const pieces = blockPieces(block, charactersMax - lines.length - 1, fullText);
		// The pieces of a row that had to be split name its columns themselves.
		return pieces[0]?.text === rowLine(block.cells, block.text) ? pieces.map((piece) => ({ ...piece, header: lines, isHeaderKnown: !isFirstRow })) : pieces;
	};
}

function headerPieces(block: Block, lines: string, charactersMax: number): readonly Piece[] {
	return splitText(lines, charactersMax, "lines").map(([begin, end]) => ({ block, text: lines.slice(begin, end), place: block.place }));
}

/** The pieces of one block: one if it fits, several if it must be split, none if it is blank. @param fullText the text of the extraction, needed for the exact spans of the parts */
export function blockPieces(block: Block, charactersMax: number, fullText: string): readonly Piece[] {
	if (block.text.trim() === "") return [];
	const { before, after } = affixes(block, charactersMax);
	const plain = block.kind === "row" ? rowLine(block.cells, block.text) : block.text.trim();
	const rendered = before + plain + after;
	if (rendered.length <= charactersMax) return [{ block, text: rendered, place: block.place }];
	const textMax = Math.max(1, charactersMax - before.length - after.length);
	const offset = offsetOf(block, fullText);
	return splitText(block.text, textMax, block.kind === "code" ? "lines" : "sentences").map(([begin, end]) => ({
		block,
		text: before + block.text.slice(begin, end) + after,
		place: offset === null ? block.place : { ...block.place, span: [offset + begin, offset + end] },
	}));
}

/** Joins the pieces of a chunk. @param isRepeating whether to write a table's header again if an earlier chunk contains it */
export function joinPieces(group: readonly Piece[], isRepeating = true): string {
	let text = "";
	for (const [i, piece] of group.entries()) text += separatorBefore(group[i - 1], piece, isRepeating) + piece.text;
	return text;
}

/** The separator between two pieces: a line break in a list, a table or a transcript, otherwise an empty line; and a table's header if it is due. */
export function separatorBefore(before: Piece | undefined, piece: Piece, isRepeating = true): string {
	const continuesTable = before !== undefined && before.header === piece.header && isSameTable(before.block, piece.block);
	const hasHeader = piece.header !== undefined && !continuesTable && (isRepeating || piece.isHeaderKnown !== true);
	const separator = before === undefined ? "" : separatorBetween(before.block, piece.block, continuesTable);
	return hasHeader ? `${separator}${piece.header}\n` : separator;
}

function separatorBetween(a: Block, b: Block, isOneTable: boolean): string {
	const isTight = isOneTable || (a.kind === b.kind && (b.kind === "list-item" || b.kind === "cue"));
	return isTight ? "\n" : "\n\n";
}

/** The Markdown around a block's text; empty if it would take more than half of the length. */
function affixes(block: Block, charactersMax: number): { readonly before: string; readonly after: string } {
	const marks = marksOf(block);
	return marks.before.length + marks.after.length > charactersMax / 2 ? { before: "", after: "" } : marks;
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

/** The offset of the block's text in the whole text; null if it does not occur there literally. */
function offsetOf(block: Block, fullText: string): number | null {
	const { span } = block.place;
	if (span === undefined) return null;
	const at = fullText.slice(span[0], span[1]).indexOf(block.text);
	return at < 0 ? null : span[0] + at;
}
