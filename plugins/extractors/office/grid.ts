/** The cells of a sheet, row by row, as far as they say something. */

export interface GridRow {
	/** From 1, as the sheet shows it. */
	readonly number: number;
	/** By column, from 0; only those that say something. */
	readonly cells: ReadonlyMap<number, string>;
	/** Whether a cell reaches over several columns: a row that says one thing is then a title. */
	readonly isMerged?: boolean;
}

export interface Range {
	readonly top: number;
	readonly left: number;
	readonly bottom: number;
	readonly right: number;
}

/** The size of a sheet in Excel. Addresses beyond are lies. */
export const rowsMax = 1_048_576;
export const columnsMax = 16_384;

/** Merged cells repeat what they say, but no more often than this in all: a merged sheet is sixteen billion cells. */
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

/** In order, numbers that come twice united, merged cells filled. */
export function fillGrid(rows: readonly GridRow[], merged: readonly Range[]): readonly GridRow[] {
	const byNumber = new Map<number, ReadonlyMap<number, string>>();
	for (const { number, cells } of rows) {
		const known = byNumber.get(number);
		byNumber.set(number, known === undefined ? cells : new Map([...known, ...cells]));
	}
	const wide = new Set<number>();
	let left = repeatedCellsMax;
	for (const range of merged) {
		const text = byNumber.get(range.top)?.get(range.left) ?? "";
		left -= (range.bottom - range.top + 1) * (range.right - range.left + 1);
		if (left < 0) break;
		if (text.trim() === "") continue;
		repeat(byNumber, range, text);
		if (range.right > range.left) for (let number = range.top; number <= range.bottom; number++) wide.add(number);
	}
	return [...byNumber].sort(([one], [other]) => one - other).map(([number, cells]) => ({ number, cells, isMerged: wide.has(number) }));
}

function repeat(rows: Map<number, ReadonlyMap<number, string>>, { top, left, bottom, right }: Range, text: string): void {
	for (let number = top; number <= bottom; number++) {
		const row = new Map(rows.get(number));
		rows.set(number, row);
		for (let column = left; column <= right; column++) if (!row.has(column)) row.set(column, text);
	}
}
