/** The lines of a page → headings, list items, tables and paragraphs, in the order of the file. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { type Box, unionOf } from "../ocr/ocr-paragraphs.ts";
import { asCompared, type Bookmarks } from "./bookmarks.ts";
import { joinTexts } from "./letters/join-lines.ts";
import { createListLevels, type ListLevels } from "./list-levels.ts";
import { codeOf, codeRowCount } from "./page-code.ts";
import type { Line, PageText } from "./page-text.ts";
import { type RightEdges, rightEdges } from "./right-edges.ts";
import { inMirror, mirroredBox } from "./tables/mirror.ts";
import { partsOf } from "./tables/page-parts.ts";
import { type Row, rowsOf } from "./tables/page-rows.ts";
import type { TableWriter } from "./tables/table-writer.ts";

/** The font sizes of a document: body text and headings. */
export interface Sizes {
	readonly body: number;
	/** Biggest first. */
	readonly headings: readonly number[];
	/** Whether the whole document is monospaced: then monospaced text is not code. */
	readonly isMono: boolean;
	/** The titles of its bookmarks. */
	readonly bookmarks: Bookmarks;
}

/** Text this much larger than body text is a heading. */
const headingGrowth = 1.12;
const headingCharactersMax = 200;
const boldHeadingCharactersMax = 90;

/** A single unknown character counts as a bullet as well. */
const bullet = /^(?:[•◦▪‣●○■□–∗\uf0b7\uf0a7-]\s*|[\ufffd\p{Co}✓✔➢➤►▶❖◆★*·]\s+)(?=\S)/u;
const ordinal = /^(\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])\s+(?=\S)/;

/** The least share of body text among the characters; long tables in small print may be more. */
const bodyShareMin = 0.1;
/** The average length of a line of prose. */
const proseLine = 35;

export function sizesOf(pages: readonly PageText[], bookmarks: Bookmarks): Sizes {
	const found = new Map<number, { characters: number; lines: number }>();
	let [all, mono] = [0, 0];
	for (const { lines } of pages) {
		for (const { size, text, isMono } of lines) {
			const known = found.get(halves(size));
			if (known === undefined) found.set(halves(size), { characters: text.length, lines: 1 });
			else {
				known.characters += text.length;
				known.lines++;
			}
			all += text.length;
			if (isMono) mono += text.length;
		}
	}
	const usual = [...found].sort(([, one], [, other]) => other.characters - one.characters)[0]?.[0] ?? 10;
	const prose = [...found].filter(([, { characters, lines }]) => characters > all * bodyShareMin && characters > lines * proseLine);
	const body = Math.max(usual, ...prose.map(([size]) => size));
	const headings = [...found.keys()].filter((size) => size > body * headingGrowth).sort((a, b) => b - a);
	return { body, headings, isMono: mono > all / 2, bookmarks };
}

function halves(size: number): number {
	return Math.round(size * 2) / 2;
}

/** The end of a sentence, or a sentence boundary: then it is text and no heading. */
const sentence = /[.,;:]$|\p{Ll}{2}\.\s+\p{L}/u;

/** A text with a full stop and fewer words may be a title. */
const proseWordsMin = 10;

/** A paragraph, list item or heading that may continue on the next line. */
interface Open {
	readonly kind: "paragraph" | "item" | "heading";
	readonly level: number;
	readonly marker: string;
	readonly first: Line;
	readonly last: Line;
	readonly text: string;
	readonly box: Box;
}

/** Collects the blocks of all pages. */
export interface Target {
	readonly outline: Outline;
	readonly tables: TableWriter;
	readonly sizes: Sizes;
}

export function addPageBlocks(text: PageText, page: number, target: Target): void {
	if (text.isRightToLeft) addParts(inMirror(text), (box) => ({ page, box: mirroredBox(box, text.width) }), target);
	else addParts(text, (box) => ({ page, box }), target);
}

/** Maps a box of the ordered text to its place on the page. */
type PlaceOf = (box: Box) => Place;

