/** Converts the rows of a Word table to a table of texts. Merged cells are repeated in every cell they cover. */

import { hasNamedQuantities, hasOnlyNames, joinHeaders, looksLikeHeader } from "../../blocks/looks-like-header.ts";
import type { Outline } from "../../blocks/outline.ts";
import { numberIn, type Setting } from "./formatting.ts";

export interface DocRow {
	readonly cells: readonly string[];
	/** The row's properties: cell widths, and which cells are merged with those above. */
	readonly settings: readonly Setting[];
}

const codes = { shape: 0xd608, isHeader: 0x3404 } as const;
/** Word itself allows 63 columns. */
const columnsMax = 256;
/** Edges closer than this count as the same, in twips (1/20 of a point). */
const edgeTolerance = 30;

interface Shape {
	/** The left edge of each cell, and the right edge of the last. */
	readonly edges: readonly number[];
	/** For each cell, whether it is merged with the one above. */
	readonly continuesMerge: readonly boolean[];
}

export function addTable(rows: readonly DocRow[], outline: Outline): void {
	const [first] = rows;
	if (first === undefined) return;
	if (rows.length === 1 && first.cells.length === 1) {
		for (const line of (first.cells[0] ?? "").split("\n")) outline.paragraph(line);
		return;
	}
	const filled = fill(rows);
	const count = headerCount(rows, filled);
	outline.table(
		joinHeaders(filled.slice(0, count)),
		filled.slice(count).map((cells) => ({ cells })),
	);
}

function fill(rows: readonly DocRow[]): readonly (readonly string[])[] {
	const shapes = rows.map(shapeOf);
	const edges = commonEdges(shapes.flatMap((shape) => shape?.edges ?? []));
	let rowAbove: readonly string[] = [];
	return rows.map(({ cells }, rowIndex) => {
		const shape = shapes[rowIndex] ?? null;
		const row: string[] = [];
		for (const [index, text] of cells.slice(0, columnsMax).entries()) {
			const [from, to] =
				shape === null || edges.length > columnsMax ? [index, index + 1] : [edgeAt(edges, shape.edges[index] ?? 0), edgeAt(edges, shape.edges[index + 1] ?? 0)];
			const cellText = shape?.continuesMerge[index] === true ? (rowAbove[from] ?? text) : text;
			while (row.length < from) row.push("");
			const end = Math.min(columnsMax, Math.max(to, row.length + 1));
			for (let column = row.length; column < end; column++) row.push(cellText);
		}
		rowAbove = row;
		return row;
	});
}

function shapeOf({ cells, settings }: DocRow): Shape | null {
	const value = settings.findLast(({ code }) => code === codes.shape)?.value;
	const count = value?.[0] ?? 0;
	if (value === undefined || count < cells.length || value.length < 1 + (count + 1) * 2) return null;
	const flagsOffset = 1 + (count + 1) * 2;
	const flags = (cell: number) => (flagsOffset + cell * 20 + 2 <= value.length ? value.readUInt16LE(flagsOffset + cell * 20) : 0);
	return {
		edges: Array.from({ length: count + 1 }, (_, edge) => value.readInt16LE(1 + edge * 2)),
		continuesMerge: Array.from({ length: count }, (_, cell) => ((flags(cell) >> 5) & 3) === 1),
	};
}

function commonEdges(all: readonly number[]): readonly number[] {
	const edges: number[] = [];
	for (const edge of all.toSorted((one, other) => one - other)) if (edges.length === 0 || edge - (edges.at(-1) ?? 0) > edgeTolerance) edges.push(edge);
	return edges;
}

/** The index of an edge among the common edges. */
function edgeAt(edges: readonly number[], edge: number): number {
	const next = edges.findIndex((other) => other > edge);
	return (next < 0 ? edges.length : next) - 1;
}

/** The number of header rows: those marked as such; otherwise 1 if the first row names quantities or looks like a header. */
function headerCount(rows: readonly DocRow[], filled: readonly (readonly string[])[]): number {
	const markedRows = rows.findIndex(({ settings }) => numberIn(settings, codes.isHeader) !== 1);
	if (markedRows > 0) return markedRows;
	if (hasNamedQuantities(filled)) return 1;
	const first = filled[0] ?? [];
	return filled.length > 1 && hasOnlyNames(first) && looksLikeHeader(filled) ? 1 : 0;
}
