/** Reads MuPDF's structured text of a page from its memory: text blocks, pictures and vectors. */

import type { StructuredText } from "mupdf";
import type { Box } from "../../ocr/ocr-paragraphs.ts";
import { mupdfMemory } from "../mupdf-memory.ts";
import { maybeAccent, withAccents } from "./accents.ts";
import { type Glyph, isRightToLeft } from "./right-to-left.ts";
import { closedUp, maybeSpacedOut } from "./spaced-letters.ts";
import { partedByWalls, type Wall } from "./walls.ts";

/** Part of a line in one font. */
export interface Span {
	readonly text: string;
	readonly box: Box;
	/** Font size in points. */
	readonly size: number;
	readonly isBold: boolean;
	readonly isMono: boolean;
	/** Whether a vertical line separates it from the text before it. */
	readonly isWalledOff?: boolean;
	/** Single glyphs, for pages with right-to-left text. */
	readonly glyphs?: readonly Glyph[];
}

export interface Contents {
	readonly blocks: readonly (readonly Span[])[];
	/** The area of all pictures, in square points. */
	readonly pictured: number;
}

/** Called for each vector: its box, whether it is a rectangle, and its colour as alpha, red, green and blue in a byte each. */
export type VectorListener = (box: Box, isRectangle: boolean, argb: number) => void;

/** Options of MuPDF. Vectors are reported after the line they would split. */
export const structuredTextOptions = "preserve-images,preserve-spans,vectors,lazy-vectors";

/** Field offsets in MuPDF 1.28 (fitz/structured-text.h), in units of four bytes. A test compares the result with MuPDF's own API. */
const inBlock = { type: 0, box: 2, firstLine: 6, vectorFlags: 6, vectorColour: 7, next: 14 } as const;
const inLine = { mode: 0, direction: 1, box: 3, firstChar: 7, lastChar: 8, next: 10 } as const;
const inChar = { code: 0, flags: 1, origin: 3, lowerLeft: 9, lowerRight: 11, size: 13, font: 14, next: 15 } as const;
const [textBlock, pictureBlock, vectorBlock] = [0, 1, 3];
const rectangleFlag = 2;
/** The flag of a space that MuPDF has inserted for a gap. The flags are the upper half of their four bytes. */
const putInFlag = 4 << 16;

/** Coordinates are rounded to tenths of a point, which distinguish font sizes 9 and 9.5. */
const unitsPerPoint = 10;

/** @param walls returns the vertical lines, once all vectors were reported */
export function readStructuredText(structured: StructuredText, onVector: VectorListener, walls: () => readonly Wall[] = () => []): Contents {
	const seen = { rightToLeft: false, accent: false };
	const read = readBlocks(structured, onVector, seen, false);
	const { blocks, pictured, lines } = seen.rightToLeft ? readBlocks(structured, () => undefined, seen, true) : read;
	const { HEAP32: ints, HEAPF32: floats } = mupdfMemory();
	const glyphsOf = (block: number, span: number) => {
		const line = lines[block]?.[span] ?? 0;
		return isLevel(floats, line) ? glyphsAt(ints, floats, (ints[line + inLine.firstChar] ?? 0) >>> 2) : [];
	};
	return { blocks: partedByWalls(blocks, glyphsOf, walls()), pictured };
}

interface Seen {
	rightToLeft: boolean;
	accent: boolean;
}

interface Found extends Contents {
	/** The address of each span's line. */
	readonly lines: readonly (readonly number[])[];
}

