/** Comma- and tab-separated text → rows, with the row number of a spreadsheet and the column names. */

import type { Progress } from "cairn-memory";
import Papa from "papaparse";
import { looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { OpenTable, OutlineWriter, TableRow } from "../blocks/outline.ts";

/** So many rows are enough to see the type of a column. */
const inspectedRowsMax = 50;
/** Characters parsed at once: parsed rows take ten times the memory of their text. */
const piecesCharacters = 1_000_000;
/** An unclosed quote makes every piece part of the next, which is parsed again: from this size on the rest is parsed as one piece. */
const rowCharactersMax = 4_000_000;

export interface Watching {
	/** Whether the document is full, so that reading can stop. */
	readonly isFull: () => boolean;
	readonly report: (progress: Progress) => void;
}

const unwatched: Watching = { isFull: () => false, report: () => undefined };

/** @param delimiter null to guess it. */
export function addRows(text: string, delimiter: string | null, outline: OutlineWriter, { isFull, report }: Watching = unwatched): void {
	const declared = /^sep=(.)\n/.exec(text); // a declaration of spreadsheet programs, which they do not display
	const body = declared === null ? text : text.slice(declared[0].length);
	const table = openRows(outline);
	let number = 0;
	for (const { rows, end } of piecesOf(body, declared?.[1] ?? delimiter ?? guessDelimiter(body))) {
		for (const cells of rows) {
			number++;
			const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
			if (width > 0) table.add({ cells: width < cells.length ? cells.slice(0, width) : cells, place: { row: number } });
		}
		if (isFull()) break;
		// The total is estimated from the rows so far, as it is only known at the end.
		report({ done: number, total: Math.max(number, Math.round((number * body.length) / Math.max(1, end))), unit: "row" });
	}
	table.end();
}

interface CsvPiece {
	readonly rows: readonly (readonly string[])[];
	/** Where the next piece begins in the text. */
	readonly end: number;
}

/** The last row of a piece may be incomplete: the next piece begins with it. */
function* piecesOf(text: string, delimiter: string): Generator<CsvPiece> {
	const parser = new Papa.Parser({ delimiter, newline: "\n" });
	let size = piecesCharacters;
	for (let at = 0; at < text.length; ) {
		const isLast = at + size >= text.length;
		// The library's types lack this: `data` is a list of rows, `meta.cursor` the end of the last whole row.
		const { data, meta } = parser.parse(text.slice(at, at + size), 0, !isLast) as { readonly data: string[][]; readonly meta: { readonly cursor: number } };
		const read = isLast ? text.length - at : meta.cursor;
		at += read;
		if (read > 0) yield { rows: data, end: at };
		if (read > 0) size = piecesCharacters;
		else size = size >= rowCharactersMax ? text.length : size * 2; // it has no complete row
	}
}

/** A table whose first rows are kept back until it is clear whether the first is a header. */
function openRows(outline: OutlineWriter): OpenTable {
	let waiting: TableRow[] = [];
	let table: OpenTable | null = null;
	const begin = (): OpenTable => {
		const hasHeader = looksLikeHeader(waiting.map((row) => row.cells));
		const header = hasHeader ? (waiting.shift()?.cells.map((cell) => cell.replace(/\s+/g, " ").trim()) ?? []) : [];
		const opened = outline.openTable(header);
		for (const row of waiting) opened.add(row);
		waiting = [];
		return opened;
	};
	return {
		add(row) {
			if (table === null) {
				waiting.push(row);
				if (waiting.length === inspectedRowsMax) table = begin();
			} else table.add(row);
		},
		end: () => (table ?? begin()).end(),
	};
}

/** Ignores blank lines, which look like rows of one cell; they count as rows elsewhere. */
function guessDelimiter(text: string): string {
	const delimitersToGuess = [",", ";", "\t", "|", Papa.RECORD_SEP, Papa.UNIT_SEP];
	return Papa.parse(text, { delimitersToGuess, skipEmptyLines: "greedy", preview: 1 }).meta.delimiter;
}
