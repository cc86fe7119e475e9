/** Limits how much of a workbook's sheets is read, and reports progress. */

import { limits, type Progress } from "cairn-memory";

export interface SheetBudget {
	/** @returns whether there may be more. */
	readonly spend: (cells: ReadonlyMap<number, string>) => boolean;
	readonly isSpent: () => boolean;
	/** To be called after each row, so that memory can be freed from time to time. */
	readonly wrote: () => void;
	/** The number of rows that the next sheet claims to have, for progress. */
	readonly expect: (rows: number) => void;
	/** Reports a finished sheet. Workbooks with few rows report nothing else. */
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
