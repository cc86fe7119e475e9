/** A block as readable Markdown, in as few pieces as fit a limit. What chunkers pack. */

import type { Block, Place } from "../model/extraction.ts";
import { cutText } from "./cut-text.ts";
import { splitText } from "./split-text.ts";

/** A part of a block that is never cut again. */
export interface Piece {
	readonly block: Block;
	readonly text: string;
	readonly place: Place;
}

const listIndent = "  ";
const listDepthMax = 8; // deeper is decoration, and would use up the room
const speakerCharactersMax = 80;

/** The block whole if it fits, else cut. `whole` is the extraction's text, for exact spans of the parts. Nothing for a blank block. */
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

/** Cells as a line of a Markdown table; the text itself when the block names no cells. */
export function rowLine(cells: readonly string[], text = ""): string {
	if (cells.length === 0) return text.trim();
	const plain = (cell: string) => (/[\s|]/.test(cell) ? cell.replaceAll("|", "\\|").replace(/\s+/g, " ").trim() : cell);
	return `| ${cells.map(plain).join(" | ")} |`;
}

/** What two pieces in a row have between them: lists, tables and speech stand close. */
export function glueBetween(a: Piece, b: Piece): string {
	return a.block.kind === b.block.kind && (b.block.kind === "list-item" || b.block.kind === "row" || b.block.kind === "cue") ? "\n" : "\n\n";
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
			return { before: `${listIndent.repeat(Math.min(listDepthMax, Math.max(0, block.depth)))}- `, after: "" };
		case "code":
			return { before: `\`\`\`${block.language ?? ""}\n`, after: "\n```" };
		case "cue":
			return { before: block.speaker === null || block.speaker.trim() === "" ? "" : `${cutText(block.speaker.trim(), speakerCharactersMax)}: `, after: "" };
		default:
			return { before: "", after: "" };
	}
}

/** Where the block's own text begins in the whole; null when it is not written there letter by letter. */
function offsetOf(block: Block, whole: string): number | null {
	const { span } = block.place;
	if (span === undefined) return null;
	const at = whole.slice(span[0], span[1]).indexOf(block.text);
	return at < 0 ? null : span[0] + at;
}
