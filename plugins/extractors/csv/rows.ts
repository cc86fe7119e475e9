/** Comma- and tab-separated text → rows, each with the number a spreadsheet shows and the names of its columns. */

import Papa from "papaparse";
import { looksLikeHeader } from "../looks-like-header.ts";
import { createOutline, type Outline, type TableRow } from "../outline.ts";

interface NumberedRow {
	readonly cells: readonly string[];
	readonly number: number;
}

export function readRows(text: string, delimiter: string | null): Outline {
	const declared = /^sep=(.)\n/.exec(text); // what spreadsheet programs write for each other, and hide
	const body = declared === null ? text : text.slice(declared[0].length);
	const { data } = Papa.parse<string[]>(body, { delimiter: declared?.[1] ?? delimiter ?? guessDelimiter(body) });

	const rows: NumberedRow[] = [];
	for (const [index, cells] of data.entries()) if (cells.some((cell) => cell.trim() !== "")) rows.push({ cells: withoutBlankEnd(cells), number: index + 1 });
	const outline = createOutline();
	const hasHeader = looksLikeHeader(rows.map((row) => row.cells));
	const header = hasHeader ? (rows[0]?.cells.map((cell) => cell.replace(/\s+/g, " ").trim()) ?? []) : [];
	outline.table(header, rows.slice(hasHeader ? 1 : 0).map(toTableRow));
	return outline;
}

/** Blank lines are left out for the guess, as they look like rows of one cell, but kept for the count of rows. */
function guessDelimiter(text: string): string {
	const delimitersToGuess = [",", ";", "\t", "|", Papa.RECORD_SEP, Papa.UNIT_SEP];
	return Papa.parse(text, { delimitersToGuess, skipEmptyLines: "greedy", preview: 1 }).meta.delimiter;
}

function toTableRow({ cells, number }: NumberedRow): TableRow {
	return { cells, place: { row: number } };
}

function withoutBlankEnd(cells: readonly string[]): readonly string[] {
	return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);
}
