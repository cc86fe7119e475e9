/** Reads from the structure tree of a tagged PDF what MuPDF does not report with the text: which fields of a table its cells cover. */

import type { Document, PDFObject } from "mupdf";
import { childrenOf, isOrdinaryTree, nameOf } from "./ordinary-tree.ts";
import type { TagNode } from "./tag-node.ts";

/** The fields of a table that a cell covers, from 0. */
export interface CellPlace {
	readonly row: number;
	readonly column: number;
	readonly rowSpan: number;
	readonly columnSpan: number;
	readonly isHeader: boolean;
}

/** The places of the cells of a table, by the indexes of row group, row and cell below the table: `0/3/1`, or `3/1` without groups. */
export type CellPlaces = ReadonlyMap<string, CellPlace>;

export interface StructureTree {
	/** Null if the table in the file is damaged, or differs from the one in MuPDF's text. */
	readonly placesIn: (table: TagNode) => CellPlaces | null;
}

/** A table with more cells, or a cell over more fields, is taken for damaged. */
const [cellsMax, spanMax] = [50_000, 500];
/** So is one with more groups, rows and cells in all: a file may name the same row any number of times. */
const partsMax = 150_000;

/** The structure tree if the document says that it is tagged, and that its tags are no guesses. */
export function structureTreeOf(document: Document): StructureTree | null {
	const root = quietly(() => {
		const catalog = document.asPDF()?.getTrailer().get("Root");
		const marks = catalog?.get("MarkInfo");
		const isTagged = marks?.isDictionary() === true && isTrue(marks.get("Marked")) && !isTrue(marks.get("Suspects"));
		return isTagged ? catalog?.get("StructTreeRoot") : undefined;
	});
	if (root?.isDictionary() !== true || quietly(() => isOrdinaryTree(root)) !== true) return null;
	const cache = new Map<string, CellPlaces | null>();
	return {
		placesIn(table) {
			const path = pathOf(table);
			const key = path.join("/");
			if (!cache.has(key)) cache.set(key, quietly(() => placesBelow(elementAt(root, path))) ?? null);
			return cache.get(key) ?? null;
		},
	};
}

/** The indexes from the root down to the element; down to the element below `above` if one is given. */
export function pathOf(node: TagNode, above?: TagNode): readonly number[] {
	const path: number[] = [];
	for (let element: TagNode | undefined = node; element !== undefined && element !== above; element = element.parent) path.push(element.index);
	return path.reverse();
}

function elementAt(root: PDFObject, path: readonly number[]): PDFObject | null {
	let element = root;
	for (const index of path) {
		const children = element.get("K");
		if (!children.isArray() && index > 0) return null;
		element = children.isArray() ? children.get(index) : children;
	}
	return nameOf(element.get("S")) === "" ? null : element;
}

function placesBelow(table: PDFObject | null): CellPlaces | null {
	if (table === null) return null;
	const places = new Map<string, CellPlace>();
	const taken = new Set<number>();
	const partsOf = countedChildren();
	let row = 0;
	for (const { element, path, isHead } of rowsBelow(table, partsOf)) {
		let column = 0;
		for (const [index, cell] of partsOf(element)) {
			if (!cell.isDictionary()) continue;
			while (taken.has(row * cellsMax + column)) column++;
			const [rowSpan, columnSpan] = [spanOf(cell, "RowSpan"), spanOf(cell, "ColSpan")];
			for (let y = 0; y < rowSpan; y++) for (let x = 0; x < columnSpan; x++) taken.add((row + y) * cellsMax + column + x);
			places.set(`${path}/${index}`, { row, column, rowSpan, columnSpan, isHeader: isHead || nameOf(cell.get("S")) === "TH" });
			if (taken.size > cellsMax) return null;
			column += columnSpan;
		}
		row++;
	}
	return places;
}

interface TableRowElement {
	readonly element: PDFObject;
	readonly path: string;
	readonly isHead: boolean;
}

/** The children of the elements of one table, until there are too many. */
function countedChildren(): typeof childrenOf {
	let left = partsMax;
	return function* (element) {
		for (const child of childrenOf(element)) {
			if (left-- <= 0) throw new Error("a table has too many parts");
			yield child;
		}
	};
}

/** The rows of a table, which may be in groups. */
function* rowsBelow(table: PDFObject, partsOf: typeof childrenOf): Generator<TableRowElement> {
	for (const [index, child] of partsOf(table)) {
		const name = child.isDictionary() ? nameOf(child.get("S")) : "";
		if (name === "THead" || name === "TBody" || name === "TFoot") {
			for (const [rowIndex, row] of partsOf(child)) if (row.isDictionary()) yield { element: row, path: `${index}/${rowIndex}`, isHead: name === "THead" };
		} else if (child.isDictionary()) yield { element: child, path: `${index}`, isHead: false };
	}
}

/** The attribute of a table cell: of its attribute object, or of one of several. */
function spanOf(cell: PDFObject, name: string): number {
	const attributes = cell.get("A");
	const all = attributes.isArray() ? Array.from({ length: Math.min(attributes.length, spanMax) }, (_, index) => attributes.get(index)) : [attributes];
	for (const each of all) {
		const value = each.isDictionary() ? each.get(name) : null;
		if (value?.isNumber() === true) return Math.min(spanMax, Math.max(1, Math.trunc(value.asNumber())));
	}
	return 1;
}

function isTrue(value: PDFObject): boolean {
	return value.isBoolean() && value.asBoolean();
}

/** Undefined if the file is damaged there. */
function quietly<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (thrown) {
		if (!(thrown instanceof Error) || thrown instanceof WebAssembly.RuntimeError) throw thrown;
		return undefined;
	}
}
