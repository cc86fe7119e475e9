/** The text layer of a PDF page: its lines with size, weight and position, and whether it is usable. */

import type { Document, Page, StructuredText } from "mupdf";
import { type Box, unionOf } from "../ocr/ocr-paragraphs.ts";
import { withFieldsInPlace } from "./form-fields.ts";
import { joinedSpans } from "./letters/accents.ts";
import { withDropCaps } from "./letters/drop-caps.ts";
import { withLostLetters } from "./letters/lost-letters.ts";
import { leaningOf, readingOrder } from "./letters/right-to-left.ts";
import { type Contents, readStructuredText, type Span, structuredTextOptions } from "./letters/structured-text.ts";
import { mupdf } from "./mupdf-memory.ts";
import { createDrawings, type Drawings } from "./page-drawings.ts";

export interface Line {
	readonly text: string;
	readonly box: Box;
	/** Font size in points. */
	readonly size: number;
	readonly isBold: boolean;
	/** Whether it is monospaced. */
	readonly isMono: boolean;
	/** Whether a bullet is drawn before it. */
	readonly hasDot: boolean;
	/** The index of its block on the page. */
	readonly block: number;
}

export interface PageText {
	readonly width: number;
	readonly height: number;
	readonly lines: readonly Line[];
	/** The share of the page that pictures cover; above 1 where they overlap. */
	readonly pictured: number;
	readonly rules: Drawings["rules"];
	/** Whether its lines, the cells of its tables and its columns are read from right to left. */
	readonly isRightToLeft: boolean;
}

export const emptyPage: PageText = { width: 0, height: 0, lines: [], pictured: 0, rules: [], isRightToLeft: false };

/** Includes form entries and annotations. */
export function readPageText(document: Document, index: number): PageText {
	const page = document.loadPage(index);
	try {
		const [left, top, right, bottom] = page.getBounds();
		const [width, height] = [right - left, bottom - top];
		const fields = fieldsOf(page);
		const structured = structuredTextOf(page, fields);
		try {
			const drawings = createDrawings(width * height);
			const { blocks: told, pictured } = readStructuredText(structured, drawings.add, () => drawings.drawn().rules.filter((rule) => rule.isUpright));
			const blocks = withLostLetters(told, page);
			const { rules, dots } = drawings.drawn();
			const isRightToLeft = leansLeft(blocks);
			const lines = withFieldsInPlace(withDropCaps(linesOf(blocks, dots, isRightToLeft)), fields);
			return { width, height, lines, pictured: width * height > 0 ? pictured / (width * height) : 0, rules, isRightToLeft };
		} finally {
			structured.destroy();
		}
	} finally {
		page.destroy();
	}
}

/** MuPDF includes forms and annotations only by way of a display list, which is slower. */
function structuredTextOf(page: Page, fields: readonly Box[]): StructuredText {
	if (page instanceof mupdf.PDFPage && fields.length === 0 && page.getAnnotations().length === 0) return page.toStructuredText(structuredTextOptions);
	const list = page.toDisplayList(true);
	try {
		return list.toStructuredText(structuredTextOptions);
	} finally {
		list.destroy();
	}
}

function fieldsOf(page: Page): readonly Box[] {
	return page instanceof mupdf.PDFPage ? page.getWidgets().map((widget) => widget.getBounds()) : [];
}

/** Whether the page is mostly right-to-left. Spans only have glyphs where there is any such letter. */
function leansLeft(blocks: Contents["blocks"]): boolean {
	let leaning = 0;
	for (const spans of blocks) {
		for (const { text, glyphs } of spans) {
			if (glyphs === undefined) return false;
			leaning += leaningOf(text);
		}
	}
	return leaning > 0;
}