function addParts(text: Pick<PageText, "lines" | "rules">, placeOf: PlaceOf, target: Target): void {
	const { outline, tables, sizes } = target;
	for (const part of partsOf(text)) {
		if (part.kind === "table") tables.add(part.grid, placeOf);
		else if (part.kind === "text") addText(rowsOf(part.lines), placeOf, sizes, outline);
		else for (const lines of part.columns) addParts({ lines, rules: [] }, placeOf, target);
	}
}

function addText(rows: readonly Row[], placeOf: PlaceOf, sizes: Sizes, outline: Outline): void {
	let open: Open | null = null;
	const levels = createListLevels();
	const edges = rightEdges(rows.flat());
	const gap = usualGap(rows);
	const close = () => {
		if (open !== null) write(open, placeOf, levels, outline);
		open = null;
	};
	for (let at = 0; at < rows.length; at++) {
		const codeRows = sizes.isMono ? 0 : codeRowCount(rows, at);
		if (codeRows > 0) {
			close();
			const listing = rows.slice(at, at + codeRows);
			outline.code(codeOf(listing), null, { place: placeOf(boxOf(listing.flat())) });
			at += codeRows - 1;
			continue;
		}
		const next = begin(rows, at, sizes);
		if (open !== null && next !== null && continues(open, next, edges, gap)) open = joined(open, next, edges);
		else {
			close();
			open = next;
		}
	}
	close();
}

/** The block that begins with this row, regardless of the one before. */
function begin(rows: readonly Row[], at: number, sizes: Sizes): Open | null {
	const row = rows[at] ?? [];
	const [first] = row;
	if (first === undefined) return null;
	const text = row.map((line) => line.text).join(" ");
	const base = { first, last: row.at(-1) ?? first, box: boxOf(row), level: 0, marker: "-" };
	const level = headingLevel(rows, at, text, sizes);
	if (level !== null) return { ...base, kind: "heading", level, text };
	if (first.hasDot) return { ...base, kind: "item", text };
	const dot = bullet.exec(text);
	if (dot !== null) return { ...base, kind: "item", text: text.slice(dot[0].length) };
	const number = ordinal.exec(text);
	if (number !== null) return { ...base, kind: "item", marker: number[1] ?? "-", text: text.slice(number[0].length) };
	return { ...base, kind: "paragraph", text };
}

function headingLevel(rows: readonly Row[], at: number, text: string, { body, headings, bookmarks }: Sizes): number | null {
	const row = rows[at] ?? [];
	const [first] = row;
	if (first === undefined || !/\p{L}/u.test(text) || isOnItsSide(first) || namesPage(row)) return null;
	if (first.size > body * headingGrowth && text.length < headingCharactersMax) {
		const rank = headings.findIndex((size) => size <= halves(first.size));
		return Math.min(6, 1 + Math.max(0, rank));
	}
	const isNamed = isNumberedTitle(rows, at, text) || isBookmarked(rows, at, text, bookmarks);
	return isNamed || isBoldHeading(rows, at, first.block) ? Math.min(6, headings.length + 1) : null;
}

/** Whether the line is the title of a bookmark, begins its block and is alone in its row. */
function isBookmarked(rows: readonly Row[], at: number, text: string, bookmarks: Bookmarks): boolean {
	const row = rows[at];
	if (bookmarks.size === 0 || row?.length !== 1 || rows[at - 1]?.[0]?.block === row[0]?.block || text.length >= boldHeadingCharactersMax) return false;
	const title = asCompared(text);
	return title.length > 2 && bookmarks.has(title);
}

/** `IV. RESULTS`, `2.1 METHOD`: a number and capitals, alone in the row. */
const numberedTitle = /^(?:[IVX]{1,5}\.|\d{1,2}(?:\.\d{1,2})*\.?)\s+\p{Lu}[\p{Lu}\s,:&/'’–-]{4,60}$/u;

function isNumberedTitle(rows: readonly Row[], at: number, text: string): boolean {
	const block = rows[at]?.[0]?.block;
	return numberedTitle.test(text) && rows[at]?.length === 1 && rows[at - 1]?.[0]?.block !== block && rows[at + 1]?.[0]?.block !== block;
}

/** Whether a block begins with short bold lines, which are its heading. */
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
	return text.length < boldHeadingCharactersMax && /\p{L}{2}/u.test(text) && !sentence.test(text);
}

