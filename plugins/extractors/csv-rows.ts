/** Comma- and tab-separated text → rows, each with the number a spreadsheet shows and the names of its columns. */

import Papa from "papaparse";
import { looksLikeHeader } from "./looks-like-header.ts";
import type { Outline, TableRow } from "./outline.ts";

/** As many rows as it takes to see what a column holds. */
const inspectedRowsMax = 50;

/** @param delimiter null to find out. */
export function addRows(text: string, delimiter: string | null, outline: Outline): void {
	const declared = /^sep=(.)\n/.exec(text); // what spreadsheet programs write for each other, and hide
	const body = declared === null ? text : text.slice(declared[0].length);
	const { data } = Papa.parse<string[]>(body, { delimiter: declared?.[1] ?? delimiter ?? guessDelimiter(body) });

	const rows: TableRow[] = [];
	for (const [index, cells] of data.entries()) {
		const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
		if (width > 0) rows.push({ cells: width < cells.length ? cells.slice(0, width) : cells, place: { row: index + 1 } });
	}
	const hasHeader = looksLikeHeader(rows.slice(0, inspectedRowsMax).map((row) => row.cells));
	const header = hasHeader ? (rows.shift()?.cells.map((cell) => cell.replace(/\s+/g, " ").trim()) ?? []) : [];
	outline.table(header, rows);
}

/** Blank lines are left out for the guess, as they look like rows of one cell, but kept for the count of rows. */
function guessDelimiter(text: string): string {
	const delimitersToGuess = [",", ";", "\t", "|", Papa.RECORD_SEP, Papa.UNIT_SEP];
	return Papa.parse(text, { delimitersToGuess, skipEmptyLines: "greedy", preview: 1 }).meta.delimiter;
}
