/** Vertical lines between letters: MuPDF ignores them and would join the texts of two narrow cells into one word. */

import type { Box } from "../../ocr/ocr-paragraphs.ts";
import { withAccents } from "./accents.ts";
import type { Glyph } from "./right-to-left.ts";
import type { Span } from "./structured-text.ts";

/** A vertical line: its x, and its y range. */
export interface Wall {
	readonly at: number;
	readonly from: number;
	readonly to: number;
}

type GlyphsOf = (block: number, span: number) => readonly Glyph[];

/** In points: letters may overlap a line by so much. */
const tolerance = 1;

export function partedByWalls(blocks: readonly (readonly Span[])[], glyphsOf: GlyphsOf, drawn: readonly Wall[]): readonly (readonly Span[])[] {
	if (drawn.length === 0) return blocks;
	const walls = wholeWalls(drawn);
	return blocks.map((spans, block) => {
		if (!walls.some((wall) => spans.some(({ box }) => wall.from < box[3] && wall.to > box[1]))) return spans; // no wall is beside it
		const isCrossed = spans.some((span) => walls.some((wall) => isThrough(wall, span)));
		const parted = isCrossed ? spans.flatMap((span, index) => partedSpan(span, () => glyphsOf(block, index), walls)) : spans;
		return parted.some((span, index) => isBehindWall(parted[index - 1], span, walls))
			? parted.map((span, index) => (isBehindWall(parted[index - 1], span, walls) ? { ...span, isWalledOff: true } : span))
			: parted;
	});
}

/** Joins the pieces of walls: programs draw the sides of each cell separately, often twice. */
function wholeWalls(drawn: readonly Wall[]): readonly Wall[] {
	const whole: Wall[] = [];
	for (const wall of drawn.toSorted((one, other) => Math.round(one.at) - Math.round(other.at) || one.from - other.from)) {
		const last = whole.at(-1);
		if (last !== undefined && Math.round(last.at) === Math.round(wall.at) && wall.from <= last.to + tolerance) {
			if (wall.to > last.to) whole[whole.length - 1] = { ...last, to: wall.to };
		} else whole.push(wall);
	}
	return whole;
}

function isThrough(wall: Wall, { box: [left, top, right, bottom] }: Span): boolean {
	return wall.at > left + tolerance && wall.at < right - tolerance && isBeside(wall, top, bottom);
}

/** Whether the wall covers the height of the line. */
function isBeside({ from, to }: Wall, top: number, bottom: number): boolean {
	const part = (bottom - top) * 0.2;
	return from <= top + part && to >= bottom - part;
}

/** Splits a span at walls. A line that crosses a letter is no wall. */
function partedSpan(span: Span, glyphsOf: () => readonly Glyph[], all: readonly Wall[]): readonly Span[] {
	const walls = all.filter((wall) => isThrough(wall, span));
	if (walls.length === 0) return [span];
	const glyphs = glyphsOf();
	const isWritten = ({ text }: Glyph) => text.trim() !== "";
	const isStruck = glyphs.some((glyph) => isWritten(glyph) && walls.some(({ at }) => at > glyph.left + tolerance && at < glyph.right - tolerance));
	const pieces = Map.groupBy(glyphs, ({ left, right }) => walls.filter(({ at }) => (left + right) / 2 > at).length);
	const told = [...pieces.values()].filter((piece) => piece.some(isWritten));
	if (isStruck || told.length === 0 || !told.every((piece, index) => isApart(told[index - 1], piece, span.size))) return [span];
	return told.map((piece) => {
		const written = piece.filter(isWritten);
		const box: Box = [Math.min(...written.map(({ left }) => left)), span.box[1], Math.max(...written.map(({ right }) => right)), span.box[3]];
		const part = { ...span, text: told.length === 1 ? span.text : withAccents(piece), box };
		return span.glyphs === undefined ? part : { ...part, glyphs: piece };
	});
}

/** In letter heights: a smaller gap is not between cells. */
const gapMin = 0.12;

function isApart(left: readonly Glyph[] | undefined, right: readonly Glyph[], size: number): boolean {
	const edges = (glyphs: readonly Glyph[], side: "left" | "right") => glyphs.filter(({ text }) => text.trim() !== "").map((glyph) => glyph[side]);
	return left === undefined || Math.min(...edges(right, "left")) - Math.max(...edges(left, "right")) > size * gapMin;
}

function isBehindWall(before: Span | undefined, { box }: Span, walls: readonly Wall[]): boolean {
	if (before === undefined || before.box[2] > box[0] + tolerance || before.box[3] < box[1]) return false;
	return walls.some((wall) => wall.at > before.box[2] - tolerance && wall.at < box[0] + tolerance && isBeside(wall, box[1], box[3]));
}