function readBlocks(structured: StructuredText, onVector: VectorListener, seen: Seen, withGlyphs: boolean): Found {
	const memory = mupdfMemory();
	const { HEAP32: ints, HEAPF32: floats } = memory;
	const fonts = new Map<number, Pick<Span, "isBold" | "isMono">>();
	const fontAt = (font: number) => {
		const known = fonts.get(font);
		if (known !== undefined) return known;
		const read = { isBold: memory._wasm_font_is_bold(font) !== 0, isMono: memory._wasm_font_is_monospaced(font) !== 0 };
		fonts.set(font, read);
		return read;
	};
	const blocks: Span[][] = [];
	const lines: number[][] = [];
	let pictured = 0;
	let [lineAbove, isAfterVector] = [0, false];
	for (let block = memory._wasm_stext_page_get_first_block(structured.pointer) >>> 2; block !== 0; block = (ints[block + inBlock.next] ?? 0) >>> 2) {
		const type = ints[block + inBlock.type];
		if (type === vectorBlock) {
			onVector(boxAt(floats, block + inBlock.box), ((ints[block + inBlock.vectorFlags] ?? 0) & rectangleFlag) !== 0, ints[block + inBlock.vectorColour] ?? 0);
			isAfterVector = true;
			continue;
		}
		if (type === textBlock) {
			let line = (ints[block + inBlock.firstLine] ?? 0) >>> 2;
			const goesOn = isAfterVector && lineAbove !== 0 && line !== 0 && !beginsParagraph(ints, floats, lineAbove, line);
			const spans = (goesOn ? blocks.at(-1) : undefined) ?? [];
			const found = (goesOn ? lines.at(-1) : undefined) ?? [];
			for (; line !== 0; line = (ints[line + inLine.next] ?? 0) >>> 2) {
				const char = (ints[line + inLine.firstChar] ?? 0) >>> 2;
				const size = truncated(floats[char + inChar.size] ?? 0) / unitsPerPoint;
				if (char !== 0) {
					const text = isLevel(floats, line) ? levelTextAt(ints, floats, char, seen) : textAt(ints, char, seen);
					const span = { text, box: unitBoxAt(floats, line + inLine.box), size, ...fontAt(ints[char + inChar.font] ?? 0) };
					spans.push(withGlyphs && isLevel(floats, line) ? { ...span, glyphs: glyphsAt(ints, floats, char) } : span);
					found.push(line);
				}
				lineAbove = line;
			}
			if (!goesOn) {
				blocks.push(spans);
				lines.push(found);
			}
		} else lineAbove = 0;
		if (type === pictureBlock) pictured += areaOf(boxAt(floats, block + inBlock.box));
		isAfterVector = false;
	}
	return { blocks, lines, pictured };
}

const codes = new Uint16Array(4_096);

function levelTextAt(ints: Int32Array, floats: Float32Array, char: number, seen: Seen): string {
	seen.accent = false;
	const text = textAt(ints, char, seen);
	if (seen.accent) return withAccents(glyphsAt(ints, floats, char));
	return maybeSpacedOut(text) ? closedUp(glyphsAt(ints, floats, char)) : text;
}

function isLevel(floats: Float32Array, line: number): boolean {
	return (floats[line + inLine.direction] ?? 0) > 0.99;
}

function glyphsAt(ints: Int32Array, floats: Float32Array, first: number): readonly Glyph[] {
	const glyphs: Glyph[] = [];
	for (let char = first; char !== 0; char = (ints[char + inChar.next] ?? 0) >>> 2) {
		const code = ints[char + inChar.code] ?? 0;
		const [one, other] = [floats[char + inChar.lowerLeft] ?? 0, floats[char + inChar.lowerRight] ?? 0];
		const text = code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd";
		const isPutIn = ((ints[char + inChar.flags] ?? 0) & putInFlag) !== 0;
		glyphs.push({ text, left: Math.min(one, other), right: Math.max(one, other), isPutIn });
	}
	return glyphs;
}

