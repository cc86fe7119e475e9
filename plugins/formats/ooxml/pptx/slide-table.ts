/** A table on a slide → rows; merged cells are repeated in every cell they cover. */

import { hasNamedQuantities } from "../../blocks/looks-like-header.ts";
import { attributeOf, elementByPath, elementsOf, type XmlElement } from "../../xml/xml-element.ts";

export interface SlideTable {
	readonly header: readonly string[];
	readonly rows: readonly { readonly cells: readonly string[] }[];
}

/** @param textIn returns the text of a cell. */
export function readSlideTable(table: XmlElement, textIn: (body: XmlElement | null) => string): SlideTable {
	let above: readonly string[] = [];
	const rows = elementsOf(table, "tr").map((row) => {
		const cells: string[] = [];
		for (const cell of elementsOf(row, "tc")) {
			if (isOn(cell, "hMerge")) cells.push(cells.at(-1) ?? "");
			else if (isOn(cell, "vMerge")) cells.push(above[cells.length] ?? "");
			else cells.push(textIn(elementByPath(cell, "txBody")));
		}
		above = cells;
		return { cells };
	});
	const [first] = rows;
	const hasHeader = rows.length > 1 && (isOn(elementByPath(table, "tblPr"), "firstRow") || hasNamedQuantities(rows.map(({ cells }) => cells)));
	return hasHeader && first !== undefined ? { header: first.cells.map((cell) => cell.replace(/\s+/g, " ")), rows: rows.slice(1) } : { header: [], rows };
}

function isOn(element: XmlElement | null, name: string): boolean {
	const value = attributeOf(element, name);
	return value === "1" || value === "true";
}
