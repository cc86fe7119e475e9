/** Reads the text layer of a PDF page: its lines with size, weight and position, and whether the text is usable. */

import type { Document, Page, StructuredText } from "mupdf";
import { type Box, unionOf } from "../ocr/ocr-paragraphs.ts";
import { placeFormEntries } from "./form-fields.ts";
import { joinSpans } from "./letters/accents.ts";
import { joinDropCaps } from "./letters/drop-caps.ts";
import { restoreLostLetters } from "./letters/lost-letters.ts";
import { readingOrder, rightToLeftBalance } from "./letters/right-to-left.ts";
import { type Contents, readStructuredText, type Span, structuredTextOptions, taggedTextOptions } from "./letters/structured-text.ts";
import type { Wall } from "./letters/walls.ts";
import { mupdf } from "./mupdf-memory.ts";
import { damageError } from "./open-pdf.ts";
import { createDrawingCollector, type Drawings } from "./page-drawings.ts";
import type { TagNode } from "./tags/tag-node.ts";
import { markHeadings, taggedLines } from "./tags/tagged-lines.ts";

export interface Line {
	readonly text: string;
	readonly box: Box;
	/** Font size in points. */
	readonly size: number;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	/** Whether its small letters are small capitals, drawn as such or as capitals in a smaller size. */
	readonly isSmallCaps: boolean;
	/** Whether it is monospaced. */
	readonly isMono: boolean;
	/** Whether a bullet is drawn before it. */
	readonly hasDot: boolean;
	/** The index of its block on the page. */
	readonly block: number;
	/** Its structure element, on tagged pages. */
	readonly element?: TagNode;
}

export interface PageText {
	readonly width: number;
	readonly height: number;
	readonly lines: readonly Line[];
	/** The share of the page that pictures cover; it may exceed 1 if they overlap. */
	readonly pictureShare: number;
	readonly rules: Drawings["rules"];
	/** Whether its lines, the cells of its tables and its columns are read from right to left. */
	readonly isRightToLeft: boolean;
}

export const emptyPage: PageText = { width: 0, height: 0, lines: [], pictureShare: 0, rules: [], isRightToLeft: false };

/**
 * Reads a page, including form entries and annotations.
 * @param isTagged whether the document has tags; they are followed if they cover the page
 */
export function readPageText(document: Document, index: number, isTagged = false): PageText {
	const page = document.loadPage(index);
	try {
		const tagged = isTagged ? readTagged(page) : null;
		if (tagged?.coversPage === true) return tagged.text;
		const { text } = textOfPage(page, structuredTextOptions);
		return tagged === null ? text : { ...text, lines: markHeadings(text.lines, tagged.text.lines) };
	} finally {
		page.destroy();
	}
}

/** Null if the tags are so damaged that MuPDF does not follow them. */
function readTagged(page: Page): ReturnType<typeof textOfPage> | null {
	try {
		return textOfPage(page, taggedTextOptions);
	} catch (thrown) {
		if (damageError(thrown).name !== "ServiceError") throw thrown;
		return null;
	}
}

/** The text of a page and, if the options ask for tags, whether these cover the page. */
function textOfPage(page: Page, options: string): { readonly text: PageText; readonly coversPage: boolean } {
	const [left, top, right, bottom] = page.getBounds();
	const [width, height] = [right - left, bottom - top];
	const fields = fieldsOf(page);
	const structured = structuredTextOf(page, fields, options);
	try {
		const drawings = createDrawingCollector(width * height);
		const { blocks: reported, elements, pictureArea } = readStructuredText(structured, drawings.add, () => wallsOf(drawings.result()));
		const blocks = restoreLostLetters(reported, page);
		const { rules, dots } = drawings.result();
		const isRightToLeft = isMostlyRightToLeft(blocks);
		const found = placeFormEntries(joinDropCaps(linesOf(blocks, dots, isRightToLeft)), fields);
		const { lines, coversPage } = options === taggedTextOptions ? taggedLines(found, elements, height) : { lines: found, coversPage: false };
		const pictureShare = width * height > 0 ? pictureArea / (width * height) : 0;
		return { text: { width, height, lines, pictureShare, rules, isRightToLeft }, coversPage };
	} finally {
		structured.destroy();
	}
}

