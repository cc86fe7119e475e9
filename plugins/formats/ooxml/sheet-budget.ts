/** Limits how much of a workbook's sheets is read, and reports progress. */

import { limits, type Progress } from "cairn-memory";

export interface SheetBudget {
	/** Counts a row that was read. @returns whether more rows may be read. */
	readonly spend: (cells: ReadonlyMap<number, string>) => boolean;
	readonly isSpent: () => boolean;
	/** To be called after each row that is written, so that progress is reported, and memory can be freed, from time to time. */
	readonly rowWritten: () => void;
	/** Takes the number of rows that the next sheet declares, for progress reports. */
	readonly expectRows: (rows: number) => void;
	/** Reports a finished sheet, unless rows are reported: workbooks with few rows report only sheets. */
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
		rowWritten() {
			if (++written % reportEvery === 0) reportRows();
		},
		expectRows: (moreRows) => {
			expected = rows + moreRows;
		},
		reportSheet: (done, total) => {
			if (rows < reportEvery) report({ done, total, unit: "sheet" });
		},
	};
}
