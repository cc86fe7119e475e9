/** Splits chunks into lines that may contain statements: paragraphs, list items, table rows, headings. Code and lines with only a link are left out. */

import type { Chunk } from "cairn-memory";
import { isLogLine, recallEnd, recallStart } from "./noise.ts";
import { labelOf } from "./speakers.ts";

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
const ignoredLine = /^\s*(?:[-=*_]{3,}\s*$|(?:[-*+>]|\d+[.)])?\s*!?\[[^\]]*\]\([^)]*\)\s*$|(?:[-*+]\s+)?https?:\S+\s*$|\d+\s*$|>)|^(?: {4}|\t)\s*\S*[(){};=<>]/;
/** Markers of list items: a dash, a number, a letter in brackets, a check box. `A. Smith` is not a list item. */
const itemMarker = /^\s*(?:(?:[-*+•]|\(?\d+(?:\.(?:\d+|[a-z]))*[.)]|\(?(?:[a-z]|[ivx]{2,6}|[IVX]{2,6})[.)]|\(?[A-Z]\)|\[[ x]\])\s+)+/;
/** The minimum length of a wrapped line, which is about the width of a page. */
const wrappedMin = 50;
/** Further lines are not read: a text of this length is data or many books, and a document has at most 10,000 memories. */
const linesMax = 30_000;

/** Tables with more rows are data and give no memories. Document search still finds their rows. */
const rowsMax = 30;

export function readLines(chunks: readonly Chunk[]): readonly Line[] {
	const lines: Line[] = [];
	let isInRecall = false;
	for (const chunk of chunks) {
		if (lines.length >= linesMax) break;
		let offset = 0;
		let isCode = false;
		let isFirst = true;
		let table: string[] | null = null;
		for (const raw of chunk.text.split("\n")) {
			const [begin, end] = [offset, offset + raw.length];
			offset = end + 1;
			if (fence.test(raw)) isCode = !isCode;
			if (recallStart.test(raw)) isInRecall = true;
			const isSkipped = isCode || isInRecall || fence.test(raw);
			if (recallEnd.test(raw)) isInRecall = false;
			const isRow = /^\s*\|.*\|\s*$/.test(raw);
			if (!isRow) table = null;
			if (isSkipped || raw.trim() === "" || ignoredLine.test(raw)) {
				isFirst = true;
				continue;
			}
			if (isRow && table === null) table = cellsOf(raw);
			else if (!isRow || !/^[\s|:-]+$/.test(raw)) addLine(lines, { chunk, begin, end, raw, isFirst, columns: isRow ? (table ?? []) : null });
			isFirst = false;
		}
	}
	return withoutLongTables(lines.filter(({ text }) => text.trim() !== "" && !isLogLine(text.slice(labelOf(text)?.length ?? 0))));
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
	if ((kind !== "text" && kind !== "item") || itemMarker.test(raw) || labelOf(raw) !== null) return false;
	const width = text.length - text.lastIndexOf("\n") - 1;
	if (width < wrappedMin || /[.!?:;…]["”’)*]*\s*$/.test(text)) return false;
	return /^\s*[\p{Ll}\p{N}(]/u.test(raw) || (width >= wrappedMin + 10 && !/^\s*[\p{L} ]{1,24}:/u.test(raw));
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
	const keyOf = ({ columns }: Line) => columns.join("|");
	for (const line of lines) if (line.kind === "row") counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
	return lines.filter((line) => line.kind !== "row" || (counts.get(keyOf(line)) ?? 0) <= rowsMax);
}