/** Uses a display list only for pages with forms or annotations: MuPDF includes them only that way, but it is slower. */
function structuredTextOf(page: Page, fields: readonly Box[], options: string): StructuredText {
	if (page instanceof mupdf.PDFPage && fields.length === 0 && page.getAnnotations().length === 0) return page.toStructuredText(options);
	const list = page.toDisplayList(true);
	try {
		return list.toStructuredText(options);
	} finally {
		list.destroy();
	}
}

function wallsOf({ rules }: Drawings): readonly Wall[] {
	return rules.filter((rule) => rule.isVertical).map(({ position, from, to }) => ({ x: position, top: from, bottom: to }));
}

function fieldsOf(page: Page): readonly Box[] {
	return page instanceof mupdf.PDFPage ? page.getWidgets().map((widget) => widget.getBounds()) : [];
}

/** Whether the page is mostly right-to-left. Spans have glyphs only on pages with right-to-left letters. */
function isMostlyRightToLeft(blocks: Contents["blocks"]): boolean {
	let balance = 0;
	for (const spans of blocks) {
		for (const { text, glyphs } of spans) {
			if (glyphs === undefined) return false;
			balance += rightToLeftBalance(text);
		}
	}
	return balance > 0;
}

export function linesOf(blocks: Contents["blocks"], dots: Drawings["dots"], isRightToLeft: boolean): readonly Line[] {
	const lines: Line[] = [];
	for (const [block, spans] of blocks.entries()) {
		let openSpans: Span[] = [];
		let box: Box = [0, 0, 0, 0];
		const endLine = () => {
			const line = lineOf(openSpans, block, dots, isRightToLeft);
			if (line !== null) lines.push(line);
			openSpans = [];
		};
		for (const span of spans) {
			if (!continuesLine(openSpans.at(-1), span) && !continuesRightToLeft(openSpans[0], box, span) && !continuesVertically(openSpans, span)) endLine();
			box = openSpans.length === 0 ? span.box : unionOf(box, span.box);
			openSpans.push(span);
		}
		endLine();
	}
	return lines;
}

/** Whether the next span continues the line: it overlaps in height, as superscripts do, and is at most a wide space away. */
function continuesLine(last: Span | undefined, next: Span): boolean {
	if (last === undefined || next.isAfterRule === true) return false;
	const overlap = Math.min(last.box[3], next.box[3]) - Math.max(last.box[1], next.box[1]);
	const gap = next.box[0] - last.box[2];
	const size = Math.max(last.size, next.size);
	return overlap > 0 && gap < size * 0.8 && gap > -size * 0.8;
}

/** How far away a span of spaces may be, in font sizes: some programs draw the spaces around a short word before the word. */
const spaceReach = 2;

/** The same for a right-to-left page, on which the next span may be on either side, or in a gap. */
function continuesRightToLeft(first: Span | undefined, box: Box, next: Span): boolean {
	if (first?.glyphs === undefined || next.glyphs === undefined || next.isAfterRule === true) return false;
	const overlap = Math.min(box[3], next.box[3]) - Math.max(box[1], next.box[1]);
	const gap = Math.max(next.box[0] - box[2], box[0] - next.box[2]);
	const reach = next.text.trim() === "" ? spaceReach : 0.8;
	return overlap > Math.min(first.size, next.size) / 2 && gap < Math.max(first.size, next.size) * reach;
}

const verticalCharacter = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。「」『』（）！？ー…]$/u;

/** Whether the next span continues a vertical line of text that is drawn character by character. */
function continuesVertically(openSpans: readonly Span[], next: Span): boolean {
	const [first, last] = [openSpans[0], openSpans.at(-1)];
	if (
		first === undefined ||
		last === undefined ||
		next.text.length > 1 ||
		!verticalCharacter.test(next.text) ||
		!verticalCharacter.test(first.text) ||
		!verticalCharacter.test(last.text)
	)
		return false;
	const [xDifference, gap] = [next.box[0] + next.box[2] - last.box[0] - last.box[2], next.box[1] - last.box[3]];
	return Math.abs(xDifference) < next.size * 0.8 && Math.abs(gap) < next.size * 0.5 && next.box[1] > last.box[1] + next.size / 2;
}

