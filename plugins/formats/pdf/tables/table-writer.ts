/** Adds tables with their headers. A table that continues in the next column or on the next page keeps its header. */

import type { Place } from "cairn-memory";
import { hasNamedQuantities } from "../../blocks/looks-like-header.ts";
import type { Outline } from "../../blocks/outline.ts";
import { type Box, unionOf } from "../../ocr/ocr-paragraphs.ts";
import type { Grid } from "./page-rows.ts";

export interface TableWriter {
	readonly add: (grid: Grid, placeOf: (box: Box) => Place) => void;
}

/** The widths of columns differ by at most this if a table continues, in points. */
const widthTolerance = 4;

export function createTableWriter(outline: Outline): TableWriter {
	let last: { readonly header: readonly string[]; readonly widths: readonly number[]; readonly blocks: number; readonly table: string | undefined } | null =
		null;
	return {
		add(grid, placeOf) {
			const widths = grid.edges.slice(1).map((edge, index) => edge - (grid.edges[index] ?? 0));
			const isSame = last !== null && (grid.table === undefined ? haveSameWidths(last.widths, widths) : last.table === grid.table);
			const previousHeader = last !== null && isSame && last.blocks === outline.blocks.length ? last.header : [];
			const top = grid.rows[0]?.cells ?? [];
			const hasHeader = grid.hasBoldTop || hasNamedQuantities(grid.rows.map((row) => row.cells)) || haveSameCells(previousHeader, top);
			const header = hasHeader ? top : previousHeader;
			const body = hasHeader ? grid.rows.slice(1) : grid.rows;
			outline.table(
				header,
				body.map(({ cells, lines }) => ({ cells, place: placeOf(boxOf(lines)) })),
			);
			last = { header, widths, blocks: outline.blocks.length, table: grid.table };
		},
	};
}

function haveSameWidths(left: readonly number[], second: readonly number[]): boolean {
	return left.length === second.length && left.every((width, index) => Math.abs(width - (second[index] ?? 0)) <= widthTolerance);
}

function haveSameCells(left: readonly string[], second: readonly string[]): boolean {
	return left.length > 0 && left.length === second.length && left.every((cell, index) => cell === second[index]);
}

function boxOf(lines: Grid["rows"][number]["lines"]): Box {
	const [first] = lines;
	const emptyBox: Box = [0, 0, 0, 0];
	return lines.map(({ box }) => box).reduce(unionOf, first?.box ?? emptyBox);
}
