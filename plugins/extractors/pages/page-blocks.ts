/** The lines of a page → headings, list items, tables and paragraphs, in the order the file writes them. */

import type { Place } from "cairn";
import { hasNamedQuantities } from "../looks-like-header.ts";
import type { Outline } from "../outline.ts";
import { type Box, unionOf } from "./ocr-paragraphs.ts";
import { asColumns, asGrid, type Grid, hasCells, type Row, rowsOf, tableRowCount } from "./page-rows.ts";
import type { Line, PageText } from "./page-text.ts";

/** The sizes of letters in a document: what is body text, and which bigger sizes head it. */
export interface Sizes {
	readonly body: number;
	/** Biggest first. */
	readonly headings: readonly number[];
}

/** Letters this much bigger than the body's are a heading's. */
const headingGrowth = 1.12;
const headingCharactersMax = 160;
const boldHeadingCharactersMax = 90;

const bullet = /^[•◦▪‣●○■□–\uf0b7\uf0a7-]\s*(?=\S)/;
const ordinal = /^(\(?(?:\d{1,2}|[a-z])[.)])\s+(?=\S)/;
/** A word cut at the end of a line, by a hyphen or a soft one. */
const cutWord = /\p{L}[-\u00AD\u2010]$/u;
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

export function sizesOf(pages: readonly PageText[]): Sizes {
	const characters = new Map<number, number>();
	for (const { lines } of pages) for (const { size, text } of lines) characters.set(halves(size), (characters.get(halves(size)) ?? 0) + text.length);
	const [[body] = [10]] = [...characters].sort((one, other) => other[1] - one[1]);
	return { body, headings: [...characters.keys()].filter((size) => size > body * headingGrowth).sort((a, b) => b - a) };
}

function halves(size: number): number {
	return Math.round(size * 2) / 2;
}

/** The end of a sentence, or the end of one and the beginning of the next: a heading that runs on as text. */
const sentence = /[.,;:]$|\p{Ll}{2}\.\s+\p{L}/u;

/** A paragraph, list item or heading that may go on with the next line. */
interface Open {
	readonly kind: "paragraph" | "item" | "heading";
	readonly level: number;
	readonly marker: string;
	readonly last: Line;
	readonly text: string;
	readonly box: Box;
}

export function addPageBlocks(lines: readonly Line[], page: number, sizes: Sizes, outline: Outline): void {
	const rows = rowsOf(lines);
	let loose: Row[] = [];
	const close = () => {
		addText(loose, page, sizes, outline);
		loose = [];
	};
	for (let at = 0; at < rows.length; ) {
		const count = tableRowCount(rows, at);
		const candidates = rows.slice(at, at + count);
		const columns = count > 0 ? asColumns(candidates) : null;
		const grid = count > 0 && columns === null ? asGrid(candidates) : null;
		if (columns !== null || grid !== null) close();
		for (const column of columns ?? []) addPageBlocks(column, page, sizes, outline);
		if (grid !== null) addTable(grid, page, outline);
		const isText = columns === null && grid === null;
		if (isText) loose.push(...rows.slice(at, at + Math.max(count, 1)).flatMap(apart));
		at += Math.max(count, 1);
	}
	close();
}

/** Pieces far apart that are no table stand each for itself; whether they go on is seen by their block. */
function apart(row: Row): readonly Row[] {
	return hasCells(row) ? row.map((line) => [line]) : [row];
}

function addText(rows: readonly Row[], page: number, sizes: Sizes, outline: Outline): void {
	let open: Open | null = null;
	for (const [at, row] of rows.entries()) {
		const next = begin(row, rows[at + 1], sizes);
		if (open !== null && next !== null && continues(open, next)) open = joined(open, next);
		else {
			if (open !== null) write(open, page, outline);
			open = next;
		}
	}
	if (open !== null) write(open, page, outline);
}

function addTable(grid: Grid, page: number, outline: Outline): void {
	const hasHeader = grid.hasBoldTop || hasNamedQuantities(grid.rows.map((row) => row.cells));
	const body = hasHeader ? grid.rows.slice(1) : grid.rows;
	outline.table(
		hasHeader ? (grid.rows[0]?.cells ?? []) : [],
		body.map(({ cells, lines }) => ({ cells, place: placeOf(page, boxOf(lines)) })),
	);
}

/** What a row would be if it stood alone. */
function begin(row: Row, below: Row | undefined, sizes: Sizes): Open | null {
	const [first] = row;
	if (first === undefined) return null;
	const text = row.map((line) => line.text).join(" ");
	const base = { last: first, box: boxOf(row), level: 0, marker: "-" };
	const level = headingLevel(row, text, below, sizes);
	if (level !== null) return { ...base, kind: "heading", level, text };
	const dot = bullet.exec(text);
	if (dot !== null) return { ...base, kind: "item", text: text.slice(dot[0].length) };
	const number = ordinal.exec(text);
	if (number !== null) return { ...base, kind: "item", marker: number[1] ?? "-", text: text.slice(number[0].length) };
	return { ...base, kind: "paragraph", text };
}

function headingLevel(row: Row, text: string, below: Row | undefined, { body, headings }: Sizes): number | null {
	const [first] = row;
	if (first === undefined || !/\p{L}/u.test(text) || isOnItsSide(first)) return null;
	if (first.size > body * headingGrowth && text.length < headingCharactersMax) {
		const rank = headings.findIndex((size) => size <= halves(first.size));
		return Math.min(6, 1 + Math.max(0, rank));
	}
	const isShortAndBold = row.every((line) => line.isBold) && text.length < boldHeadingCharactersMax && /\p{L}{2}/u.test(text) && !sentence.test(text);
	const goesOnInBold = below?.[0]?.block === first.block && below[0].isBold;
	return isShortAndBold && !goesOnInBold ? Math.min(6, headings.length + 1) : null;
}

/** Written from bottom to top, as a stamp in the margin is. */
function isOnItsSide({ box, size, text }: Line): boolean {
	return text.length > 3 && box[3] - box[1] > size * 3;
}

function continues(open: Open, next: Open): boolean {
	if (open.last.block !== next.last.block) return false;
	if (open.kind === "heading") return next.kind === "heading" && next.level === open.level && Math.abs(open.last.size - next.last.size) < 0.6;
	return next.kind === "paragraph";
}

function joined(open: Open, next: Open): Open {
	const isCut = cutWord.test(open.text) && /^\p{Ll}/u.test(next.text);
	const gap = isCut || unspacedScript.test(open.text) ? "" : " ";
	return { ...open, text: `${isCut ? open.text.slice(0, -1) : open.text}${gap}${next.text}`, last: next.last, box: unionOf(open.box, next.box) };
}

function write({ kind, level, marker, text, box }: Open, page: number, outline: Outline): void {
	const place = placeOf(page, box);
	if (kind === "heading") outline.heading(level, text, { place });
	else if (kind === "item") outline.item(0, text, { place, marker });
	else outline.paragraph(text, { place });
}

function placeOf(page: number, box: Box): Place {
	return { page, box };
}

function boxOf(row: Row): Box {
	const [first] = row;
	return row.map((line) => line.box).reduce(unionOf, first?.box ?? [0, 0, 0, 0]);
}
