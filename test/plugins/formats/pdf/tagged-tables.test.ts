/** Tagged tables and pages of a PDF that are damaged, or larger than any that is meant, cost little time, and no text. */

import { expect, test } from "bun:test";
import { mupdf } from "../../../../plugins/formats/pdf/mupdf-memory.ts";
import type { Line } from "../../../../plugins/formats/pdf/page-text.ts";
import { structureTreeOf } from "../../../../plugins/formats/pdf/tags/structure-tree.ts";
import { roles, type TagNode } from "../../../../plugins/formats/pdf/tags/tag-node.ts";
import { taggedLines } from "../../../../plugins/formats/pdf/tags/tagged-lines.ts";
import { taggedTable } from "../../../../plugins/formats/pdf/tags/tagged-table.ts";
import { at, element, type TaggedElement, type TaggedPdfOptions, taggedPdf } from "../../../doubles/tagged-pdf.ts";

const document: TagNode = { role: 0, index: 0, parent: undefined };
const table: TagNode = { role: roles.table, index: 0, parent: document };

function opened(elements: readonly TaggedElement[], damage?: TaggedPdfOptions["damage"]) {
	const pdf = mupdf.Document.openDocument(taggedPdf(elements, damage === undefined ? {} : { damage }), "application/pdf");
	const tree = structureTreeOf(pdf);
	if (tree === null) throw new Error("the tree is not followed");
	return { tree, tableElement: () => pdf.asPDF()?.getTrailer().get("Root", "StructTreeRoot", "K", "K", 0) };
}

const row = (...cells: readonly string[]) => element("TR", ...cells.map((text, index) => element("TD", at(60 + index * 80, 100, text))));

test("a damaged table is looked at once", () => {
	const huge = { ...element("TD", at(60, 115, "huge")), attributes: { ColSpan: 500, RowSpan: 500 } };
	const { tree, tableElement } = opened([element("Table", row("a", "b"), element("TR", huge))]);
	expect(tree.fieldsOf(table)).toBeNull();
	tableElement()?.get("K").delete(1);
	expect(tree.fieldsOf(table)).toBeNull();
});

test("a table that names the same empty rows again and again is not followed", () => {
	const { tree } = opened([element("Table", row("a", "b"))], (pdf, root) => {
		const empty = pdf.addObject({ S: pdf.newName("TR") });
		const group = pdf.addObject({ S: pdf.newName("TBody"), K: Array.from({ length: 1_000 }, () => empty) });
		for (let count = 0; count < 200; count++) root.get("K", "K", 0, "K").push(group);
	});
	expect(tree.fieldsOf(table)).toBeNull();
});

test("a table whose cells name attributes without end is not followed", () => {
	const { tree } = opened([element("Table", row("a", "b"), row("c", "d"))], (pdf, root) => {
		const attributes = pdf.addObject(Array.from({ length: 1_000 }, () => ({ O: pdf.newName("Layout") })));
		const [first, cell] = [root.get("K", "K", 0, "K", 0), root.get("K", "K", 0, "K", 0, "K", 0)];
		cell.put("A", attributes);
		for (let count = 0; count < 200; count++) first.get("K").push(cell);
	});
	expect(tree.fieldsOf(table)).toBeNull();
});

const spanning = (text: string, ColSpan: number, RowSpan = 1) => ({ ...element("TD", at(60, 100, text)), attributes: { ColSpan, RowSpan } });

test("a table whose cells cover one another again and again is not followed", () => {
	const covering = Array.from({ length: 90 }, (_, index) => element("TR", spanning(`${index}`, 500)));
	const followed = opened([element("Table", element("TR", spanning("a", 1), spanning("b", 40, 91)), ...covering)]).tree.fieldsOf(table);
	expect(followed?.places.size).toBe(92);
	const again = Array.from({ length: 90 }, (_, index) => element("TR", spanning(`${index}`, 500)));
	expect(opened([element("Table", element("TR", spanning("a", 1), spanning("b", 490, 91)), ...again)]).tree.fieldsOf(table)).toBeNull();
});

/** A line of the cell at these indexes. */
function line(rowIndex: number, cellIndex: number, x: number, text: string, role: number = roles.cell): Line {
	const parent: TagNode = { role: roles.row, index: rowIndex, parent: table };
	const y = 100 + rowIndex * 30;
	return {
		text,
		box: [x, y, x + 30, y + 10],
		size: 10,
		isBold: false,
		isItalic: false,
		isSmallCaps: false,
		isMono: false,
		hasDot: false,
		block: 0,
		element: { role, index: cellIndex, parent },
	};
}

const cellsOf = (elements: readonly TaggedElement[], lines: readonly Line[]) =>
	taggedTable(table, lines, opened([element("Table", ...elements)]).tree)?.rows.map(({ cells }) => cells);

test("equal lines one below the other in a header are kept, and a header that is printed again in the next column is not", () => {
	const elements = [element("TR", element("TH", at(60, 100, "h")), element("TD", at(140, 100, "d"))), row("a", "b")];
	const below = [line(1, 0, 60, "a"), line(1, 1, 140, "b"), line(0, 1, 140, "d")];
	const header = (...places: readonly (readonly [number, string])[]) =>
		cellsOf(elements, [...places.map(([x, text]) => line(0, 0, x, text, roles.headerCell)), ...below])?.[0]?.[0];
	expect(header([60, "0.5"], [60, "0.5"])).toBe("0.5 0.5");
	expect(header([60, "Ship"], [60, "no"], [60, "no"])).toBe("Ship no no");
	expect(header([60, "Ship"], [60, "no"], [300, "Ship"], [300, "no"])).toBe("Ship no");
});

test("a long text in a cell over many fields is not put in each of them", () => {
	const merged = { ...element("TD", at(60, 100, "m")), attributes: { ColSpan: 100, RowSpan: 400 } };
	const elements = [element("TR", merged, element("TD", at(500, 100, "d")))];
	const after = line(0, 1, 500, "d");
	expect(cellsOf(elements, [line(0, 0, 60, "m"), after])?.[0]).toHaveLength(101);
	expect(cellsOf(elements, [line(0, 0, 60, "much".repeat(10)), after])).toBeUndefined();
});

test("a table of far more fields than cells is not made, however few of its cells have text", () => {
	const wide = element("TR", ...Array.from({ length: 50 }, () => spanning("w", 499)));
	const lines = [line(0, 0, 60, "w"), line(1, 0, 60, "a"), line(2, 0, 60, "c")];
	expect(cellsOf([wide, row("a", "b"), row("c", "d")], lines.slice(0, 2))).toHaveLength(2);
	expect(cellsOf([wide, row("a", "b"), row("c", "d")], lines)).toBeUndefined();
});

test("where no row on the page has all cells, each is in the column that it stands in", () => {
	const elements = [row("a", "b", "c"), row("d", "e"), row("f")];
	const lines = [line(1, 0, 60, "d"), line(1, 1, 140, "e"), line(2, 0, 140, "f")];
	expect(cellsOf(elements, lines)).toEqual([
		["d", "e", ""],
		["", "f", ""],
	]);
});

test.each([
	[10_000, true],
	[10_001, false],
])("a page of %d tagged lines: by its tags %p", (count, coversPage) => {
	const lines = Array.from({ length: count }, (_, block): Line => ({ ...line(0, 0, 60, "word"), block }));
	const elements = lines.map((_, index): TagNode => ({ role: roles.paragraph, index, parent: document }));
	expect(taggedLines(lines, elements, 842).coversPage).toBe(coversPage);
});
