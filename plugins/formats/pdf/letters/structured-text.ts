/** Reads MuPDF's structured text of a page directly from MuPDF's memory: text blocks, pictures and vectors. */

import type { StructuredText } from "mupdf";
import type { Box } from "../../ocr/ocr-paragraphs.ts";
import { mupdfMemory } from "../mupdf-memory.ts";
import { holdsText, type TagNode, textElementOf } from "../tags/tag-node.ts";
import { combineAccents, maybeAccent } from "./accents.ts";
import { type Glyph, isRightToLeft } from "./right-to-left.ts";
import { closeSpacedWords, maybeLetterSpaced } from "./spaced-letters.ts";
import { splitAtWalls, type Wall } from "./walls.ts";

/** A part of a line in one font. */
export interface Span {
	readonly text: string;
	readonly box: Box;
	/** Font size in points. */
	readonly size: number;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	/** Whether its font has small capitals for small letters. */
	readonly isSmallCaps: boolean;
	readonly isMono: boolean;
	/** Whether a vertical rule separates it from the text before it. */
	readonly isAfterRule?: boolean;
	/** The single glyphs; only on pages with right-to-left text. */
	readonly glyphs?: readonly Glyph[];
}

export interface Contents {
	readonly blocks: readonly (readonly Span[])[];
	/** The structure element of each block; empty unless the structure was asked for. */
	readonly elements: readonly (TagNode | undefined)[];
	/** The area of all pictures, in square points. */
	readonly pictureArea: number;
}

/** Called for each vector. @param argb the colour: alpha, red, green and blue, one byte each */
export type VectorListener = (box: Box, isRectangle: boolean, argb: number) => void;

/** Options of MuPDF. Vectors are reported after the line they would split. */
export const structuredTextOptions = "preserve-images,preserve-spans,vectors,lazy-vectors";
/** The same with the structure elements of a tagged PDF around the blocks, in the order of the structure tree. */
export const taggedTextOptions = `${structuredTextOptions},structured`;

/** Field offsets in MuPDF 1.28 (fitz/structured-text.h), in units of four bytes. A test compares the result with MuPDF's own API. */
const inBlock = { type: 0, box: 2, firstLine: 6, vectorFlags: 6, vectorColour: 7, element: 6, elementIndex: 7, next: 14 } as const;
const inElement = { firstBlock: 2, role: 4 } as const;
const inLine = { mode: 0, direction: 1, box: 3, firstChar: 7, lastChar: 8, next: 10 } as const;
const inChar = { code: 0, flags: 1, origin: 3, lowerLeft: 9, lowerRight: 11, size: 13, font: 14, next: 15 } as const;
const [textBlock, pictureBlock, structureBlock, vectorBlock] = [0, 1, 2, 3];
const rectangleFlag = 2;
/** The flag of a space that MuPDF inserted for a gap. The flags are the upper two of their four bytes. */
const insertedFlag = 4 << 16;

/** Coordinates are rounded to tenths of a point, which is enough to distinguish the font sizes 9 and 9.5. */
const unitsPerPoint = 10;

/** The names of fonts of small capitals: `CMCSC10`, `LMRomanCaps10-Regular`, `MinionPro-SC`, `Alegreya-SmallCaps`. */
const smallCapsFont = /csc\d|romancaps|small ?caps|[-_]sc$/i;

/** @param walls returns the vertical lines; called after all vectors were reported */
export function readStructuredText(structured: StructuredText, onVector: VectorListener, walls: () => readonly Wall[] = () => []): Contents {
	const detected = { rightToLeft: false, accent: false };
	const read = readBlocks(structured, onVector, detected, false);
	const { blocks, elements, pictureArea, lines } = detected.rightToLeft ? readBlocks(structured, () => undefined, detected, true) : read;
	const { HEAP32: ints, HEAPF32: floats } = mupdfMemory();
	const glyphsOf = (block: number, span: number) => {
		const line = lines[block]?.[span] ?? 0;
		return isHorizontal(floats, line) ? glyphsAt(ints, floats, (ints[line + inLine.firstChar] ?? 0) >>> 2) : [];
	};
	return { blocks: splitAtWalls(blocks, glyphsOf, walls()), elements, pictureArea };
}

interface Detected {
	rightToLeft: boolean;
	accent: boolean;
}

interface BlocksWithLines extends Contents {
	/** The offset of each span's line in MuPDF's memory. */
	readonly lines: readonly (readonly number[])[];
}

