/** A table in an OpenDocument text → rows: merged cells are repeated; a table of one cell counts as a frame. */

import { hasNamedQuantities } from "../blocks/looks-like-header.ts";
import { elementsOf, numberOf, type XmlElement } from "../xml/xml-element.ts";

export interface OdfTable {
	readonly header: readonly string[];
	readonly rows: readonly (readonly string[])[];
	/** The only cell of a one-cell table; else null. */
	readonly frame: XmlElement | null;
}

const columnsMax = 256;
/** Equal rows and cells may be stored once with a repeat count, which is limited to this. */
const repeatedMax = 200;

interface Row {
	readonly element: XmlElement;
	readonly isHeader: boolean;
}

export function readOdfTable(table: XmlElement, textIn: (cell: XmlElement) => string): OdfTable {
	const rows = rowsOf(table, false);
	const [first] = rows;
	const cells = first === undefined || rows.length > 1 ? [] : elementsOf(first.element, "table-cell");
	if (cells.length === 1) return { header: [], rows: [], frame: cells[0] ?? null };
	const filled = fill(rows, textIn);
	const marked = Math.max(
		0,
		rows.findIndex(({ isHeader }) => !isHeader),
	);
	const count = marked > 0 ? marked : Number(hasNamedQuantities(filled));
	return { header: joined(filled.slice(0, count)), rows: filled.slice(count), frame: null };
}

function rowsOf(element: XmlElement, isHeader: boolean): readonly Row[] {
	return elementsOf(element).flatMap((child): readonly Row[] => {
		if (child.name === "table-row") return Array.from({ length: repeats(child, "number-rows-repeated") }, () => ({ element: child, isHeader }));
		if (child.name === "table-header-rows") return rowsOf(child, true);
		return child.name === "table-rows" || child.name === "table-row-group" ? rowsOf(child, isHeader) : [];
	});
}

export function repeats(element: XmlElement, name: string): number {
	return Math.max(1, Math.min(numberOf(element, name, 1), repeatedMax));
}

function fill(rows: readonly Row[], textIn: (cell: XmlElement) => string): readonly (readonly string[])[] {
	/** Cells merged with cells below, by column. */
	const reaching = new Map<number, { readonly text: string; rowsLeft: number }>();
	return rows.map(({ element }) => {
		const cells: string[] = [];
		let beside = { text: "", columnsLeft: 0 };
		for (const cell of elementsOf(element, "table-cell", "covered-table-cell")) {
			for (let copy = repeats(cell, "number-columns-repeated"); copy > 0 && cells.length < columnsMax; copy--) {
				if (cell.name === "covered-table-cell") {
					const above = reaching.get(cells.length);
					const isBeside = beside.columnsLeft-- > 0;
					if (above !== undefined && !isBeside && above.rowsLeft-- <= 1) reaching.delete(cells.length);
					cells.push(isBeside ? beside.text : (above?.text ?? ""));
					continue;
				}
				const text = textIn(cell);
				const [across, down] = [numberOf(cell, "number-columns-spanned", 1), numberOf(cell, "number-rows-spanned", 1)];
				beside = { text, columnsLeft: across - 1 };
				for (let column = 0; down > 1 && column < Math.min(across, columnsMax); column++) reaching.set(cells.length + column, { text, rowsLeft: down - 1 });
				cells.push(text);
			}
		}
		return cells;
	});
}

function joined(rows: readonly (readonly string[])[]): readonly string[] {
	const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
	return Array.from({ length: width }, (_, column) =>
		[...new Set(rows.map((row) => (row[column] ?? "").replace(/\s+/g, " ").trim()).filter((name) => name !== ""))].join(" "),
	);
}
