/** Writes the cells of a sheet down as tables, each with its title and its header. */

import type { Place } from "cairn";
import { hasNamedQuantities, looksLikeHeader } from "../looks-like-header.ts";
import type { Outline } from "../outline.ts";
import type { GridRow } from "./grid.ts";
import { type Region, type RegionRow, regionsOf } from "./regions.ts";

/** What stands on a sheet beside its cells: a chart, a picture, a box of text. */
export interface Aside {
	/** Where it begins, from 1. */
	readonly row: number;
	readonly write: () => void;
}

/** Two tables side by side: the rows of the second begin above the end of the first, and places never go back. Asides stand between the tables. */
export function addSheetTables(rows: readonly GridRow[], sheet: string, outline: Outline, asides: readonly Aside[] = []): void {
	const waiting = asides.toSorted((one, other) => one.row - other.row);
	let reached = 0;
	for (const region of withNamesAbove(regionsOf(rows))) {
		const first = region.rows[0]?.number ?? 0;
		while ((waiting[0]?.row ?? first) < first) waiting.shift()?.write();
		const isBelow = first >= reached;
		const placeOf = (number: number): Place => (isBelow ? { sheet, row: number } : { sheet });
		addRegion(region, placeOf, outline);
		reached = Math.max(reached, region.rows.at(-1)?.number ?? 0);
	}
	for (const aside of waiting) aside.write();
}

/** Names of columns that stand apart from what they name: a line of its own above a table as wide that has none. */
function withNamesAbove(regions: readonly Region[]): readonly Region[] {
	const united: Region[] = [];
	for (const region of regions) {
		const above = united.at(-1);
		const [names] = above?.rows ?? [];
		const isAlone = above !== undefined && above.rows.length === 1 && above.columns.length > 1 && names?.cells.every((cell) => cell !== "") === true;
		const isNameless = !looksLikeHeader(region.rows.map(({ cells }) => cells));
		if (isAlone && isNameless && above.columns.join() === region.columns.join())
			united[united.length - 1] = { ...above, rows: [...above.rows, ...region.rows] };
		else united.push(region);
	}
	return united;
}

function addRegion({ rows }: Region, placeOf: (row: number) => Place, outline: Outline): void {
	let start = 0;
	// Lines across the top that say one thing are the title of the table below.
	for (; start < rows.length; start++) {
		const row = rows[start];
		const title = row === undefined ? null : onlyText(row);
		if (row === undefined || title === null || (rows.length > 1 && row.cells.length === 1)) break;
		outline.paragraph(title, { place: placeOf(row.number) });
	}
	const table = rows.slice(start);
	const texts = table.map(({ cells }) => cells);
	const isNamed = (texts[0]?.length ?? 0) > 1 ? looksLikeHeader(texts) : hasNamedQuantities(texts);
	const header = isNamed ? (texts[0] ?? []).map((cell) => cell.replace(/\s+/g, " ").trim()) : [];
	const body = isNamed ? table.slice(1) : table;
	if (table.length > 0)
		outline.table(
			header,
			body.map(({ cells, number }) => ({ cells, place: placeOf(number) })),
		);
}

/** The one thing that a row says, in one cell or in merged ones. A row of the same number in each cell says more. */
function onlyText({ cells, isMerged }: RegionRow): string | null {
	const said = cells.filter((cell) => cell !== "");
	const [only] = said;
	const isAlone = said.length === 1 || (isMerged && new Set(said).size === 1);
	return isAlone && only !== undefined ? only : null;
}
