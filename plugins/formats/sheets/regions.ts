/** Finds the tables on a sheet, which are separated by blank rows and columns. */

import { createRowMaker, type GridRow, textsOf } from "./grid.ts";

export interface Region {
	/** From left to right, from 0. */
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

/** Sheets with scattered single cells are not split further. */
const cutsMax = 24;

/** From top to bottom, and from left to right where two stand side by side. */
export function regionsOf(rows: readonly GridRow[]): readonly Region[] {
	return cutRows(rows, 0);
}

function cutRows(rows: readonly GridRow[], cuts: number): readonly Region[] {
	const bands: GridRow[][] = [];
	for (const row of rows) {
		const band = bands.at(-1);
		if (band === undefined || row.number > (band.at(-1)?.number ?? 0) + 1) bands.push([row]);
		else band.push(row);
	}
	return bands.flatMap((band) => cutColumns(band, cuts));
}

function cutColumns(rows: readonly GridRow[], cuts: number): readonly Region[] {
	const used = new Set<number>();
	let last: readonly number[] = [];
	for (const row of rows) {
		if (row.columns === last) continue;
		last = row.columns;
		for (const column of last) used.add(column);
	}
	const columns = [...used].sort((one, other) => one - other);
	/** The group of each column. */
	const groups = new Map<number, number>();
	let group = 0;
	for (const [index, column] of columns.entries()) {
		if (index > 0 && column > (columns[index - 1] ?? 0) + 1) group++;
		groups.set(column, group);
	}
	if (group === 0 || cuts >= cutsMax) return [{ columns, rows }];
	return parted(rows, groups, group + 1).flatMap((part) => cutRows(part, cuts + 1));
}

/** In one pass: a sheet may have thousands of columns with a blank one after each. */
function parted(rows: readonly GridRow[], groups: ReadonlyMap<number, number>, count: number): readonly (readonly GridRow[])[] {
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