/** An entry of a table of contents. */
function namesPage(row: Row): boolean {
	const [last, before] = [row.at(-1), row.at(-2)];
	return last !== undefined && before !== undefined && /^[.\s]*\d+$/.test(last.text) && last.box[0] - before.box[2] > last.size * 2;
}

/** Vertical text, such as a stamp in the margin. */
function isOnItsSide({ box, size, text }: Line): boolean {
	return text.length > 3 && box[3] - box[1] > size * 3 && !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

function continues(open: Open, next: Open, edges: RightEdges, gap: number): boolean {
	if (open.last.block !== next.last.block) {
		if (open.kind === "heading" || next.kind !== "paragraph") return false;
		return isRestOf(open, next, edges) || (isRightBelow(open.last, next.first, gap) && edges.isFull(open.last, next.first));
	}
	if (open.kind === "heading") return next.kind === "heading" && next.level === open.level && Math.abs(open.last.size - next.last.size) < 0.6;
	if (next.kind !== "paragraph") return false;
	return open.kind === "paragraph" || !edges.endsOnPurpose(open.last, next.first);
}

/** The usual line gap on this page: where it is large, MuPDF takes each line for a paragraph. */
function usualGap(rows: readonly Row[]): number {
	const gaps = rows.flatMap(([line], at) => {
		const above = rows[at - 1]?.[0];
		const isNext = above !== undefined && line !== undefined && Math.abs(above.box[0] - line.box[0]) <= 2 && line.box[1] > above.box[1];
		return isNext ? [line.box[1] - above.box[3]] : [];
	});
	return gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
}

/** In letter heights: MuPDF joins lines with smaller gaps itself. */
const wideGap = 0.3;

function isRightBelow(above: Line, { box, size, isBold }: Line, usual: number): boolean {
	const gap = box[1] - above.box[3];
	const isAlike = Math.abs(above.size - size) < 0.6 && above.isBold === isBold;
	return isAlike && Math.abs(above.box[0] - box[0]) <= 2 && gap > size * wideGap && gap <= usual + 0.5 && gap < size * 1.5;
}

/** In points: the lines of a paragraph or list item begin no further apart. */
const indentMax = 30;

/** Whether the row continues the sentence above it, or of the column before. */
function isRestOf({ last, text }: Open, { first, text: rest }: Open, edges: RightEdges): boolean {
	if (!/^\p{Ll}/u.test(rest) || /[.!?:;]$/.test(text) || !/[\p{L},-]$/u.test(text) || Math.abs(last.size - first.size) > 0.6) return false;
	const gap = first.box[1] - last.box[3];
	const isBelow = gap > -first.size && gap < first.size && first.box[1] > last.box[1] && Math.abs(first.box[0] - last.box[0]) <= indentMax;
	const isNextColumn = first.box[1] < last.box[1] - first.size / 2 && first.box[0] >= last.box[2];
	return (isBelow || isNextColumn) && !edges.endsOnPurpose(last, first);
}

/** Keeps a line break where the line ended early, as in an address. */
function joined(open: Open, next: Open, edges: RightEdges): Open {
	const isLine = open.kind === "paragraph" && edges.endsOnPurpose(open.last, next.first);
	const text = isLine ? `${open.text}\n${next.text}` : joinTexts(open.text, next.text);
	return { ...open, text, last: next.last, box: unionOf(open.box, next.box) };
}

/** Whole sentences are text in any font size. */
function isProse(text: string): boolean {
	return text.split(" ").length >= proseWordsMin && /[.!?:]$|\p{Ll}{2}[.!?]\s+\p{Lu}/u.test(text);
}

function write({ kind, level, marker, text, box }: Open, placeOf: PlaceOf, levels: ListLevels, outline: Outline): void {
	const place = placeOf(box);
	const isHeading = kind === "heading" && text.length <= headingCharactersMax && !isProse(text);
	if (kind === "item") outline.item(levels.depthAt(box[0]), text, { place, marker });
	else if (isHeading) outline.heading(level, text, { place });
	else outline.paragraph(text, { place });
	if (kind !== "item") levels.end();
}

function boxOf(row: Row): Box {
	const [first] = row;
	return row.map((line) => line.box).reduce(unionOf, first?.box ?? [0, 0, 0, 0]);
}
