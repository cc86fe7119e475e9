/** Reads from the structure tree of a tagged PDF what MuPDF does not report with the text: which fields of a table its cells cover. */

import type { Document, PDFObject } from "mupdf";
import { childrenOf, isOrdinaryTree } from "./ordinary-tree.ts";
import { addressOf, isArray, isDictionary, lengthOf, nameOf, numberOf, type Value, valueAt, valueOfKey } from "./pdf-values.ts";
import type { TagNode } from "./tag-node.ts";

/** The fields of a table that a cell covers, from 0. */
export interface CellPlace {
	readonly row: number;
	readonly column: number;
	readonly rowSpan: number;
	readonly columnSpan: number;
	readonly isHeader: boolean;
}

/** The fields of a table on all of its pages. */
export interface TableFields {
	/** The places of its cells, by the indexes of row group, row and cell below the table: `0/3/1`, or `3/1` without groups. */
	readonly places: ReadonlyMap<string, CellPlace>;
	readonly rowCount: number;
	readonly columns: number;
	/** The rows with fewer cells than columns: Chromium does not tag empty cells. */
	readonly shortRows: ReadonlySet<number>;
	/** The rows of several cells that are all headers. */
	readonly headerRows: ReadonlySet<number>;
}

export interface StructureTree {
	/** Null if the table in the file is damaged, or differs from the one in MuPDF's text. */
	readonly fieldsOf: (table: TagNode) => TableFields | null;
}

/** A table with more fields, or a cell over more rows or columns, is taken for damaged. */
export const fieldsMax = 50_000;
const spanMax = 500;
/** So is one with more groups, rows, cells and attributes in all: a file may name the same row any number of times. */
const partsMax = 150_000;

/** The structure tree if the document says that it is tagged, and that its tags are no guesses. */
export function structureTreeOf(document: Document): StructureTree | null {
	const root = quietly(() => {
		const catalog = document.asPDF()?.getTrailer().get("Root");
		const marks = catalog?.get("MarkInfo");
		const isTagged = marks?.isDictionary() === true && isTrue(marks.get("Marked")) && !isTrue(marks.get("Suspects"));
		return isTagged ? catalog?.get("StructTreeRoot") : undefined;
	});
	if (root?.isDictionary() !== true || quietly(() => isOrdinaryTree(addressOf(root))) !== true) return null;
	const cache = new Map<string, TableFields | null>();
	return {
		fieldsOf(table) {
			const path = pathOf(table);
			const key = path.join("/");
			if (!cache.has(key)) cache.set(key, quietly(() => fieldsBelow(elementAt(addressOf(root), path))) ?? null);
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

function elementAt(root: Value, path: readonly number[]): Value | null {
	let element = root;
	for (const index of path) {
		const children = valueOfKey(element, "K");
		if (!isArray(children) && index > 0) return null;
		element = isArray(children) ? valueAt(children, index) : children;
	}
	return nameOf(valueOfKey(element, "S")) === "" ? null : element;
}

function fieldsBelow(table: Value | null): TableFields | null {
	const places = table === null ? null : placesBelow(table);
	if (places === null) return null;
	const cells = [...places.values()];
	const columns = cells.reduce((most, { column, columnSpan }) => Math.max(most, column + columnSpan), 0);
	const rowCount = cells.reduce((most, { row, rowSpan }) => Math.max(most, row + rowSpan), 0);
	const covered = new Map<number, number>();
	for (const { row, rowSpan, columnSpan } of cells) for (let at = row; at < row + rowSpan; at++) covered.set(at, (covered.get(at) ?? 0) + columnSpan);
	const shortRows = new Set([...covered].filter(([, count]) => count < columns).map(([row]) => row));
	const headerRows = [...Map.groupBy(cells, ({ row }) => row)].filter(([, those]) => those.length > 1 && those.every(({ isHeader }) => isHeader));
	return { places, rowCount, columns, shortRows, headerRows: new Set(headerRows.map(([row]) => row)) };
}

function placesBelow(table: Value): TableFields["places"] | null {
	const places = new Map<string, CellPlace>();
	const taken = new Set<number>();
	const count = partCounter();
	let [row, fields] = [0, 0];
	for (const { element, path, isHead } of rowsBelow(table, count)) {
		let column = 0;
		for (const [index, cell] of childrenOf(element)) {
			count();
			if (!isDictionary(cell)) continue;
			while (taken.has(row * fieldsMax + column)) column++;
			const { rowSpan, columnSpan } = spansOf(cell, count);
			fields += rowSpan * columnSpan; // also those that are taken: cells that cover one another would be work without end
			if (fields > fieldsMax) return null;
			for (let y = 0; y < rowSpan; y++) for (let x = 0; x < columnSpan; x++) taken.add((row + y) * fieldsMax + column + x);
			places.set(`${path}/${index}`, { row, column, rowSpan, columnSpan, isHeader: isHead || nameOf(valueOfKey(cell, "S")) === "TH" });
			column += columnSpan;
		}
		row++;
	}
	return places;
}

/** Counts the parts of one table. @throws when there are too many */
function partCounter(): () => void {
	let left = partsMax;
	return () => {
		if (left-- <= 0) throw new Error("a table has too many parts");
	};
}

interface TableRowElement {
	readonly element: Value;
	readonly path: string;
	readonly isHead: boolean;
}

/** The rows of a table, which may be in groups. */
function* rowsBelow(table: Value, count: () => void): Generator<TableRowElement> {
	for (const [index, child] of childrenOf(table)) {
		count();
		if (!isDictionary(child)) continue;
		const name = nameOf(valueOfKey(child, "S"));
		if (name !== "THead" && name !== "TBody" && name !== "TFoot") {
			yield { element: child, path: `${index}`, isHead: false };
			continue;
		}
		for (const [rowIndex, row] of childrenOf(child)) {
			count();
			if (isDictionary(row)) yield { element: row, path: `${index}/${rowIndex}`, isHead: name === "THead" };
		}
	}
}

/** How many rows and columns a cell covers, by its attribute object, or by the first of several that says so. */
function spansOf(cell: Value, count: () => void): Pick<CellPlace, "rowSpan" | "columnSpan"> {
	const attributes = valueOfKey(cell, "A");
	if (!isArray(attributes)) return { rowSpan: spanIn(attributes, "RowSpan") ?? 1, columnSpan: spanIn(attributes, "ColSpan") ?? 1 };
	let [rowSpan, columnSpan]: (number | null)[] = [null, null];
	const length = lengthOf(attributes);
	for (let index = 0; index < length; index++) {
		count();
		const each = valueAt(attributes, index);
		rowSpan ??= spanIn(each, "RowSpan");
		columnSpan ??= spanIn(each, "ColSpan");
	}
	return { rowSpan: rowSpan ?? 1, columnSpan: columnSpan ?? 1 };
}

function spanIn(attributes: Value, name: string): number | null {
	const span = isDictionary(attributes) ? numberOf(valueOfKey(attributes, name)) : null;
	return span === null ? null : Math.min(spanMax, Math.max(1, Math.trunc(span)));
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