function textOf(spans: readonly Span[], isRightToLeft: boolean): string {
	const text = spans.length === 1 ? (spans[0]?.text ?? "") : joinSpans(spans);
	if (spans.some(({ glyphs }) => glyphs === undefined) || !rightToLeftLetter.test(text)) return cleanLine(text);
	return cleanLine(
		readingOrder(
			spans.flatMap(({ glyphs = [] }) => glyphs),
			isRightToLeft,
		),
	);
}

function lineOf(spans: readonly Span[], block: number, dots: Drawings["dots"], isRightToLeft: boolean): Line | null {
	const text = textOf(spans, isRightToLeft);
	if (text === "") return null;
	const visible = spans.length === 1 ? spans : spans.filter((span) => span.text.trim() !== "");
	const [first] = visible;
	if (first === undefined) return null;
	const unionBox = visible.reduce((joined, span) => (span === first ? joined : unionOf(joined, span.box)), first.box);
	const capital = capitalOfSmallCaps(visible);
	const { size } = capital ?? visible.reduce((longest, span) => (span.text.length > longest.text.length ? span : longest));
	const isSmallCaps = capital !== undefined || (isCased(text) && visible.every((span) => span.isSmallCaps));
	const [isBold, isItalic, isMono] = [visible.every((span) => span.isBold), visible.every((span) => span.isItalic), visible.every((span) => span.isMono)];
	const box = isMono ? withoutIndent(unionBox, first.text) : unionBox;
	const hasDot = text.length >= itemCharactersMin && dots.some((dot) => isBulletOf(dot, box, size));
	return { text, box, size, isBold, isItalic, isSmallCaps, isMono, hasDot, block };
}

/** Whether the text has letters with capitals and no others. Fonts of Simplified Chinese are named `SC` too. */
function isCased(text: string): boolean {
	return /[\p{Lu}\p{Ll}]/u.test(text) && !/\p{Lo}/u.test(text);
}

/** The size of small capitals relative to that of capitals. */
const [smallCapitalMin, smallCapitalMax] = [0.65, 0.9];

/**
 * A span of capitals in a line whose small letters are drawn as capitals of a smaller size. TeX writes these as capitals, browsers as
 * small letters; there one capital alone may be the big first letter of a text.
 */
function capitalOfSmallCaps(spans: readonly Span[]): Span | undefined {
	if (spans.length < 2 || spans.some(({ text }) => /\p{Lo}/u.test(text))) return undefined;
	const largest = spans.reduce((one, other) => (other.size > one.size ? other : one));
	const capitals = spans.filter(({ size }) => size > largest.size * smallCapitalMax);
	const others = spans.filter(({ size }) => size <= largest.size * smallCapitalMax);
	const isSmallCaps =
		!capitals.some(({ text }) => /\p{Ll}/u.test(text)) &&
		others.every(({ size }) => size > largest.size * smallCapitalMin) &&
		spans.every((span) => Math.abs(baselineOf(span) - baselineOf(largest)) < largest.size * baselineTolerance);
	const capitalSpans = capitals.filter(({ text }) => /\p{Lu}/u.test(text));
	const capitalSpansMin = others.some(({ text }) => /\p{Ll}/u.test(text)) ? 2 : 1;
	return isSmallCaps && capitalSpans.length >= capitalSpansMin && lettersIn(others) > lettersIn(capitals) ? largest : undefined;
}

/** The usual depth of letters below the baseline, and the largest difference between baselines of a line, in font sizes. */
const [descent, baselineTolerance] = [0.22, 0.1];

function baselineOf({ box, size }: Span): number {
	return box[3] - size * descent;
}

function lettersIn(spans: readonly Span[]): number {
	return spans.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
}

/** Removes leading spaces of a line of code and moves the box accordingly, which keeps the indentation. */
function withoutIndent([left, top, right, bottom]: Box, text: string): Box {
	const spaces = text.length - text.trimStart().length;
	return [left + ((right - left) * spaces) / Math.max(1, text.trimEnd().length), top, right, bottom];
}

/** A dot beside a shorter text is not a bullet: the text labels a point of a drawing. */
const itemCharactersMin = 3;