function textAt(ints: Int32Array, first: number, seen: Seen): string {
	let text = "";
	let length = 0;
	for (let char = first; char !== 0; char = (ints[char + inChar.next] ?? 0) >>> 2) {
		const code = ints[char + inChar.code] ?? 0;
		if (length > codes.length - 2) {
			text += String.fromCharCode.apply(null, codes as unknown as number[]);
			length = 0;
		}
		if (code >= 0x590 && isRightToLeft(code)) seen.rightToLeft = true;
		if (maybeAccent(code)) seen.accent = true;
		if (code >= 0 && code < 0x10000) codes[length++] = code;
		else if (code > 0 && code < 0x110000) {
			codes[length++] = 0xd7c0 + (code >> 10);
			codes[length++] = 0xdc00 + (code & 0x3ff);
		} else codes[length++] = 0xfffd;
	}
	return text + String.fromCharCode.apply(null, codes.subarray(0, length) as unknown as number[]);
}

function boxAt(floats: Float32Array, at: number): Box {
	return [floats[at] ?? 0, floats[at + 1] ?? 0, floats[at + 2] ?? 0, floats[at + 3] ?? 0];
}

function unitBoxAt(floats: Float32Array, at: number): Box {
	const [left, top, right, bottom] = boxAt(floats, at);
	const [x, y] = [truncated(left), truncated(top)];
	return [x / unitsPerPoint, y / unitsPerPoint, (x + truncated(right - left)) / unitsPerPoint, (y + truncated(bottom - top)) / unitsPerPoint];
}

/** Rounds as MuPDF does, in 32-bit floats. */
function truncated(points: number): number {
	return Math.trunc(Math.fround(Math.fround(points) * unitsPerPoint));
}

function areaOf([left, top, right, bottom]: Box): number {
	return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** In letter heights: a line further from the one above begins a paragraph, and a nearer one is on the same line. */
const [paragraphDistance, lineDistance] = [1.5, 0.8];
/** In points: a line indented by this begins a paragraph. */
const indent = 0.5;

/** MuPDF ends a text block at each vector; this is its rule without vectors. */
function beginsParagraph(ints: Int32Array, floats: Float32Array, above: number, below: number): boolean {
	const at = (index: number) => floats[index] ?? 0;
	const [x, y] = [at(below + inLine.direction), at(below + inLine.direction + 1)];
	const isTurned = x * at(above + inLine.direction) + y * at(above + inLine.direction + 1) < 0.999;
	const mode = (line: number) => (ints[line + inLine.mode] ?? 0) & 0xff;
	if (isTurned || mode(above) !== mode(below)) return true;
	const [last, next] = [(ints[above + inLine.lastChar] ?? 0) >>> 2, (ints[below + inLine.firstChar] ?? 0) >>> 2];
	const pen = (axis: number) => at(last + inChar.lowerRight + axis) - at(last + inChar.lowerLeft + axis) + at(last + inChar.origin + axis);
	const [acrossX, acrossY] = [at(next + inChar.origin) - pen(0), at(next + inChar.origin + 1) - pen(1)];
	const distance = Math.abs(x * acrossY - y * acrossX) / at(next + inChar.size);
	if (distance < lineDistance || distance > paragraphDistance) return distance > paragraphDistance;
	const start = firstWritten(ints, above);
	return mode(below) === 0 && at(next + inChar.origin) - at(start + inChar.origin) > indent && !maybeBullet(ints[start + inChar.code] ?? 0);
}

function firstWritten(ints: Int32Array, line: number): number {
	const first = (ints[line + inLine.firstChar] ?? 0) >>> 2;
	const isPutIn = ((ints[first + inChar.flags] ?? 0) & putInFlag) !== 0;
	return isPutIn ? (ints[first + inChar.next] ?? 0) >>> 2 || first : first;
}

const bullets = new Set("*·•‣⁃⁌⁍∙◉○●◘◦☙❥❧⦾⦿♠♡♢♣♤♥♦♧\ufffd0123456789☚☛☜☝☞☟".split("").map((sign) => sign.codePointAt(0) ?? 0));

function maybeBullet(code: number): boolean {
	return bullets.has(code);
}
