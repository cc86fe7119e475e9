/** Finds the tables on a sheet: what blank rows and blank columns part is not one table. */

import type { GridRow } from "./grid.ts";

export interface Region {
	/** From left to right, from 0. */
	readonly columns: readonly number[];
	/** Rows with something in them, in order. */
	readonly rows: readonly RegionRow[];
}

export interface RegionRow {
	readonly number: number;
	readonly cells: readonly string[];
	readonly isMerged: boolean;
}

/** Sheets that are strewn with single cells are cut no further. */
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
	for (const { cells } of rows) for (const column of cells.keys()) used.add(column);
	const columns = [...used].sort((one, other) => one - other);
	/** The number of the group that a column belongs to. */
	const groups = new Map<number, number>();
	let group = 0;
	for (const [index, column] of columns.entries()) {
		if (index > 0 && column > (columns[index - 1] ?? 0) + 1) group++;
		groups.set(column, group);
	}
	if (group === 0 || cuts >= cutsMax) return [regionOf(rows, columns)];
	return parted(rows, groups, group + 1).flatMap((part) => cutRows(part, cuts + 1));
}

/** In one pass: a sheet may have thousands of columns with a blank one after each. */
function parted(rows: readonly GridRow[], groups: ReadonlyMap<number, number>, count: number): readonly (readonly GridRow[])[] {
	const parts = Array.from({ length: count }, (): (GridRow & { readonly cells: Map<number, string> })[] => []);
	for (const { number, cells, isMerged = false } of rows) {
		for (const [column, text] of cells) {
			const part = parts[groups.get(column) ?? 0];
			const last = part?.at(-1);
			if (last?.number === number) last.cells.set(column, text);
			else part?.push({ number, cells: new Map([[column, text]]), isMerged });
		}
	}
	return parts;
}

function regionOf(rows: readonly GridRow[], columns: readonly number[]): Region {
	return { columns, rows: rows.map(({ number, cells, isMerged = false }) => ({ number, isMerged, cells: columns.map((column) => cells.get(column) ?? "") })) };
}
