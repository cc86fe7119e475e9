/** Converts comma- and tab-separated text to rows. Each has the row number that a spreadsheet would show, and the column names. */

import type { Progress } from "cairn-memory";
import Papa from "papaparse";
import { looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { OpenTable, OutlineWriter, TableRow } from "../blocks/outline.ts";

/** This many rows are enough to see the type of a column. */
const inspectedRowsMax = 50;
/** The characters parsed at a time, since parsed rows take ten times the memory of their text. */
const pieceCharacters = 1_000_000;
/** After an unclosed quote, no piece has a complete row and every larger one is parsed again. From this size on the rest is parsed as one piece. */
const rowCharactersMax = 4_000_000;

export interface RowProgress {
	/** Whether the document is full, so that reading can stop. */
	readonly isFull: () => boolean;
	readonly report: (progress: Progress) => void;
}

const noProgress: RowProgress = { isFull: () => false, report: () => undefined };

/** @param delimiter null to guess it. */
export function addRows(text: string, delimiter: string | null, outline: OutlineWriter, { isFull, report }: RowProgress = noProgress): void {
	const declared = /^sep=(.)\n/.exec(text); // spreadsheet programs declare the delimiter like this, and do not display the line
	const body = declared === null ? text : text.slice(declared[0].length);
	const table = openTableWithHeader(outline);
	let number = 0;
	for (const { rows, end } of piecesOf(body, declared?.[1] ?? delimiter ?? guessDelimiter(body))) {
		for (const cells of rows) {
			number++;
			const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
			if (width > 0) table.add({ cells: width < cells.length ? cells.slice(0, width) : cells, place: { row: number } });
		}
		if (isFull()) break;
		// The total is estimated from the rows so far, since it is only known at the end.
		report({ done: number, total: Math.max(number, Math.round((number * body.length) / Math.max(1, end))), unit: "row" });
	}
	table.end();
}

interface CsvPiece {
	readonly rows: readonly (readonly string[])[];
	/** The offset at which the next piece begins. */
	readonly end: number;
}

/** Parses the text piece by piece. If the last row of a piece is incomplete, the next piece begins with it. */
function* piecesOf(text: string, delimiter: string): Generator<CsvPiece> {
	const parser = new Papa.Parser({ delimiter, newline: "\n" });
	let size = pieceCharacters;
	for (let offset = 0; offset < text.length; ) {
		const isLast = offset + size >= text.length;
		// The library's types lack these: `data` is a list of rows, `meta.cursor` is the end of the last complete row.
		const { data, meta } = parser.parse(text.slice(offset, offset + size), 0, !isLast) as {
			readonly data: string[][];
			readonly meta: { readonly cursor: number };
		};
		const charactersRead = isLast ? text.length - offset : meta.cursor;
		offset += charactersRead;
		if (charactersRead > 0) yield { rows: data, end: offset };
		if (charactersRead > 0) size = pieceCharacters;
		else size = size >= rowCharactersMax ? text.length : size * 2; // it has no complete row
	}
}

/** Opens a table. Its first rows are held back until it is known whether the first one is a header. */
function openTableWithHeader(outline: OutlineWriter): OpenTable {
	let heldRows: TableRow[] = [];
	let table: OpenTable | null = null;
	const beginTable = (): OpenTable => {
		const hasHeader = looksLikeHeader(heldRows.map((row) => row.cells));
		const header = hasHeader ? (heldRows.shift()?.cells.map((cell) => cell.replace(/\s+/g, " ").trim()) ?? []) : [];
		const newTable = outline.openTable(header);
		for (const row of heldRows) newTable.add(row);
		heldRows = [];
		return newTable;
	};
	return {
		add(row) {
			if (table === null) {
				heldRows.push(row);
				if (heldRows.length === inspectedRowsMax) table = beginTable();
			} else table.add(row);
		},
		end: () => (table ?? beginTable()).end(),
	};
}

/** Guesses the delimiter. Blank lines are ignored here, since they look like rows with one cell. */
function guessDelimiter(text: string): string {
	const delimitersToGuess = [",", ";", "\t", "|", Papa.RECORD_SEP, Papa.UNIT_SEP];
	return Papa.parse(text, { delimitersToGuess, skipEmptyLines: "greedy", preview: 1 }).meta.delimiter;
}
