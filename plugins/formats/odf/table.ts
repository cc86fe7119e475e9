/** Converts a table in an OpenDocument text to rows. Merged cells are repeated; a table of one cell counts as a frame around text. */

import { hasNamedQuantities, joinHeaders } from "../blocks/looks-like-header.ts";
import { elementsOf, numberOf, type XmlElement } from "../xml/xml-element.ts";

export interface OdfTable {
	readonly header: readonly string[];
	readonly rows: readonly (readonly string[])[];
	/** The only cell of a table of one cell; otherwise null. */
	readonly frame: XmlElement | null;
}

const columnsMax = 256;
/** The largest repeat count that is followed. Equal rows and cells may be stored once with a repeat count. */
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
	const headerRowCount = Math.max(
		0,
		rows.findIndex(({ isHeader }) => !isHeader),
	);
	const count = headerRowCount > 0 ? headerRowCount : Number(hasNamedQuantities(filled));
	return { header: joinHeaders(filled.slice(0, count)), rows: filled.slice(count), frame: null };
}

function rowsOf(element: XmlElement, isHeader: boolean): readonly Row[] {
	return elementsOf(element).flatMap((child): readonly Row[] => {
		if (child.name === "table-row") return Array.from({ length: repeatCount(child, "number-rows-repeated") }, () => ({ element: child, isHeader }));
		if (child.name === "table-header-rows") return rowsOf(child, true);
		return child.name === "table-rows" || child.name === "table-row-group" ? rowsOf(child, isHeader) : [];
	});
}

export function repeatCount(element: XmlElement, name: string): number {
	return Math.max(1, Math.min(numberOf(element, name, 1), repeatedMax));
}

function fill(rows: readonly Row[], textIn: (cell: XmlElement) => string): readonly (readonly string[])[] {
	/** Cells that also cover cells of the rows below, by column. */
	const spannedBelow = new Map<number, { readonly text: string; rowsLeft: number }>();
	return rows.map(({ element }) => {
		const cells: string[] = [];
		let spannedRight = { text: "", columnsLeft: 0 };
		for (const cell of elementsOf(element, "table-cell", "covered-table-cell")) {
			for (let copy = repeatCount(cell, "number-columns-repeated"); copy > 0 && cells.length < columnsMax; copy--) {
				if (cell.name === "covered-table-cell") {
					const spannedAbove = spannedBelow.get(cells.length);
					const isSpannedFromLeft = spannedRight.columnsLeft-- > 0;
					if (spannedAbove !== undefined && !isSpannedFromLeft && spannedAbove.rowsLeft-- <= 1) spannedBelow.delete(cells.length);
					cells.push(isSpannedFromLeft ? spannedRight.text : (spannedAbove?.text ?? ""));
					continue;
				}
				const text = textIn(cell);
				const [columnSpan, rowSpan] = [numberOf(cell, "number-columns-spanned", 1), numberOf(cell, "number-rows-spanned", 1)];
				spannedRight = { text, columnsLeft: columnSpan - 1 };
				for (let column = 0; rowSpan > 1 && column < Math.min(columnSpan, columnsMax); column++)
					spannedBelow.set(cells.length + column, { text, rowsLeft: rowSpan - 1 });
				cells.push(text);
			}
		}
		return cells;
	});
}
