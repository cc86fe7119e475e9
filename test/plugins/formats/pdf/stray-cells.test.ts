/** Cells that are stored out of their place, and lists and columns that only look like it. */

import { expect, test } from "bun:test";
import type { Line } from "../../../../plugins/formats/pdf/page-text.ts";
import { orderStrayCells } from "../../../../plugins/formats/pdf/tables/stray-cells.ts";

const cell = (x: number, y: number, text: string, width = 40): Line => ({
	text,
	box: [x, y, x + width, y + 10],
	...{ size: 10, isBold: false, isItalic: false, isSmallCaps: false, isMono: false, hasDot: false, block: 0 },
});
const column = (x: number, texts: readonly string[]) => texts.map((text, row) => cell(x, 100 + row * 24, text));
const table = (x: number, rows: readonly string[]) => rows.flatMap((row, y) => row.split(" ").map((text, column) => cell(x + column * 50, 100 + y * 16, text)));
const textsOf = (lines: readonly Line[]) => orderStrayCells(lines).map(({ text }) => text);

test("numbered lists in two columns are read one after the other", () => {
	const items = (from: number) => Array.from({ length: 8 }, (_, at) => `${from + at}. Low water`);
	const lines = [cell(60, 80, "Spring"), cell(300, 80, "Autumn"), ...column(60, items(1)), ...column(300, items(9))];
	expect(textsOf(lines)).toEqual(["Spring", "Autumn", ...items(1), ...items(9)]);
});

test("a title wider than its column does not keep the cells below from their rows", () => {
	const rows = ["11 12 13", "21 22 23", "31 32 33", "41 42 43"];
	const title = cell(60, 60, "Low water of the north", 300);
	const cells = table(60, rows);
	expect(textsOf([title, ...cells.toSpliced(5, 1), ...cells.slice(5, 6), ...table(320, rows)])).toEqual([
		title.text,
		...rows.join(" ").split(" "),
		...rows.join(" ").split(" "),
	]);
});

test("a page of many thousand numbers out of order is left as it is", () => {
	const lines = column(
		60,
		Array.from({ length: 20_000 }, (_, at) => `${at}`),
	).toReversed();
	expect(orderStrayCells(lines)).toEqual(lines);
});
