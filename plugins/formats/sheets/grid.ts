/** The cells of a sheet, row by row, without empty ones. */

export interface GridRow {
	/** The row number, from 1. */
	readonly number: number;
	/** The non-empty columns, from 0, in order. Equal lists are shared between rows. */
	readonly columns: readonly number[];
	/** The page with their texts, from `begin` to `end`. Separate strings would take five times the memory, for up to a million rows. */
	readonly page: TextPage;
	readonly begin: number;
	readonly end: number;
	/** Whether the row has a cell merged across columns. If it has only one text, that is then a title. */
	readonly isMerged?: boolean;
}

export interface Range {
	readonly top: number;
	readonly left: number;
	readonly bottom: number;
	readonly right: number;
}

/** The size of a sheet in Excel. Cell references beyond it are invalid. */
export const rowsMax = 1_048_576;
export const columnsMax = 16_384;

/** Separates texts; no cell contains it. */
const textSeparator = "\0";

/** The length of a page. Without pages, many small strings would fragment the memory. */
const pageCharacters = 64_000;

/** The texts of many rows in one string. Texts added since the last read are in `pending`. */
export interface TextPage {
	text: string;
	pending: string[];
	length: number;
}

export type RowMaker = (number: number, cells: ReadonlyMap<number, string>) => GridRow;

/** Creates the rows of a sheet. */
export function createRowMaker(): RowMaker {
	let lastColumns: readonly number[] = [];
	let page: TextPage = { text: "", pending: [], length: 0 };
	return (number, cells) => {
		const columns = [...cells.keys()];
		const isOrdered = columns.every((column, index) => index === 0 || column > (columns[index - 1] ?? 0));
		if (!isOrdered) columns.sort((one, other) => one - other);
		const isSameAsLast = columns.length === lastColumns.length && columns.every((column, index) => column === lastColumns[index]);
		if (!isSameAsLast) lastColumns = columns;
		if (page.length > pageCharacters) {
			textOf(page);
			page = { text: "", pending: [], length: 0 };
		}
		const begin = page.length;
		for (const column of lastColumns) {
			const text = cells.get(column) ?? "";
			const stored = (text.includes(textSeparator) ? text.replaceAll(textSeparator, "") : text) + textSeparator;
			page.pending.push(stored);
			page.length += stored.length;
		}
		return { number, columns: lastColumns, page, begin, end: page.length };
	};
}

function textOf(page: TextPage): string {
	if (page.pending.length > 0) page.text += page.pending.join("");
	page.pending = [];
	return page.text;
}

/** The texts of a row, in the order of its columns. */
export function textsOf({ page, begin, end }: GridRow): readonly string[] {
	return end > begin
		? textOf(page)
				.slice(begin, end - textSeparator.length)
				.split(textSeparator)
		: [];
}

/** Merged cells are repeated up to this many times in all: a sheet that is one merged cell has sixteen billion cells. */
const repeatedCellsMax = 200_000;

/** The column of a cell reference, from 0: 54 for `BC7`. Null if it is not a cell reference. */
export function columnOf(address: string | null): number | null {
	const letters = /^\$?([A-Za-z]{1,3})\$?\d*$/.exec(address ?? "")?.[1]?.toUpperCase();
	if (letters === undefined) return null;
	let column = 0;
	for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
	return column <= columnsMax ? column - 1 : null;
}

/** Parses a range such as `B2:D4`. Null if it is not valid. */
export function rangeOf(reference: string | null): Range | null {
	const [, left = "", top = "", right = "", bottom = ""] = /^([A-Za-z]+)(\d+):([A-Za-z]+)(\d+)$/.exec(reference ?? "") ?? [];
	const [from, to] = [columnOf(left), columnOf(right)];
	if (from === null || to === null || from > to || Number(top) > Number(bottom) || Number(top) < 1) return null;
	return { top: Number(top), left: from, bottom: Math.min(Number(bottom), rowsMax), right: to };
}

/** Sorts the rows, joins rows of the same number, and fills merged cells. */
export function fillGrid(rows: readonly GridRow[], merged: readonly Range[]): readonly GridRow[] {
	const isAscending = rows.every(({ number }, index) => index === 0 || number > (rows[index - 1]?.number ?? 0));
	if (isAscending && merged.length === 0) return rows;
	const byNumber = new Map<number, GridRow>();
	const makeRow = createRowMaker();
	for (const row of rows) {
		const existing = byNumber.get(row.number);
		byNumber.set(row.number, existing === undefined ? row : makeRow(row.number, new Map([...cellsOf(existing), ...cellsOf(row)])));
	}
	const rowsWithMergedColumns = new Set<number>();
	let cellsLeft = repeatedCellsMax;
	for (const range of merged) {
		const top = byNumber.get(range.top);
		const text = (top === undefined ? undefined : cellsOf(top).get(range.left)) ?? "";
		cellsLeft -= (range.bottom - range.top + 1) * (range.right - range.left + 1);
		if (cellsLeft < 0) break;
		if (text.trim() === "") continue;
		repeat(byNumber, range, text, makeRow);
		if (range.right > range.left) for (let number = range.top; number <= range.bottom; number++) rowsWithMergedColumns.add(number);
	}
	const filled = [...byNumber.values()].sort((one, other) => one.number - other.number);
	return rowsWithMergedColumns.size === 0 ? filled : filled.map((row) => (rowsWithMergedColumns.has(row.number) ? { ...row, isMerged: true } : row));
}

/** The texts of a row, by column. */
export function cellsOf(row: GridRow): Map<number, string> {
	const texts = textsOf(row);
	return new Map(row.columns.map((column, index) => [column, texts[index] ?? ""]));
}

function repeat(rows: Map<number, GridRow>, { top, left, bottom, right }: Range, text: string, makeRow: RowMaker): void {
	for (let number = top; number <= bottom; number++) {
		const existing = rows.get(number);
		const cells = existing === undefined ? new Map<number, string>() : cellsOf(existing);
		for (let column = left; column <= right; column++) if (!cells.has(column)) cells.set(column, text);
		rows.set(number, makeRow(number, cells));
	}
}
