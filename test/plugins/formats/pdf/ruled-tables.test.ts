/** Tables whose cells have many lines. */

import { expect, test } from "bun:test";
import type { Line } from "../../../../plugins/formats/pdf/page-text.ts";
import { ruledTables } from "../../../../plugins/formats/pdf/tables/ruled-tables.ts";

const lineStep = 12;
const cell = (x: number, y: number, count: number, text: string): readonly Line[] =>
	Array.from({ length: count }, (_, at) => ({
		text,
		box: [x, y + at * lineStep, x + 60, y + at * lineStep + 10] as const,
		...{ size: 10, isBold: false, isItalic: false, isSmallCaps: false, isMono: false, hasDot: false, block: 0 },
	}));

function tablesOf(lines: readonly Line[], xs: readonly number[], ys: readonly number[]) {
	const across = ys.map((position) => ({ isVertical: false, position, from: xs[0] ?? 0, to: xs.at(-1) ?? 0 }));
	const down = xs.map((position) => ({ isVertical: true, position, from: ys[0] ?? 0, to: ys.at(-1) ?? 0 }));
	return ruledTables(lines, [...across, ...down]);
}

test("narrow cells of many lines, in several rows of a ruled table, keep their lines", () => {
	const tops = [100, 120, 230, 340];
	const lines = tops.slice(0, 3).flatMap((top, row) => [102, 172].flatMap((x) => cell(x, top + 4, row === 0 ? 1 : 8, "low water")));
	expect(tablesOf(lines, [100, 170, 240], tops)[0]?.grid?.rows.length).toBe(3);
});

test("framed columns of Chinese prose are read one after the other", () => {
	const lines = [
		cell(102, 104, 1, "上"),
		cell(172, 104, 1, "下"),
		cell(102, 124, 20, "港口的水在中午很低而岩石是乾的"),
		cell(172, 124, 20, "港口的水在中午很低而岩石是乾的"),
	];
	expect(tablesOf(lines.flat(), [100, 170, 240], [100, 120, 380])[0]?.cells.map(({ length }) => length)).toEqual([1, 1, 20, 20]);
});