/** Whether the dot is a bullet of the line: at the same height, and near. */
function isBulletOf(dot: Box, line: Box, size: number): boolean {
	const [middle, distance] = [(dot[1] + dot[3]) / 2, line[0] - dot[2]];
	return middle > line[1] && middle < line[3] && distance > 0 && distance < size * 2.5 && dot[3] - dot[1] < size * 0.7;
}

/** Some files contain `اإل` in place of `الإ`. With a plain alef the order would be ambiguous, so only alefs with a hamza or madda are handled. */
const reversedLigature = /ا([أإآ])ل/g;

const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** ASCII text with single spaces, which needs no cleaning. Most lines are like this. */
const asciiText = /^[!-~]+(?: [!-~]+)*$/;

function cleanLine(text: string): string {
	if (asciiText.test(text)) return text;
	return replaceTexCodes(text)
		.replaceAll("\0", "")
		.replace(/[\p{Cc}\s]+/gu, " ")
		.replace(reversedLigature, "ال$1")
		.toWellFormed()
		.trim();
}

/** Replaces the codes that TeX fonts use for bullets and for the ligature ff, and removes soft hyphens within a line. */
function replaceTexCodes(text: string): string {
	const withBullet = isControl(text.charCodeAt(0)) ? text.replace(/^[^\P{Cc}\s](?=\s|$)/u, "•") : text;
	const withoutSoftHyphens = withBullet.includes("\u00ad") ? withBullet.replace(/\u00ad(?=\S)/g, "") : withBullet;
	return withoutSoftHyphens.includes("\u21b5") ? withoutSoftHyphens.replace(/(?<=\p{L})\u21b5|\u21b5(?=\p{L})/gu, "ff") : withoutSoftHyphens;
}

function isControl(code: number): boolean {
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/** Fewer characters on a page that is mostly a picture are a stamp or a page number, not its text. */
const sparseCharactersMax = 100;
const fullPageShare = 0.5;

/** A bullet of a symbol font, which does not count as an unknown character. */
const symbolBullet = /^\p{Co}(?=\s|$)/u;

/** Whether the page needs OCR: it has no text, almost none on a scan, or garbage. */
export function needsOcr({ lines, pictureShare }: PageText): boolean {
	const text = lines
		.map((line) => line.text.replace(symbolBullet, ""))
		.join("")
		.replace(/\s+/g, "");
	if (text === "" || (text.length < sparseCharactersMax && pictureShare > fullPageShare)) return true;
	return isGarbage(text);
}

/** Removes replacement characters (U+FFFD), except those that are bullets. */
export function withoutReplacementCharacters(page: PageText): PageText {
	if (!page.lines.some(({ text }) => text.includes("\uFFFD"))) return page;
	const lines = page.lines.map((line, lineIndex) =>
		isBulletLine(page.lines[lineIndex + 1], line) ? line : { ...line, text: line.text.replace(replacementCharacters, " ").trim() },
	);
	return { ...page, lines: lines.filter(({ text }) => text !== "") };
}

/** Replacement characters with the white space around them, except a bullet at the beginning of a list item. */
const replacementCharacters = /(?!^\uFFFD\s+[^\s\uFFFD])\s*\uFFFD[\s\uFFFD]*/g;

/** Whether a line is only a bullet, and its text is the next line, right beside it. */
function isBulletLine(words: Line | undefined, { text, box, size }: Line): boolean {
	if (text !== "\uFFFD" || words === undefined || words.text.startsWith("\uFFFD")) return false;
	const gap = words.box[0] - box[2];
	return gap > 0 && gap < size * 4 && words.box[1] < box[3] && words.box[3] > box[1];
}

/** Repeated characters, such as dot leaders and lines to fill in. They are shortened to one character. */
const repeatedCharacters = /([^\p{L}\p{M}\p{N}\p{Co}\uFFFD])\1{2,}/gu;

/** Whether a text has few letters or many unknown characters, as from a font without a Unicode map. */
function isGarbage(characters: string): boolean {
	const text = characters.replace(repeatedCharacters, "$1");
	const unknown = text.replace(/[^\uFFFD\p{Co}]+/gu, "").length;
	const readable = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, "").length;
	return unknown > text.length * 0.05 || readable < text.length * 0.5;
}
