/** Converts the lines of a page to headings, list items, tables and paragraphs, in the order of the file. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { type Box, unionOf } from "../ocr/ocr-paragraphs.ts";
import { type Bookmarks, normalizeTitle } from "./bookmarks.ts";
import { joinTexts } from "./letters/join-lines.ts";
import { createListLevels, type ListLevels } from "./list-levels.ts";
import { codeOf, codeRowCount } from "./page-code.ts";
import type { Line, PageText } from "./page-text.ts";
import { type RightEdges, rightEdges } from "./right-edges.ts";
import { mirrorBox, mirrorPage } from "./tables/mirror.ts";
import { partsOf } from "./tables/page-parts.ts";
import { type Row, rowsOf } from "./tables/page-rows.ts";
import type { TableWriter } from "./tables/table-writer.ts";
import type { StructureTree } from "./tags/structure-tree.ts";
import { headingLevelOf, isHeading } from "./tags/tag-node.ts";
import type { TaggedItems } from "./tags/tagged-items.ts";
import { taggedParts } from "./tags/tagged-parts.ts";

/** The font sizes of a document: body text and headings. */
export interface Sizes {
	readonly body: number;
	/** The largest first. */
	readonly headings: readonly number[];
	/** Whether most of the document is monospaced. Then monospaced text does not count as code. */
	readonly isMono: boolean;
	/** The titles of its bookmarks. */
	readonly bookmarks: Bookmarks;
	/** Whether headings are tagged. Then a tagged text that looks like a heading and is not tagged as one is none. */
	readonly hasTaggedHeadings: boolean;
}

/** Text larger than body text by this factor is a heading. */
const headingSizeRatio = 1.12;
/** Text smaller than body text by this factor is a label of a figure, in bold as well. */
const labelSizeRatio = 0.85;
const headingCharactersMax = 200;
const boldHeadingCharactersMax = 90;

/** Bullets of list items. A single unknown character counts as a bullet as well. */
const bullet = /^(?:[•◦▪‣●○■□–∗\uf0b7\uf0a7-]\s*|[\ufffd\p{Co}✓✔➢➤►▶❖◆★*·]\s+)(?=\S)/u;
const itemNumber = /^(\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])\s+(?=\S)/;

/** The least share of body text among all characters. Long tables in small print may have more characters than the body text. */
const bodyShareMin = 0.1;
/** The average number of characters in a line of prose is larger than this. */
const proseLineCharacters = 35;

export function sizesOf(pages: readonly PageText[], bookmarks: Bookmarks): Sizes {
	const bySize = new Map<number, { characters: number; lines: number }>();
	let [characterCount, monoCount] = [0, 0];
	for (const { lines } of pages) {
		for (const { size, text, isMono } of lines) {
			const counts = bySize.get(roundToHalf(size));
			if (counts === undefined) bySize.set(roundToHalf(size), { characters: text.length, lines: 1 });
			else {
				counts.characters += text.length;
				counts.lines++;
			}
			characterCount += text.length;
			if (isMono) monoCount += text.length;
		}
	}
	const commonSize = [...bySize].sort(([, one], [, other]) => other.characters - one.characters)[0]?.[0] ?? 10;
	const prose = [...bySize].filter(([, { characters, lines }]) => characters > characterCount * bodyShareMin && characters > lines * proseLineCharacters);
	const body = Math.max(commonSize, ...prose.map(([size]) => size));
	const headings = [...bySize.keys()].filter((size) => size > body * headingSizeRatio).sort((a, b) => b - a);
	const hasTaggedHeadings = pages.some(({ lines }) => lines.some(isTaggedHeading));
	return { body, headings, isMono: monoCount > characterCount / 2, bookmarks, hasTaggedHeadings };
}

function isTaggedHeading({ element }: Line): boolean {
	return element !== undefined && isHeading(element.role);
}

function roundToHalf(size: number): number {
	return Math.round(size * 2) / 2;
}

/** The end of a sentence, or a boundary between sentences. Such text is not a heading. */
const sentenceBoundary = /[.,;:。！？：；]$|\p{Ll}{2}\.\s+\p{Lu}/u;

/** A text with a full stop counts as prose from this number of words on; shorter ones may be titles. */
const proseWordsMin = 10;

/** A paragraph, list item or heading that may continue on the next line. */
interface OpenBlock {
	readonly kind: "paragraph" | "item" | "heading";
	readonly level: number;
	readonly marker: string;
	/** Of a tagged item: its nesting level, which its indentation tells otherwise. */
	readonly depth: number | null;
	readonly first: Line;
	readonly last: Line;
	readonly text: string;
	readonly box: Box;
}

/** Collects the blocks of all pages. */
export interface PageBlockTarget {
	readonly outline: Outline;
	readonly tables: TableWriter;
	readonly sizes: Sizes;
	/** Null for a document without tags. */
	readonly structure: StructureTree | null;
	readonly items: TaggedItems;
}