export function linesOf(blocks: Contents["blocks"], dots: Drawings["dots"], isRightToLeft: boolean): readonly Line[] {
	const lines: Line[] = [];
	for (const [block, spans] of blocks.entries()) {
		let open: Span[] = [];
		let box: Box = [0, 0, 0, 0];
		const close = () => {
			const line = lineOf(open, block, dots, isRightToLeft);
			if (line !== null) lines.push(line);
			open = [];
		};
		for (const span of spans) {
			if (!goesOn(open.at(-1), span) && !goesOnLeftward(open[0], box, span) && !goesOnDownward(open, span)) close();
			box = open.length === 0 ? span.box : unionOf(box, span.box);
			open.push(span);
		}
		close();
	}
	return lines;
}

/** Whether the next span continues the line: at most a wide space away. Superscripts count as well. */
function goesOn(last: Span | undefined, next: Span): boolean {
	if (last === undefined || next.isWalledOff === true) return false;
	const overlap = Math.min(last.box[3], next.box[3]) - Math.max(last.box[1], next.box[1]);
	const gap = next.box[0] - last.box[2];
	const size = Math.max(last.size, next.size);
	return overlap > 0 && gap < size * 0.8 && gap > -size * 0.8;
}

/** In letter heights: some programs draw the spaces around a short word before the word. */
const blankReach = 2;

/** The same on a right-to-left page, where the next span may be on either side, or in a gap. */
function goesOnLeftward(first: Span | undefined, box: Box, next: Span): boolean {
	if (first?.glyphs === undefined || next.glyphs === undefined || next.isWalledOff === true) return false;
	const overlap = Math.min(box[3], next.box[3]) - Math.max(box[1], next.box[1]);
	const gap = Math.max(next.box[0] - box[2], box[0] - next.box[2]);
	const reach = next.text.trim() === "" ? blankReach : 0.8;
	return overlap > Math.min(first.size, next.size) / 2 && gap < Math.max(first.size, next.size) * reach;
}

const uprightSign = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。「」『』（）！？ー…]$/u;

/** A vertical line that is drawn character by character. */
function goesOnDownward(open: readonly Span[], next: Span): boolean {
	const [first, last] = [open[0], open.at(-1)];
	if (
		first === undefined ||
		last === undefined ||
		next.text.length > 1 ||
		!uprightSign.test(next.text) ||
		!uprightSign.test(first.text) ||
		!uprightSign.test(last.text)
	)
		return false;
	const [aside, gap] = [next.box[0] + next.box[2] - last.box[0] - last.box[2], next.box[1] - last.box[3]];
	return Math.abs(aside) < next.size * 0.8 && Math.abs(gap) < next.size * 0.5 && next.box[1] > last.box[1] + next.size / 2;
}

function textOf(spans: readonly Span[], isRightToLeft: boolean): string {
	const text = spans.length === 1 ? (spans[0]?.text ?? "") : joinedSpans(spans);
	if (spans.some(({ glyphs }) => glyphs === undefined) || !rightToLeftLetter.test(text)) return cleaned(text);
	return cleaned(
		readingOrder(
			spans.flatMap(({ glyphs = [] }) => glyphs),
			isRightToLeft,
		),
	);
}

function lineOf(spans: readonly Span[], block: number, dots: Drawings["dots"], isRightToLeft: boolean): Line | null {
	const text = textOf(spans, isRightToLeft);
	if (text === "") return null;
	const written = spans.length === 1 ? spans : spans.filter((span) => span.text.trim() !== "");
	const [first] = written;
	if (first === undefined) return null;
	const whole = written.reduce((joined, span) => (span === first ? joined : unionOf(joined, span.box)), first.box);
	const { size } = written.reduce((one, other) => (other.text.length > one.text.length ? other : one));
	const [isBold, isMono] = [written.every((span) => span.isBold), written.every((span) => span.isMono)];
	const box = isMono ? withoutIndent(whole, first.text) : whole;
	const hasDot = text.length >= itemCharactersMin && dots.some((dot) => isBefore(dot, box, size));
	return { text, box, size, isBold, isMono, hasDot, block };
}

/** Removes leading spaces of a line of code and moves the box accordingly, which keeps the indentation. */
function withoutIndent([left, top, right, bottom]: Box, text: string): Box {
	const spaces = text.length - text.trimStart().length;
	return [left + ((right - left) * spaces) / Math.max(1, text.trimEnd().length), top, right, bottom];
}