function readBlocks(structured: StructuredText, onVector: VectorListener, detected: Detected, withGlyphs: boolean): BlocksWithLines {
	const memory = mupdfMemory();
	const { HEAP32: ints, HEAPF32: floats } = memory;
	const fonts = new Map<number, Pick<Span, "isBold" | "isItalic" | "isSmallCaps" | "isMono">>();
	const fontAt = (font: number) => {
		const cached = fonts.get(font);
		if (cached !== undefined) return cached;
		const read = {
			isBold: memory._wasm_font_is_bold(font) !== 0,
			isItalic: memory._wasm_font_is_italic(font) !== 0,
			isSmallCaps: smallCapsFont.test(memory.UTF8ToString(memory._wasm_font_get_name(font))),
			isMono: memory._wasm_font_is_monospaced(font) !== 0,
		};
		fonts.set(font, read);
		return read;
	};
	const blocks: Span[][] = [];
	const lines: number[][] = [];
	const elements: (TagNode | undefined)[] = [];
	const blockOfElement = new Map<TagNode, number>();
	let pictureArea = 0;
	let [lineAbove, isAfterVector] = [0, false];
	/** Whether the line belongs to the last block, which MuPDF ended at a vector or at an element that is set within a line. */
	const isContinued = (element: TagNode | undefined, line: number) => {
		if (blocks.length === 0 || elements.at(-1) !== element) return false;
		return element !== undefined || (isAfterVector && lineAbove !== 0 && line !== 0 && !beginsParagraph(ints, floats, lineAbove, line));
	};
	for (const { block, parent } of blocksFrom(ints, memory._wasm_stext_page_get_first_block(structured.pointer) >>> 2)) {
		const type = ints[block + inBlock.type];
		if (type === vectorBlock) {
			onVector(boxAt(floats, block + inBlock.box), ((ints[block + inBlock.vectorFlags] ?? 0) & rectangleFlag) !== 0, ints[block + inBlock.vectorColour] ?? 0);
			isAfterVector = true;
			continue;
		}
		if (type === textBlock) {
			let line = (ints[block + inBlock.firstLine] ?? 0) >>> 2;
			const element = parent === undefined ? undefined : textElementOf(parent);
			const at = (isContinued(element, line) ? blocks.length - 1 : undefined) ?? (element && blockOfElement.get(element)) ?? blocks.length;
			const [spans, lineOffsets] = [blocks[at] ?? [], lines[at] ?? []];
			[blocks[at], lines[at], elements[at]] = [spans, lineOffsets, element];
			if (element !== undefined && holdsText(element)) blockOfElement.set(element, at);
			for (; line !== 0; line = (ints[line + inLine.next] ?? 0) >>> 2) {
				const char = (ints[line + inLine.firstChar] ?? 0) >>> 2;
				const size = roundToUnits(floats[char + inChar.size] ?? 0) / unitsPerPoint;
				if (char !== 0) {
					const text = isHorizontal(floats, line) ? horizontalTextAt(ints, floats, char, detected) : textAt(ints, char, detected);
					const span = { text, box: unitBoxAt(floats, line + inLine.box), size, ...fontAt(ints[char + inChar.font] ?? 0) };
					spans.push(withGlyphs && isHorizontal(floats, line) ? { ...span, glyphs: glyphsAt(ints, floats, char) } : span);
					lineOffsets.push(line);
				}
				lineAbove = line;
			}
		} else lineAbove = 0;
		if (type === pictureBlock) pictureArea += areaOf(boxAt(floats, block + inBlock.box));
		isAfterVector = false;
	}
	return { blocks, elements, lines, pictureArea };
}

/** The blocks of a page with the structure element around them, in the order of the structure tree. */
function* blocksFrom(ints: Int32Array, first: number): Generator<{ readonly block: number; readonly parent: TagNode | undefined }> {
	const open: { block: number; readonly parent: TagNode | undefined }[] = [{ block: first, parent: undefined }];
	for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
		const { block, parent } = level;
		if (block === 0) {
			open.pop();
			continue;
		}
		level.block = (ints[block + inBlock.next] ?? 0) >>> 2;
		const element = ints[block + inBlock.type] === structureBlock ? (ints[block + inBlock.element] ?? 0) >>> 2 : 0;
		if (element === 0) yield { block, parent };
		else {
			const node = { role: ints[element + inElement.role] ?? -1, index: ints[block + inBlock.elementIndex] ?? 0, parent };
			open.push({ block: (ints[element + inElement.firstBlock] ?? 0) >>> 2, parent: node });
		}
	}
}

const codes = new Uint16Array(4_096);

function horizontalTextAt(ints: Int32Array, floats: Float32Array, char: number, detected: Detected): string {
	detected.accent = false;
	const text = textAt(ints, char, detected);
	if (detected.accent) return combineAccents(glyphsAt(ints, floats, char));
	return maybeLetterSpaced(text) ? closeSpacedWords(glyphsAt(ints, floats, char)) : text;
}