export function addPageBlocks(text: PageText, page: number, target: PageBlockTarget): void {
	if (text.isRightToLeft) addParts(mirrorPage(text), (box) => ({ page, box: mirrorBox(box, text.width) }), target);
	else addParts(text, (box) => ({ page, box }), target);
}

/** Returns the place of a box on the page. On right-to-left pages the box is mirrored back. */
type PlaceOf = (box: Box) => Place;

function addParts(text: Pick<PageText, "lines" | "rules">, placeOf: PlaceOf, target: PageBlockTarget): void {
	const { tables, structure } = target;
	const isTagged = structure !== null && text.lines.some(({ element }) => element !== undefined);
	for (const part of isTagged ? taggedParts(text, structure) : partsOf(text)) {
		if (part.kind === "table") tables.add(part.grid, placeOf);
		else if (part.kind === "text") addText(rowsOf(part.lines), placeOf, target);
		else for (const lines of part.columns) addParts({ lines, rules: [] }, placeOf, target);
	}
}

function addText(rows: readonly Row[], placeOf: PlaceOf, { outline, sizes, items }: PageBlockTarget): void {
	let openBlock: OpenBlock | null = null;
	const levels = createListLevels();
	const edges = rightEdges(rows.flat());
	const usualLineGap = medianLineGap(rows);
	const closeBlock = () => {
		if (openBlock !== null) write(openBlock, placeOf, levels, outline);
		openBlock = null;
	};
	for (let at = 0; at < rows.length; at++) {
		const codeRows = sizes.isMono ? 0 : codeRowCount(rows, at);
		if (codeRows > 0) {
			closeBlock();
			const listing = rows.slice(at, at + codeRows);
			outline.code(codeOf(listing), null, { place: placeOf(boxOf(listing.flat())) });
			at += codeRows - 1;
			continue;
		}
		const next = blockAt(rows, at, sizes, items);
		if (openBlock !== null && next !== null && continues(openBlock, next, edges, usualLineGap)) openBlock = joinBlocks(openBlock, next, edges);
		else {
			closeBlock();
			openBlock = next;
		}
	}
	closeBlock();
}

/** The block that this row would begin, regardless of the row before. */
function blockAt(rows: readonly Row[], at: number, sizes: Sizes, items: TaggedItems): OpenBlock | null {
	const row = rows[at] ?? [];
	const [first] = row;
	if (first === undefined) return null;
	const text = row.map((line) => line.text).join(" ");
	const base = { first, last: row.at(-1) ?? first, box: boxOf(row), level: 0, marker: "-", depth: items.beginsAt(first.element) };
	const level = base.depth === null ? headingLevel(rows, at, text, sizes) : null;
	if (level !== null) return { ...base, kind: "heading", level, text };
	if (first.hasDot) return { ...base, kind: "item", text };
	const bulletMatch = bullet.exec(text);
	if (bulletMatch !== null) return { ...base, kind: "item", text: text.slice(bulletMatch[0].length) };
	const numberMatch = itemNumber.exec(text);
	if (numberMatch !== null) return { ...base, kind: "item", marker: numberMatch[1] ?? "-", text: text.slice(numberMatch[0].length) };
	return { ...base, kind: base.depth === null ? "paragraph" : "item", text };
}

function headingLevel(rows: readonly Row[], at: number, text: string, { body, headings, bookmarks, hasTaggedHeadings }: Sizes): number | null {
	const row = rows[at] ?? [];
	const [first] = row;
	if (first === undefined || !/\p{L}/u.test(text)) return null;
	if (first.element !== undefined && isHeading(first.element.role)) return headingLevelOf(first.element);
	if (hasTaggedHeadings && first.element !== undefined) return null;
	if (isVertical(first) || isTableOfContentsEntry(row)) return null;
	if (first.size > body * headingSizeRatio && text.length < headingCharactersMax) {
		const rank = headings.findIndex((size) => size <= roundToHalf(first.size));
		return Math.min(6, 1 + Math.max(0, rank));
	}
	const isTitle = isNumberedTitle(rows, at, text) || isBookmarked(rows, at, text, bookmarks);
	const isLabel = first.size < body * labelSizeRatio;
	return isTitle || (!isLabel && (isBoldHeading(rows, at, first.block) || isSetApart(rows, at, body))) ? Math.min(6, headings.length + 1) : null;
}

/** Whether the line is the title of a bookmark, is the first of its block and is alone in its row. */
function isBookmarked(rows: readonly Row[], at: number, text: string, bookmarks: Bookmarks): boolean {
	const row = rows[at];
	if (bookmarks.size === 0 || row?.length !== 1 || rows[at - 1]?.[0]?.block === row[0]?.block || text.length >= boldHeadingCharactersMax) return false;
	const title = normalizeTitle(text);
	return title.length > 2 && bookmarks.has(title);
}

