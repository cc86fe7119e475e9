/** Splits chunks into lines that may contain statements: paragraphs, list items, table rows, headings. Code and lines with only a link are left out. */

import type { Chunk } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { looksLikeHeader } from "../../formats/blocks/looks-like-header.ts";
import { readTimestamp } from "../../formats/chat/stamp.ts";
import { labelOf } from "./labels.ts";
import { isLogLine, recallEnd, recallStart } from "./noise.ts";

export interface Line {
	readonly chunk: Chunk;
	/** The offset of its text in the chunk, after the marker of an item or a heading. */
	readonly span: readonly [number, number];
	readonly text: string;
	readonly kind: "text" | "item" | "row" | "heading";
	/** The level of a heading, from 1. */
	readonly level: number;
	/** The indentation of a list item. */
	readonly indent: number;
	/** The column names of a table row. */
	readonly columns: readonly string[];
	/** Whether it follows an empty line, or is the first line. */
	readonly isFirst: boolean;
	/** Whether it begins a chunk: its sentence may have begun in the previous chunk. */
	readonly opensChunk: boolean;
}

const fence = /^\s*(?:```|~~~)/;
const heading = /^\s*(#{1,6})\s+(?=\S)/;
const ignoredLine =
	/^\s*(?:[-=*_]{3,}\s*$|(?:[-*+>]|\d+[.)])?\s*!?\[[^\]]*\]\([^)]*\)\s*$|(?:[-*+]\s+)?https?:\S+\s*$|\d+\s*$|[[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?:?\s*$|>)|^(?: {4}|\t)\s*\S*[(){};=<>]/;
/** Markers of list items: a dash, a number, a letter in brackets, a check box. `A. Smith` is not a list item. */
const itemMarker = /^\s*(?:(?:[-*+•]|\(?\d+(?:\.(?:\d+|[a-z]))*[.)]|\(?(?:[a-z]|[ivx]{2,6}|[IVX]{2,6})[.)]|\(?[A-Z]\)|\[[ x]\])\s+)+/;
/** The minimum length of a wrapped line, which is about the width of a page. */
const wrappedMin = 50;
/** Further lines are not read: a text of this length is data or many books, and a document has at most 10,000 memories. */
const linesMax = 30_000;

/** Tables with more rows are data and give no memories. Document search still finds their rows. */
const rowsMax = 30;

export async function readLines(chunks: readonly Chunk[]): Promise<readonly Line[]> {
	const lines: Line[] = [];
	let isInRecall = false;
	for (const chunk of chunks) {
		const pause = yieldIfDue();
		if (pause !== null) await pause;
		if (lines.length >= linesMax) break;
		let offset = 0;
		let isCode = false;
		let isFirst = true;
		let columns: readonly string[] = [];
		const rawLines = chunk.text.split("\n");
		for (const [i, raw] of rawLines.entries()) {
			const [begin, end] = [offset, offset + raw.length];
			offset = end + 1;
			if (fence.test(raw)) isCode = !isCode;
			if (recallStart.test(raw)) isInRecall = true;
			const isSkipped = isCode || isInRecall || fence.test(raw);
			if (recallEnd.test(raw)) isInRecall = false;
			const header = headerAt(rawLines, i);
			if (header !== null) columns = header;
			else if (!isRow(raw)) columns = [];
			if (isSkipped || raw.trim() === "" || ignoredLine.test(raw)) {
				isFirst = true;
				continue;
			}
			const isLine = header === null || header.length === 0;
			if (isLine && !isRule(raw)) addLine(lines, { chunk, begin, end, raw, isFirst, columns: isRow(raw) ? columns : null });
			isFirst = false;
		}
	}
	return withoutLongTables(lines.filter(({ text }) => text.trim() !== "" && !isLogLine(text, labelOf(text)?.length)));
}

function isRow(line: string): boolean {
	return /^\s*\|.*\|\s*$/.test(line);
}

/** Whether it is the line below the column names. */
function isRule(line: string): boolean {
	return isRow(line) && /^[\s|:-]+$/.test(line);
}

/** The column names of the table that begins at this line; none if its first row is data, since every Markdown table has a header; null if no table begins. */
function headerAt(lines: readonly string[], index: number): readonly string[] | null {
	const line = lines[index] ?? "";
	if (!isRow(line) || isRule(line) || !isRule(lines[index + 1] ?? "")) return null;
	const below = lines.slice(index + 2, index + 2 + rowsMax);
	const end = below.findIndex((row, i) => !isRow(row) || isRule(below[i + 1] ?? ""));
	const rows = (end < 0 ? below : below.slice(0, end)).map(cellsOf);
	const names = cellsOf(line);
	return rows.length === 0 || looksLikeHeader([names, ...rows]) ? names : [];
}

interface RawLine {
	readonly chunk: Chunk;
	readonly begin: number;
	readonly end: number;
	readonly raw: string;
	readonly isFirst: boolean;
	/** The column names; null if the line is not a table row. */
	readonly columns: readonly string[] | null;
}

function addLine(lines: Line[], { chunk, begin, end, raw, isFirst, columns }: RawLine): void {
	const [title, headingMarks = ""] = heading.exec(raw) ?? [];
	const marker = title ?? (columns === null ? itemMarker.exec(raw)?.[0] : undefined) ?? "";
	const last = lines.at(-1);
	if (!isFirst && columns === null && title === undefined && last !== undefined && continuesLine(last, raw)) {
		const span = [last.span[0], end] as const;
		lines[lines.length - 1] = { ...last, span, text: chunk.text.slice(...span).replaceAll("\n", " ") };
		return;
	}
	const kind = columns !== null ? "row" : title !== undefined ? "heading" : marker === "" ? "text" : "item";
	lines.push({
		chunk,
		span: [begin + marker.length, end],
		text: raw.slice(marker.length),
		kind,
		level: headingMarks.length,
		indent: raw.search(/\S/),
		columns: columns ?? [],
		isFirst,
		opensChunk: begin === 0,
	});
}

/** Whether a line continues the previous one, because that is long and does not end a sentence. */
function continuesLine({ text, kind }: Line, raw: string): boolean {
	if ((kind !== "text" && kind !== "item") || itemMarker.test(raw) || labelOf(raw) !== null || beginsLogLine(raw)) return false;
	const width = text.length - text.lastIndexOf("\n") - 1;
	if (width < wrappedMin || /[.!?:;…]["”’)*]*\s*$/.test(text)) return false;
	return /^\s*[\p{Ll}\p{N}(]/u.test(raw) || (width >= wrappedMin + 10 && !/^\s*[\p{L} ]{1,24}:/u.test(raw));
}

/** Whether it begins with a time in brackets, or is told by a chat server. */
function beginsLogLine(raw: string): boolean {
	return (/^\s*[[(]/.test(raw) && readTimestamp(raw) !== null) || isLogLine(raw);
}

function cellsOf(row: string): string[] {
	return row
		.trim()
		.replace(/^\||\|$/g, "")
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim());
}

/** `Power: 12 hp; Weight: 80 kg`; only the cells if the columns have no names. */
export function rowText({ text, columns }: Pick<Line, "text" | "columns">): string {
	const cells = cellsOf(text).map((cell, i) => (cell === "" ? "" : columns[i] ? `${columns[i]}: ${cell}` : cell));
	return cells.filter((cell) => cell !== "").join("; ");
}

function withoutLongTables(lines: readonly Line[]): readonly Line[] {
	const counts = new Map<string, number>();
	const keys = lines.map(() => "");
	for (const [i, { kind, columns }] of lines.entries()) {
		if (kind !== "row") continue;
		// Rows without column names belong to the table above them.
		const key = columns.join("|") || keys[i - 1] || `row ${i}`;
		keys[i] = key;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return lines.filter(({ kind }, i) => kind !== "row" || (counts.get(keys[i] ?? "") ?? 0) <= rowsMax);
}
