/** What may be read of all sheets of a workbook, so that one without end is read no further than it is kept, and how far it is. */

import { limits, type Progress } from "cairn-memory";

export interface SheetBudget {
	/** @returns whether there may be more. */
	readonly spend: (cells: ReadonlyMap<number, string>) => boolean;
	readonly isSpent: () => boolean;
	/** A row was written. Called for many rows too, so that the caller can free memory. */
	readonly wrote: () => void;
	/** So many rows the sheet that begins now claims to have. */
	readonly expect: (rows: number) => void;
	/** A sheet is finished. For workbooks with few rows this is the only call. */
	readonly reportSheet: (done: number, total: number) => void;
}

const reportEvery = 1_000;

export function createBudget(report: (progress: Progress) => void): SheetBudget {
	let rows = 0;
	let characters = 0;
	let expected = 0;
	let written = 0;
	const isSpent = () => rows >= limits.blocksMax || characters >= limits.extractedCharactersMax;
	const reportRows = () => report({ done: rows, total: Math.max(rows, expected), unit: "row" });
	return {
		spend(cells) {
			if (isSpent()) return false;
			rows++;
			for (const text of cells.values()) characters += text.length;
			if (rows % reportEvery === 0) reportRows();
			return !isSpent();
		},
		isSpent,
		wrote() {
			if (++written % reportEvery === 0) reportRows();
		},
		expect: (more) => {
			expected = rows + more;
		},
		reportSheet: (done, total) => {
			if (rows < reportEvery) report({ done, total, unit: "sheet" });
		},
	};
}