/** A shorter text beside a dot labels a point of a drawing. */
const itemCharactersMin = 3;

/** Whether the dot is a bullet of the line: at its height, and near. */
function isBefore(dot: Box, line: Box, size: number): boolean {
	const [middle, distance] = [(dot[1] + dot[3]) / 2, line[0] - dot[2]];
	return middle > line[1] && middle < line[3] && distance > 0 && distance < size * 2.5 && dot[3] - dot[1] < size * 0.7;
}

/** Some files contain `اإل` for `الإ`. With a plain alef the order is ambiguous. */
const turnedLigature = /ا([أإآ])ل/g;

const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Most lines, which need no repair. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

function cleaned(text: string): string {
	if (plain.test(text)) return text;
	return withPlainSigns(text)
		.replaceAll("\0", "")
		.replace(/[\p{Cc}\s]+/gu, " ")
		.replace(turnedLigature, "ال$1")
		.toWellFormed()
		.trim();
}

/** Replaces the codes of TeX fonts for bullets and the ligature ff, and soft hyphens within a line. */
function withPlainSigns(text: string): string {
	const bulleted = isControl(text.charCodeAt(0)) ? text.replace(/^[^\P{Cc}\s](?=\s|$)/u, "•") : text;
	const hyphened = bulleted.includes("\u00ad") ? bulleted.replace(/\u00ad(?=\S)/g, "") : bulleted;
	return hyphened.includes("\u21b5") ? hyphened.replace(/(?<=\p{L})\u21b5|\u21b5(?=\p{L})/gu, "ff") : hyphened;
}

function isControl(code: number): boolean {
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/** Fewer characters on a scanned page are a stamp or a page number, not its text. */
const sparseCharacters = 100;
const fullPageShare = 0.5;

/** A bullet of a symbol font does not count as an unknown character. */
const symbolBullet = /^\p{Co}(?=\s|$)/u;

/** Whether the page needs OCR: no text, next to none on a scan, or garbage. */
export function needsOcr({ lines, pictured }: PageText): boolean {
	const text = lines
		.map((line) => line.text.replace(symbolBullet, ""))
		.join("")
		.replace(/\s+/g, "");
	if (text === "" || (text.length < sparseCharacters && pictured > fullPageShare)) return true;
	return isGarbage(text);
}

/** Removes replacement characters (U+FFFD), except those that are bullets. */
export function withoutUnknownSigns(page: PageText): PageText {
	if (!page.lines.some(({ text }) => text.includes("\uFFFD"))) return page;
	const lines = page.lines.map((line, at) => (isDotOf(page.lines[at + 1], line) ? line : { ...line, text: line.text.replace(unknownSigns, " ").trim() }));
	return { ...page, lines: lines.filter(({ text }) => text !== "") };
}

/** Not a bullet at the beginning of an item. */
const unknownSigns = /(?!^\uFFFD\s+[^\s\uFFFD])\s*\uFFFD[\s\uFFFD]*/g;

/** Whether a line is only a bullet, with its text right behind it. */
function isDotOf(words: Line | undefined, { text, box, size }: Line): boolean {
	if (text !== "\uFFFD" || words === undefined || words.text.startsWith("\uFFFD")) return false;
	const gap = words.box[0] - box[2];
	return gap > 0 && gap < size * 4 && words.box[1] < box[3] && words.box[3] > box[1];
}

/** Dot leaders and blanks of forms are shortened to one character. */
const leaders = /([^\p{L}\p{M}\p{N}\p{Co}\uFFFD])\1{2,}/gu;

/** A font without a Unicode map gives random characters: few letters, or many U+FFFD. */
function isGarbage(signs: string): boolean {
	const text = signs.replace(leaders, "$1");
	const unknown = text.replace(/[^\uFFFD\p{Co}]+/gu, "").length;
	const readable = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, "").length;
	return unknown > text.length * 0.05 || readable < text.length * 0.5;
}
