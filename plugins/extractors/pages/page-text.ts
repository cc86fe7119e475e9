/** The text layer of a PDF page: its lines with size, weight and place, and whether it can be trusted. */

import type { DisplayList, Document, StructuredText } from "mupdf";
import { type Box, unionOf } from "./ocr-paragraphs.ts";
import { type Drawings, nothingDrawn, readDrawings } from "./page-drawings.ts";

export interface Line {
	readonly text: string;
	readonly box: Box;
	/** Of its letters, in points. */
	readonly size: number;
	readonly isBold: boolean;
	/** Whether its letters are all of one width, as in a program. */
	readonly isMono: boolean;
	/** Whether a dot is drawn before it, as before a list item. */
	readonly hasDot: boolean;
	/** Which of the page's blocks it stands in. */
	readonly block: number;
}

export interface PageText {
	readonly width: number;
	readonly height: number;
	readonly lines: readonly Line[];
	/** The share of the page that pictures cover, from 0 up; more than 1 where they overlap. */
	readonly pictured: number;
	readonly rules: Drawings["rules"];
}

export const emptyPage: PageText = { width: 0, height: 0, lines: [], pictured: 0, rules: [] };

/** What MuPDF tells of a page as JSON, as far as it is read here. */
interface StructuredPage {
	readonly blocks: readonly {
		readonly type: string;
		readonly bbox: Rectangle;
		readonly lines?: readonly { readonly bbox: Rectangle; readonly font: Font; readonly text: string }[];
	}[];
}
interface Font {
	readonly family: string;
	readonly weight: string;
	readonly size: number;
}
interface Rectangle {
	readonly x: number;
	readonly y: number;
	readonly w: number;
	readonly h: number;
}

/** MuPDF writes whole numbers: tenths of a point are needed to tell 9.5 from 9, and a small gap from none. */
const unitsPerPoint = 10;

/** With what was filled into forms and written on the page as a comment. Interpreted once and looked at twice, which takes half the time. */
export function readPageText(document: Document, index: number): PageText {
	const page = document.loadPage(index);
	try {
		const [left, top, right, bottom] = page.getBounds();
		const list = page.toDisplayList(true);
		try {
			const { blocks } = JSON.parse(readAs(list, "preserve-images,preserve-spans", (structured) => structured.asJSON(unitsPerPoint))) as StructuredPage;
			const [width, height] = [right - left, bottom - top];
			const { rules, dots } = drawingsOf(list, blocks, width * height);
			return { width, height, lines: linesOf(blocks, dots), pictured: picturedShare(blocks, width * height), rules };
		} finally {
			list.destroy();
		}
	} finally {
		page.destroy();
	}
}

/** Looked for apart: where drawings are told, MuPDF ends a block of text at each. A page without text has no table. */
function drawingsOf(list: DisplayList, blocks: StructuredPage["blocks"], pageArea: number): Drawings {
	if (!blocks.some(({ lines = [] }) => lines.length > 0)) return nothingDrawn;
	return readAs(list, "vectors", (structured) => readDrawings(structured, pageArea));
}

function readAs<Value>(list: DisplayList, options: string, look: (structured: StructuredText) => Value): Value {
	const structured = list.toStructuredText(options);
	try {
		return look(structured);
	} finally {
		structured.destroy();
	}
}

/** A stretch of a line in one font, as MuPDF tells it: the line ends with the last that follows it closely. */
interface Span {
	readonly text: string;
	readonly box: Box;
	readonly size: number;
	readonly isBold: boolean;
	readonly isMono: boolean;
}

function linesOf(blocks: StructuredPage["blocks"], dots: Drawings["dots"]): readonly Line[] {
	const lines: Line[] = [];
	for (const [block, { lines: found = [] }] of blocks.entries()) {
		let open: Span[] = [];
		const close = () => {
			const line = lineOf(open, block, dots);
			if (line !== null) lines.push(line);
			open = [];
		};
		for (const { bbox, font, text } of found) {
			const span = { text, box: boxOf(bbox), size: font.size / unitsPerPoint, isBold: font.weight === "bold", isMono: font.family === "monospace" };
			if (!goesOn(open.at(-1), span)) close();
			open.push(span);
		}
		close();
	}
	return lines;
}