function isHorizontal(floats: Float32Array, line: number): boolean {
	return (floats[line + inLine.direction] ?? 0) > 0.99;
}

function glyphsAt(ints: Int32Array, floats: Float32Array, first: number): readonly Glyph[] {
	const glyphs: Glyph[] = [];
	for (let char = first; char !== 0; char = (ints[char + inChar.next] ?? 0) >>> 2) {
		const code = ints[char + inChar.code] ?? 0;
		const [lowerLeft, lowerRight] = [floats[char + inChar.lowerLeft] ?? 0, floats[char + inChar.lowerRight] ?? 0];
		const text = code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd";
		const isInserted = ((ints[char + inChar.flags] ?? 0) & insertedFlag) !== 0;
		glyphs.push({ text, left: Math.min(lowerLeft, lowerRight), right: Math.max(lowerLeft, lowerRight), isInserted });
	}
	return glyphs;
}

function textAt(ints: Int32Array, first: number, detected: Detected): string {
	let text = "";
	let length = 0;
	for (let char = first; char !== 0; char = (ints[char + inChar.next] ?? 0) >>> 2) {
		const code = ints[char + inChar.code] ?? 0;
		if (length > codes.length - 2) {
			text += String.fromCharCode.apply(null, codes as unknown as number[]);
			length = 0;
		}
		if (code >= 0x590 && isRightToLeft(code)) detected.rightToLeft = true;
		if (maybeAccent(code)) detected.accent = true;
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
	const [x, y] = [roundToUnits(left), roundToUnits(top)];
	return [x / unitsPerPoint, y / unitsPerPoint, (x + roundToUnits(right - left)) / unitsPerPoint, (y + roundToUnits(bottom - top)) / unitsPerPoint];
}

/** Converts points to units and truncates them as MuPDF does, in 32-bit floats. */
function roundToUnits(points: number): number {
	return Math.trunc(Math.fround(Math.fround(points) * unitsPerPoint));
}

function areaOf([left, top, right, bottom]: Box): number {
	return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** Distances between baselines, in font sizes: a greater distance begins a paragraph, a smaller one is on the same line. */
const [paragraphDistance, lineDistance] = [1.5, 0.8];
/** A line indented by more than this, in points, begins a paragraph. */
const indent = 0.5;

/** Whether a line begins a paragraph, by the rule that MuPDF uses. It is needed because MuPDF also ends a text block at every vector. */
function beginsParagraph(ints: Int32Array, floats: Float32Array, above: number, below: number): boolean {
	const at = (index: number) => floats[index] ?? 0;
	const [x, y] = [at(below + inLine.direction), at(below + inLine.direction + 1)];
	const changesDirection = x * at(above + inLine.direction) + y * at(above + inLine.direction + 1) < 0.999;
	const mode = (line: number) => (ints[line + inLine.mode] ?? 0) & 0xff;
	if (changesDirection || mode(above) !== mode(below)) return true;
	const [last, next] = [(ints[above + inLine.lastChar] ?? 0) >>> 2, (ints[below + inLine.firstChar] ?? 0) >>> 2];
	const penEnd = (axis: number) => at(last + inChar.lowerRight + axis) - at(last + inChar.lowerLeft + axis) + at(last + inChar.origin + axis);
	const [acrossX, acrossY] = [at(next + inChar.origin) - penEnd(0), at(next + inChar.origin + 1) - penEnd(1)];
	const distance = Math.abs(x * acrossY - y * acrossX) / at(next + inChar.size);
	if (distance < lineDistance || distance > paragraphDistance) return distance > paragraphDistance;
	const start = firstRealCharacter(ints, above);
	return mode(below) === 0 && at(next + inChar.origin) - at(start + inChar.origin) > indent && !isPossibleBullet(ints[start + inChar.code] ?? 0);
}

function firstRealCharacter(ints: Int32Array, line: number): number {
	const first = (ints[line + inLine.firstChar] ?? 0) >>> 2;
	const isInserted = ((ints[first + inChar.flags] ?? 0) & insertedFlag) !== 0;
	return isInserted ? (ints[first + inChar.next] ?? 0) >>> 2 || first : first;
}

const bullets = new Set("*·•‣⁃⁌⁍∙◉○●◘◦☙❥❧⦾⦿♠♡♢♣♤♥♦♧\ufffd0123456789☚☛☜☝☞☟".split("").map((sign) => sign.codePointAt(0) ?? 0));

function isPossibleBullet(code: number): boolean {
	return bullets.has(code);
}
