/** The cells of a sheet, row by row, without empty ones. */

export interface GridRow {
	/** The row number, from 1. */
	readonly number: number;
	/** The non-empty columns, from 0, in order. Equal lists are shared between rows. */
	readonly columns: readonly number[];
	/** Their texts, as a range of a shared page: separate strings would take five times the memory, for up to a million rows. */
	readonly page: TextPage;
	readonly begin: number;
	readonly end: number;
	/** Whether the row has a merged cell: a row with a single text is then a title. */
	readonly isMerged?: boolean;
}

export interface Range {
	readonly top: number;
	readonly left: number;
	readonly bottom: number;
	readonly right: number;
}

/** The size of a sheet in Excel. Addresses beyond it are invalid. */
export const rowsMax = 1_048_576;
export const columnsMax = 16_384;

/** Separates texts; no cell contains it. */
const border = "\0";

/** The length of a page. Short-lived and long-lived small strings would otherwise fragment the memory. */
const pageCharacters = 64_000;

/** Texts of many rows in one string. */
export interface TextPage {
	text: string;
	growing: string[];
	length: number;
}

export type RowMaker = (number: number, cells: ReadonlyMap<number, string>) => GridRow;

/** Creates the rows of a sheet. */
export function createRowMaker(): RowMaker {
	let last: readonly number[] = [];
	let page: TextPage = { text: "", growing: [], length: 0 };
	return (number, cells) => {
		const columns = [...cells.keys()];
		const isOrdered = columns.every((column, index) => index === 0 || column > (columns[index - 1] ?? 0));
		if (!isOrdered) columns.sort((one, other) => one - other);
		const isAsBefore = columns.length === last.length && columns.every((column, index) => column === last[index]);
		if (!isAsBefore) last = columns;
		if (page.length > pageCharacters) {
			textOf(page);
			page = { text: "", growing: [], length: 0 };
		}
		const begin = page.length;
		for (const column of last) {
			const text = cells.get(column) ?? "";
			const kept = (text.includes(border) ? text.replaceAll(border, "") : text) + border;
			page.growing.push(kept);
			page.length += kept.length;
		}
		return { number, columns: last, page, begin, end: page.length };
	};
}

function textOf(page: TextPage): string {
	if (page.growing.length > 0) page.text += page.growing.join("");
	page.growing = [];
	return page.text;
}

/** In the order of its columns. */
export function textsOf({ page, begin, end }: GridRow): readonly string[] {
	return end > begin
		? textOf(page)
				.slice(begin, end - border.length)
				.split(border)
		: [];
}

/** Merged cells are repeated, up to this many in all: a fully merged sheet has sixteen billion cells. */
const repeatedCellsMax = 200_000;

/** `BC7` → column 54; null when it is no address. */
export function columnOf(address: string | null): number | null {
	const letters = /^\$?([A-Za-z]{1,3})\$?\d*$/.exec(address ?? "")?.[1]?.toUpperCase();
	if (letters === undefined) return null;
	let column = 0;
	for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
	return column <= columnsMax ? column - 1 : null;
}

/** `B2:D4`, or null. */
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
	const make = createRowMaker();
	for (const row of rows) {
		const known = byNumber.get(row.number);
		byNumber.set(row.number, known === undefined ? row : make(row.number, new Map([...cellsOf(known), ...cellsOf(row)])));
	}
	const wide = new Set<number>();
	let left = repeatedCellsMax;
	for (const range of merged) {
		const top = byNumber.get(range.top);
		const text = (top === undefined ? undefined : cellsOf(top).get(range.left)) ?? "";
		left -= (range.bottom - range.top + 1) * (range.right - range.left + 1);
		if (left < 0) break;
		if (text.trim() === "") continue;
		repeat(byNumber, range, text, make);
		if (range.right > range.left) for (let number = range.top; number <= range.bottom; number++) wide.add(number);
	}
	const filled = [...byNumber.values()].sort((one, other) => one.number - other.number);
	return wide.size === 0 ? filled : filled.map((row) => (wide.has(row.number) ? { ...row, isMerged: true } : row));
}

/** By column. */
export function cellsOf(row: GridRow): Map<number, string> {
	const texts = textsOf(row);
	return new Map(row.columns.map((column, index) => [column, texts[index] ?? ""]));
}

function repeat(rows: Map<number, GridRow>, { top, left, bottom, right }: Range, text: string, make: RowMaker): void {
	for (let number = top; number <= bottom; number++) {
		const known = rows.get(number);
		const cells = known === undefined ? new Map<number, string>() : cellsOf(known);
		for (let column = left; column <= right; column++) if (!cells.has(column)) cells.set(column, text);
		rows.set(number, make(number, cells));
	}
}
