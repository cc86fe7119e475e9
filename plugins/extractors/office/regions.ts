/** Finds the tables on a sheet: what blank rows and blank columns part is not one table. */

import type { GridRow } from "./grid.ts";

export interface Region {
	/** Rows with something in them, in order. */
	readonly rows: readonly RegionRow[];
}

export interface RegionRow {
	readonly number: number;
	readonly cells: readonly string[];
}

/** Sheets that are strewn with single cells are cut no further. */
const cutsMax = 24;

/** From top to bottom, and from left to right where two stand side by side. */
export function regionsOf(rows: readonly GridRow[]): readonly Region[] {
	const spoken = rows.flatMap(({ number, cells }) => {
		const said = [...cells].filter(([, text]) => text.trim() !== "");
		return said.length === 0 ? [] : [{ number, cells: new Map(said) }];
	});
	return cutRows(spoken, 0);
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
	const used = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))].sort((one, other) => one - other);
	const groups: number[][] = [];
	for (const column of used) {
		const group = groups.at(-1);
		if (group === undefined || column > (group.at(-1) ?? 0) + 1) groups.push([column]);
		else group.push(column);
	}
	if (groups.length <= 1 || cuts >= cutsMax) return [regionOf(rows, used)];
	return groups.flatMap((group) => cutRows(within(rows, group), cuts + 1));
}

function within(rows: readonly GridRow[], columns: readonly number[]): readonly GridRow[] {
	const [first = 0] = columns;
	const last = columns.at(-1) ?? 0;
	return rows.flatMap(({ number, cells }) => {
		const kept = [...cells].filter(([column]) => column >= first && column <= last);
		return kept.length === 0 ? [] : [{ number, cells: new Map(kept) }];
	});
}

function regionOf(rows: readonly GridRow[], columns: readonly number[]): Region {
	return { rows: rows.map(({ number, cells }) => ({ number, cells: columns.map((column) => cells.get(column) ?? "") })) };
}