/** Whether the next stretch stands on the same line, no further away than a wide space. A small raised digit does. */
function goesOn(last: Span | undefined, next: Span): boolean {
	if (last === undefined) return false;
	const overlap = Math.min(last.box[3], next.box[3]) - Math.max(last.box[1], next.box[1]);
	const gap = next.box[0] - last.box[2];
	const size = Math.max(last.size, next.size);
	return overlap > 0 && gap < size * 0.8 && gap > -size * 0.8;
}

function lineOf(spans: readonly Span[], block: number, dots: Drawings["dots"]): Line | null {
	const text = cleaned(spans.map((span) => span.text).join(""));
	const written = spans.filter((span) => span.text.trim() !== "");
	const [first] = written;
	if (text === "" || first === undefined) return null;
	const box = written.map((span) => span.box).reduce(unionOf);
	const { size } = written.reduce((one, other) => (other.text.length > one.text.length ? other : one));
	const [isBold, isMono] = [written.every((span) => span.isBold), written.every((span) => span.isMono)];
	const hasDot = text.length >= itemCharactersMin && dots.some((dot) => isBefore(dot, box, size));
	return { text, box, size, isBold, isMono, hasDot, block };
}

function boxOf({ x, y, w, h }: Rectangle): Box {
	return [x / unitsPerPoint, y / unitsPerPoint, (x + w) / unitsPerPoint, (y + h) / unitsPerPoint];
}

/** A letter beside a dot names a point of a drawing. */
const itemCharactersMin = 3;

/** At the height of the line, and no further from it than a list item from its dot. */
function isBefore(dot: Box, line: Box, size: number): boolean {
	const [middle, distance] = [(dot[1] + dot[3]) / 2, line[0] - dot[2]];
	return middle > line[1] && middle < line[3] && distance > 0 && distance < size * 2.5 && dot[3] - dot[1] < size * 0.7;
}

/** Arabic lam-alef ligatures come out of PDFs with their letters swapped: `اإل` for `الإ`. A plain `لا` cannot be told apart. */
function cleaned(text: string): string {
	return text
		.replaceAll("\0", "")
		.replace(/[\p{Cc}\s]+/gu, " ")
		.replace(/ا([أإآ])ل/g, "ال$1")
		.toWellFormed()
		.trim();
}

function picturedShare(blocks: StructuredPage["blocks"], area: number): number {
	const covered = blocks.filter((block) => block.type === "image").reduce((sum, { bbox }) => sum + bbox.w * bbox.h, 0);
	return area > 0 ? covered / unitsPerPoint ** 2 / area : 0;
}

/** Fewer characters on a page that is one big picture are a stamp or a page number, not its text. */
const sparseCharacters = 100;
const fullPageShare = 0.5;

/** What fonts of symbols draw before list items is no letter that nobody knows. */
const symbolBullet = /^\p{Co}(?=\s|$)/u;

/** Whether the page must be read from its picture: no text, next to none on a scan, or signs without sense. */
export function needsOcr({ lines, pictured }: PageText): boolean {
	const text = lines
		.map((line) => line.text.replace(symbolBullet, ""))
		.join("")
		.replace(/\s+/g, "");
	if (text === "" || (text.length < sparseCharacters && pictured > fullPageShare)) return true;
	return isGarbage(text);
}

/** A font without a map to characters yields signs at random: few letters, or many that stand for "unknown". */
function isGarbage(text: string): boolean {
	const characters = [...text];
	const unknown = characters.filter((character) => /[\uFFFD\p{Co}]/u.test(character)).length;
	const readable = characters.filter((character) => /[\p{L}\p{M}\p{N}]/u.test(character)).length;
	return unknown > characters.length * 0.05 || readable < characters.length * 0.5;
}
