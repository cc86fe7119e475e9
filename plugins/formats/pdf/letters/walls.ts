/** Splits text at vertical lines. MuPDF ignores them, and would join the texts of two narrow cells into one word. */

import type { Box } from "../../ocr/ocr-paragraphs.ts";
import { combineAccents } from "./accents.ts";
import type { Glyph } from "./right-to-left.ts";
import type { Span } from "./structured-text.ts";

/** A vertical line, in points. */
export interface Wall {
	readonly x: number;
	readonly top: number;
	readonly bottom: number;
}

type GlyphsOf = (block: number, span: number) => readonly Glyph[];

/** How far letters may overlap a vertical line, in points. */
const tolerance = 1;

export function splitAtWalls(blocks: readonly (readonly Span[])[], glyphsOf: GlyphsOf, wallPieces: readonly Wall[]): readonly (readonly Span[])[] {
	if (wallPieces.length === 0) return blocks;
	const walls = joinWallPieces(wallPieces);
	return blocks.map((spans, block) => {
		if (!walls.some((wall) => spans.some(({ box }) => wall.top < box[3] && wall.bottom > box[1]))) return spans; // there is no wall at the height of this block
		const isCrossed = spans.some((span) => walls.some((wall) => crossesSpan(wall, span)));
		const splitSpans = isCrossed ? spans.flatMap((span, index) => splitSpan(span, () => glyphsOf(block, index), walls)) : spans;
		return splitSpans.some((span, index) => isAfterWall(splitSpans[index - 1], span, walls))
			? splitSpans.map((span, index) => (isAfterWall(splitSpans[index - 1], span, walls) ? { ...span, isAfterRule: true } : span))
			: splitSpans;
	});
}

/** Joins the pieces of vertical lines, since programs draw the sides of each cell separately, often twice. */
function joinWallPieces(rules: readonly Wall[]): readonly Wall[] {
	const joined: Wall[] = [];
	for (const wall of rules.toSorted((one, other) => Math.round(one.x) - Math.round(other.x) || one.top - other.top)) {
		const last = joined.at(-1);
		if (last !== undefined && Math.round(last.x) === Math.round(wall.x) && wall.top <= last.bottom + tolerance) {
			if (wall.bottom > last.bottom) joined[joined.length - 1] = { ...last, bottom: wall.bottom };
		} else joined.push(wall);
	}
	return joined;
}

function crossesSpan(wall: Wall, { box: [left, top, right, bottom] }: Span): boolean {
	return wall.x > left + tolerance && wall.x < right - tolerance && coversHeight(wall, top, bottom);
}

/** Whether the wall covers the height of a line of text. */
function coversHeight(wall: Wall, top: number, bottom: number): boolean {
	const tolerated = (bottom - top) * 0.2;
	return wall.top <= top + tolerated && wall.bottom >= bottom - tolerated;
}

/** Splits a span at the walls that cross it. A vertical line that crosses a glyph does not separate cells. */
function splitSpan(span: Span, glyphsOf: () => readonly Glyph[], allWalls: readonly Wall[]): readonly Span[] {
	const walls = allWalls.filter((wall) => crossesSpan(wall, span));
	if (walls.length === 0) return [span];
	const glyphs = glyphsOf();
	const isVisible = ({ text }: Glyph) => text.trim() !== "";
	const crossesGlyph = glyphs.some((glyph) => isVisible(glyph) && walls.some(({ x }) => x > glyph.left + tolerance && x < glyph.right - tolerance));
	const pieces = Map.groupBy(glyphs, ({ left, right }) => walls.filter(({ x }) => (left + right) / 2 > x).length);
	const visiblePieces = [...pieces.values()].filter((piece) => piece.some(isVisible));
	if (crossesGlyph || visiblePieces.length === 0 || !visiblePieces.every((piece, index) => hasGap(visiblePieces[index - 1], piece, span.size))) return [span];
	return visiblePieces.map((piece) => {
		const visibleGlyphs = piece.filter(isVisible);
		const box: Box = [Math.min(...visibleGlyphs.map(({ left }) => left)), span.box[1], Math.max(...visibleGlyphs.map(({ right }) => right)), span.box[3]];
		const piecesSpan = { ...span, text: visiblePieces.length === 1 ? span.text : combineAccents(piece), box };
		return span.glyphs === undefined ? piecesSpan : { ...piecesSpan, glyphs: piece };
	});
}

/** The smallest gap between cells, in font sizes. */
const gapMin = 0.12;

function hasGap(left: readonly Glyph[] | undefined, right: readonly Glyph[], size: number): boolean {
	const edges = (glyphs: readonly Glyph[], side: "left" | "right") => glyphs.filter(({ text }) => text.trim() !== "").map((glyph) => glyph[side]);
	return left === undefined || Math.min(...edges(right, "left")) - Math.max(...edges(left, "right")) > size * gapMin;
}

function isAfterWall(previous: Span | undefined, { box }: Span, walls: readonly Wall[]): boolean {
	if (previous === undefined || previous.box[2] > box[0] + tolerance || previous.box[3] < box[1]) return false;
	return walls.some((wall) => wall.x > previous.box[2] - tolerance && wall.x < box[0] + tolerance && coversHeight(wall, box[1], box[3]));
}
