/** Adds tables with their headers; a table that continues in the next column or on the next page keeps its header. */

import type { Place } from "cairn-memory";
import { hasNamedQuantities } from "../../blocks/looks-like-header.ts";
import type { Outline } from "../../blocks/outline.ts";
import { type Box, unionOf } from "../../ocr/ocr-paragraphs.ts";
import type { Grid } from "./page-rows.ts";

export interface TableWriter {
	readonly add: (grid: Grid, placeOf: (box: Box) => Place) => void;
}

/** In points: the columns of a continued table differ by no more. */
const alike = 4;

export function createTableWriter(outline: Outline): TableWriter {
	let last: { readonly header: readonly string[]; readonly widths: readonly number[]; readonly blocks: number } | null = null;
	return {
		add(grid, placeOf) {
			const widths = grid.edges.slice(1).map((edge, index) => edge - (grid.edges[index] ?? 0));
			const above = last !== null && last.blocks === outline.blocks.length && areAlike(last.widths, widths) ? last.header : [];
			const top = grid.rows[0]?.cells ?? [];
			const hasHeader = grid.hasBoldTop || hasNamedQuantities(grid.rows.map((row) => row.cells)) || areSame(above, top);
			const header = hasHeader ? top : above;
			const body = hasHeader ? grid.rows.slice(1) : grid.rows;
			outline.table(
				header,
				body.map(({ cells, lines }) => ({ cells, place: placeOf(boxOf(lines)) })),
			);
			last = { header, widths, blocks: outline.blocks.length };
		},
	};
}

function areAlike(one: readonly number[], other: readonly number[]): boolean {
	return one.length === other.length && one.every((width, index) => Math.abs(width - (other[index] ?? 0)) <= alike);
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length > 0 && one.length === other.length && one.every((cell, index) => cell === other[index]);
}

function boxOf(lines: Grid["rows"][number]["lines"]): Box {
	const [first] = lines;
	const nowhere: Box = [0, 0, 0, 0];
	return lines.map(({ box }) => box).reduce(unionOf, first?.box ?? nowhere);
}
