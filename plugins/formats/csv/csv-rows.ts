/** Comma- and tab-separated text → rows, each with the number a spreadsheet shows and the names of its columns. */

import type { Progress } from "cairn-memory";
import Papa from "papaparse";
import { looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { OpenTable, OutlineWriter, TableRow } from "../blocks/outline.ts";

/** As many rows as it takes to see what a column holds. */
const inspectedRowsMax = 50;
/** So much is parsed at once: rows as lists take ten times as much as their text. */
const piecesCharacters = 1_000_000;
/** A quote that is never closed makes each piece part of the next, which is then read again: from here on all of the rest is one. */
const rowCharactersMax = 4_000_000;

export interface Watching {
	/** Whether reading on would be in vain. */
	readonly isFull: () => boolean;
	readonly report: (progress: Progress) => void;
}

const unwatched: Watching = { isFull: () => false, report: () => undefined };

/** @param delimiter null to find out. */
export function addRows(text: string, delimiter: string | null, outline: OutlineWriter, { isFull, report }: Watching = unwatched): void {
	const declared = /^sep=(.)\n/.exec(text); // what spreadsheet programs write for each other, and hide
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
		// How many rows there are is known at the end only: as many as so far for each part of the text.
		report({ done: number, total: Math.max(number, Math.round((number * body.length) / Math.max(1, end))), unit: "row" });
	}
	table.end();
}

interface CsvPiece {
	readonly rows: readonly (readonly string[])[];
	/** Where in the text the next one begins. */
	readonly end: number;
}

/** The last row of a piece may be cut off: the next piece begins with it. */
function* piecesOf(text: string, delimiter: string): Generator<CsvPiece> {
	const parser = new Papa.Parser({ delimiter, newline: "\n" });
	let size = piecesCharacters;
	for (let at = 0; at < text.length; ) {
		const isLast = at + size >= text.length;
		// What is parsed comes as the library's types do not tell: lists of rows, and where the last whole row ended.
		const { data, meta } = parser.parse(text.slice(at, at + size), 0, !isLast) as { readonly data: string[][]; readonly meta: { readonly cursor: number } };
		const read = isLast ? text.length - at : meta.cursor;
		at += read;
		if (read > 0) yield { rows: data, end: at };
		if (read > 0) size = piecesCharacters;
		else size = size >= rowCharactersMax ? text.length : size * 2; // not one row ends in it
	}
}

/** A table whose first rows wait until they tell whether there is a header among them. */
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

/** Blank lines are left out for the guess, as they look like rows of one cell, but kept for the count of rows. */
function guessDelimiter(text: string): string {
	const delimitersToGuess = [",", ";", "\t", "|", Papa.RECORD_SEP, Papa.UNIT_SEP];
	return Papa.parse(text, { delimitersToGuess, skipEmptyLines: "greedy", preview: 1 }).meta.delimiter;
}