/** A number and capitals: `IV. RESULTS`, `2.1 METHOD`. */
const numberedTitle = /^(?:[IVX]{1,5}\.|\d{1,2}(?:\.\d{1,2})*\.?)\s+\p{Lu}[\p{Lu}\s,:&/'’–-]{4,60}$/u;

function isNumberedTitle(rows: readonly Row[], at: number, text: string): boolean {
	const block = rows[at]?.[0]?.block;
	return numberedTitle.test(text) && rows[at]?.length === 1 && rows[at - 1]?.[0]?.block !== block && rows[at + 1]?.[0]?.block !== block;
}

/** Whether the row belongs to short bold lines that are the heading of a block. */
function isBoldHeading(rows: readonly Row[], at: number, block: number): boolean {
	const isBold = (row: Row | undefined) => row?.[0]?.block === block && row.every((line) => line.isBold);
	if (!isBold(rows[at])) return false;
	let [from, to] = [at, at];
	while (isBold(rows[from - 1])) from--;
	while (isBold(rows[to + 1])) to++;
	const text = rows
		.slice(from, to + 1)
		.map((row) => row.map((line) => line.text).join(" "))
		.join(" ");
	return text.length < boldHeadingCharactersMax && /\p{L}{2}/u.test(text) && !sentenceBoundary.test(text);
}

/** The number of a section: `A.`, `IV.`, `2.1`, `§ 3`. */
const sectionNumber = /^(?:[A-H]\.|[IVX]{1,5}\.|\d{1,2}(?:\.\d{1,2})*[.)]?|§ ?\d+)\s+\p{Lu}/u;

