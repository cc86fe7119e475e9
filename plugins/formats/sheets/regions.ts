/** Finds the tables on a sheet, which are separated by blank rows and columns. */

import { createRowMaker, type GridRow, textsOf } from "./grid.ts";

export interface Region {
	/** The numbers of the columns, from 0, in ascending order. */
	readonly columns: readonly number[];
	/** The non-empty rows, in order. */
	readonly rows: readonly GridRow[];
}

/** The cells of a row of a region, including blank ones. */
export function cellsIn({ columns }: Region, row: GridRow): readonly string[] {
	const texts = textsOf(row);
	if (row.columns.length === columns.length) return texts;
	let next = 0;
	return columns.map((column) => (row.columns[next] === column ? (texts[next++] ?? "") : ""));
}

/** Limits the recursion: a sheet with many scattered cells is not split further. */
const depthMax = 24;

/** The regions from top to bottom; those side by side from left to right. */
export function regionsOf(rows: readonly GridRow[]): readonly Region[] {
	return splitRows(rows, 0);
}

function splitRows(rows: readonly GridRow[], depth: number): readonly Region[] {
	const bands: GridRow[][] = [];
	for (const row of rows) {
		const band = bands.at(-1);
		if (band === undefined || row.number > (band.at(-1)?.number ?? 0) + 1) bands.push([row]);
		else band.push(row);
	}
	return bands.flatMap((band) => splitColumns(band, depth));
}

function splitColumns(rows: readonly GridRow[], depth: number): readonly Region[] {
	const used = new Set<number>();
	let last: readonly number[] = [];
	for (const row of rows) {
		if (row.columns === last) continue;
		last = row.columns;
		for (const column of last) used.add(column);
	}
	const columns = [...used].sort((one, other) => one - other);
	/** The number of the group that each column belongs to. */
	const groups = new Map<number, number>();
	let group = 0;
	for (const [index, column] of columns.entries()) {
		if (index > 0 && column > (columns[index - 1] ?? 0) + 1) group++;
		groups.set(column, group);
	}
	if (group === 0 || depth >= depthMax) return [{ columns, rows }];
	return splitByGroup(rows, groups, group + 1).flatMap((part) => splitRows(part, depth + 1));
}

/** Splits the rows by groups of columns, in one pass: a sheet may have thousands of columns with a blank one after each. */
function splitByGroup(rows: readonly GridRow[], groups: ReadonlyMap<number, number>, count: number): readonly (readonly GridRow[])[] {
	const parts = Array.from({ length: count }, () => ({ rows: [] as GridRow[], make: createRowMaker() }));
	for (const row of rows) {
		const texts = textsOf(row);
		const { columns, number, isMerged = false } = row;
		for (let from = 0; from < columns.length; ) {
			const group = groups.get(columns[from] ?? 0) ?? 0;
			const cells = new Map<number, string>();
			for (; from < columns.length && groups.get(columns[from] ?? 0) === group; from++) cells.set(columns[from] ?? 0, texts[from] ?? "");
			const part = parts[group];
			part?.rows.push({ ...part.make(number, cells), isMerged });
		}
	}
	return parts.map((part) => part.rows);
}