/** A name with initials, or with one initial before a comma or another name: `A. B. Holm`, `A. Holm, Oslo`. */
const initials = /^\p{Lu}\.\s*(?:\p{Lu}\.|\p{Lu}[\p{L}’'-]+(?:,|\s+(?:and|&)\s))/u;

/** The beginning of a byline or of the label of a figure or table. */
const labelStart = /^(?:by|fig(?:ure|\.)?|tab(?:le|\.)?|photo|source)(?:\s|:|$)/iu;

/** Whether the row is a block of its own in small capitals, or in italics right above a text. */
function isSetApart(rows: readonly Row[], at: number, body: number): boolean {
	const [line, ...others] = rows[at] ?? [];
	if (line === undefined || others.length > 0 || line.text.length >= boldHeadingCharactersMax || labelStart.test(line.text)) return false;
	const [above, below] = [rows[at - 1]?.at(-1), rows[at + 1]?.[0]];
	if (above?.block === line.block || below?.block === line.block) return false;
	if (line.isSmallCaps && !sentenceBoundary.test(line.text)) return true;
	return line.isItalic && isTitleInItalics(line.text) && below !== undefined && isProseBelow(line, below, body) && isCloserTo(below, line, above);
}

/** The full stop of a section with a number does not end a sentence. */
function isTitleInItalics(text: string): boolean {
	if (sectionNumber.test(text)) return !initials.test(text) && !/[.,;:。！？：；]$/.test(text);
	return /^\p{Lu}(?!\.)/u.test(text) && !sentenceBoundary.test(text);
}

function isProseBelow(title: Line, { text, size, isItalic, box }: Line, body: number): boolean {
	const gap = box[1] - title.box[3];
	return !isItalic && text.length > proseLineCharacters && Math.abs(size - body) < 0.6 && gap > 0 && gap < size * 1.5;
}

/** Whether the title has more space above than below. Above the first line of a column there is no text. */
function isCloserTo(below: Line, { box, size }: Line, above: Line | undefined): boolean {
	return above === undefined || above.box[1] > box[1] || box[1] - above.box[3] > below.box[1] - box[3] + size * 0.1;
}

/** Whether the row is an entry of a table of contents: its last text is a page number at a distance. */
function isTableOfContentsEntry(row: Row): boolean {
	const [last, beforeLast] = [row.at(-1), row.at(-2)];
	return last !== undefined && beforeLast !== undefined && /^[.\s]*\d+$/.test(last.text) && last.box[0] - beforeLast.box[2] > last.size * 2;
}

/** Whether the text is vertical, such as a stamp in the margin. */
function isVertical({ box, size, text }: Line): boolean {
	return text.length > 3 && box[3] - box[1] > size * 3 && !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

function continues(openBlock: OpenBlock, next: OpenBlock, edges: RightEdges, usualLineGap: number): boolean {
	if (openBlock.last.block !== next.last.block) {
		if (openBlock.kind === "heading") return continuesTitle(openBlock, next);
		if (next.kind !== "paragraph") return false;
		return continuesSentence(openBlock, next, edges) || (isRightBelow(openBlock.last, next.first, usualLineGap) && edges.isFull(openBlock.last, next.first));
	}
	if (isTaggedHeading(openBlock.first)) return true;
	if (openBlock.kind === "heading") return next.kind === "heading" && next.level === openBlock.level && Math.abs(openBlock.last.size - next.last.size) < 0.6;
	if (next.kind !== "paragraph") return false;
	return openBlock.kind === "paragraph" || !edges.endsEarly(openBlock.last, next.first);
}

/** Whether the next line continues a title of centred lines, which MuPDF takes for paragraphs. */
function continuesTitle({ kind, level, last }: OpenBlock, next: OpenBlock): boolean {
	const { box, size, isBold, isItalic } = next.first;
	const isSame = next.kind === kind && next.level === level && Math.abs(last.size - size) < 0.6 && last.isBold === isBold && last.isItalic === isItalic;
	const verticalGap = box[1] - last.box[3];
	if (!isSame || verticalGap < -size || verticalGap > size * titleGap || box[1] < last.box[1] + size / 2) return false;
	const isCentred = Math.abs(box[0] - last.box[0]) > 2 && Math.abs(box[0] + box[2] - last.box[0] - last.box[2]) < size;
	return isCentred && !sectionNumber.test(next.text);
}

/** The largest gap between the lines of a title, in font sizes. */
const titleGap = 0.5;

/** The median gap between lines. If it is large, MuPDF takes every line for a paragraph. */
function medianLineGap(rows: readonly Row[]): number {
	const gaps = rows.flatMap(([line], index) => {
		const above = rows[index - 1]?.[0];
		const isNext = above !== undefined && line !== undefined && Math.abs(above.box[0] - line.box[0]) <= 2 && line.box[1] > above.box[1];
		return isNext ? [line.box[1] - above.box[3]] : [];
	});
	return gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
}

/** MuPDF itself joins lines with smaller gaps, in font sizes. */
const wideGap = 0.3;

function isRightBelow(above: Line, { box, size, isBold }: Line, lineGap: number): boolean {
	const verticalGap = box[1] - above.box[3];
	const hasSameFormat = Math.abs(above.size - size) < 0.6 && above.isBold === isBold;
	return hasSameFormat && Math.abs(above.box[0] - box[0]) <= 2 && verticalGap > size * wideGap && verticalGap <= lineGap + 0.5 && verticalGap < size * 1.5;
}

/** The largest difference in x at which lines of a paragraph or list item begin, in points. */
const indentMax = 30;

/** Whether the row continues the sentence of the block above it, or of the end of the column before. */
function continuesSentence({ last, text }: OpenBlock, { first, text: nextText }: OpenBlock, edges: RightEdges): boolean {
	if (!/^\p{Ll}/u.test(nextText) || /[.!?:;]$/.test(text) || !/[\p{L},-]$/u.test(text) || Math.abs(last.size - first.size) > 0.6) return false;
	const verticalGap = first.box[1] - last.box[3];
	const isBelow = verticalGap > -first.size && verticalGap < first.size && first.box[1] > last.box[1] && Math.abs(first.box[0] - last.box[0]) <= indentMax;
	const isNextColumn = first.box[1] < last.box[1] - first.size / 2 && first.box[0] >= last.box[2];
	return (isBelow || isNextColumn) && !edges.endsEarly(last, first);
}

/** Joins two blocks. Keeps the line break if the line ended early, as in a postal address. */
function joinBlocks(openBlock: OpenBlock, next: OpenBlock, edges: RightEdges): OpenBlock {
	const keepsLineBreak = openBlock.kind === "paragraph" && edges.endsEarly(openBlock.last, next.first);
	const text = keepsLineBreak ? `${openBlock.text}\n${next.text}` : joinTexts(openBlock.text, next.text);
	return { ...openBlock, text, last: next.last, box: unionOf(openBlock.box, next.box) };
}

/** Whether the text has whole sentences; then it is not a heading in any font size. */
function isProse(text: string): boolean {
	return text.split(" ").length >= proseWordsMin && /[.!?:]$|\p{Ll}{2}[.!?]\s+\p{Lu}/u.test(text);
}

function write({ kind, level, marker, depth, text, box }: OpenBlock, placeOf: PlaceOf, levels: ListLevels, outline: Outline): void {
	const place = placeOf(box);
	const isHeading = kind === "heading" && text.length <= headingCharactersMax && !isProse(text);
	if (kind === "item") outline.item(depth ?? levels.depthAt(box[0]), text, { place, marker });
	else if (isHeading) outline.heading(level, text, { place });
	else outline.paragraph(text, { place });
	if (kind !== "item") levels.end();
}

function boxOf(row: Row): Box {
	const [first] = row;
	return row.map((line) => line.box).reduce(unionOf, first?.box ?? [0, 0, 0, 0]);
}
