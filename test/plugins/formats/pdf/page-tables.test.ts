/** Tables of PDFs whose walls or columns are hard to tell. */

import { expect, test } from "bun:test";
import type { Block } from "cairn-memory";
import * as mupdf from "mupdf";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

const font = new mupdf.Font("Helvetica");
const widthOf = (text: string) => [...text].reduce((sum, sign) => sum + font.advanceGlyph(font.encodeCharacter(sign.codePointAt(0) ?? 0)) * 10, 0);
const words = (x: number, y: number, text: string, face = "F1", size = 10) => `BT /${face} ${size} Tf ${x} ${842 - y} Td (${text}) Tj ET`;
/** Ends there. */
const toRight = (x: number, y: number, text: string) => words(x - widthOf(text), y, text);
const toMiddle = (x: number, y: number, text: string) => words(x - widthOf(text) / 2, y, text);
const rule = (x: number, y: number, toX: number, toY: number) => `0.5 w ${x} ${842 - y} m ${toX} ${842 - toY} l S`;
const prose = (x: number, y: number) =>
	["The harbour is read line by line from the left to the right", "and every line of it is filled, since nobody ended it early."].map((text, at) =>
		words(x, y + at * 13, text),
	);

async function blocksOf(...content: readonly string[]): Promise<readonly Block[]> {
	const pdf = new mupdf.PDFDocument();
	const fonts = { F1: pdf.addSimpleFont(font), F2: pdf.addSimpleFont(new mupdf.Font("Helvetica-Bold")) };
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: fonts }), content.join("\n")));
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), pdf.saveToBuffer("").asUint8Array(), "application/pdf");
	return extraction.blocks;
}

function tableOf(blocks: readonly Block[]) {
	const rows = blocks.flatMap((block) => (block.kind === "row" ? [block] : []));
	const header = rows[0]?.header ?? [];
	return [...(header.length > 0 ? [header] : []), ...rows.map(({ cells }) => cells)];
}

test("a wall parts letters that stand close to it on both sides", async () => {
	const rules = [...[100, 116, 132].map((y) => rule(60, y, 140, y)), ...[60, 87, 140].map((x) => rule(x, 100, x, 132))];
	const cells = [words(62, 112, "north"), words(89, 112, "storm"), words(62, 128, "south"), words(89, 128, "calm")];
	expect(tableOf(await blocksOf(...prose(60, 60), ...rules, ...cells))).toEqual([
		["north", "storm"],
		["south", "calm"],
	]);
});

test("walls that part but some of the columns are not the table's", async () => {
	const rules = [...[100, 116, 170].map((y) => rule(60, y, 300, y)), rule(130, 100, 130, 170), rule(60, 100, 60, 170), rule(300, 100, 300, 170)];
	const row = (y: number, one: string, two: string, three: string) => [words(64, y, one), words(140, y, two), words(220, y, three)];
	const rows = [
		row(112, "Ship", "Weight", "Error"),
		row(128, "Aurora", "0.20", "3.41"),
		row(144, "Borealis", "0.35", "2.87"),
		row(160, "Cirrus", "0.60", "1.95"),
	];
	expect(tableOf(await blocksOf(...prose(60, 60), ...rules, ...rows.flat()))).toEqual([
		["Ship", "Weight", "Error"],
		["Aurora", "0.20", "3.41"],
		["Borealis", "0.35", "2.87"],
		["Cirrus", "0.60", "1.95"],
	]);
});

test("a table all of whose cells are merged ones", async () => {
	const rules = [
		...[rule(60, 100, 360, 100), rule(160, 120, 360, 120), rule(60, 140, 260, 140), rule(60, 160, 360, 160)],
		...[rule(60, 100, 60, 160), rule(160, 100, 160, 140), rule(260, 120, 260, 160), rule(360, 100, 360, 160)],
	];
	const cells = [words(64, 124, "a"), words(240, 114, "b"), words(200, 134, "c"), words(300, 144, "d"), words(150, 154, "e")];
	expect(tableOf(await blocksOf(...prose(60, 60), ...rules, ...cells))).toEqual([
		["a", "b", "b"],
		["a", "c", "d"],
		["e", "e", "d"],
	]);
});

test("columns set to the right, and names over two of them", async () => {
	const row = (y: number, name: string, ...numbers: readonly string[]) => [words(60, y, name), ...numbers.map((text, at) => toRight(200 + at * 80, y, text))];
	const table = [
		...[toMiddle(210.5, 100, "Day catch"), toMiddle(380, 100, "Night catch")],
		...row(116, "Boat", "Herring kept", "Cod kept", "Herring", "Cod"),
		...[...row(132, "Ida", "12", "3", "140", "9"), ...row(148, "Odin", "7", "22", "8", "0")],
	];
	expect(tableOf(await blocksOf(...prose(60, 60), ...table))).toEqual([
		["", "Day catch", "Day catch", "Night catch", "Night catch"],
		["Boat", "Herring kept", "Cod kept", "Herring", "Cod"],
		["Ida", "12", "3", "140", "9"],
		["Odin", "7", "22", "8", "0"],
	]);
});

test("lines stretched to their column are no rows, and neither is what stands far below a table", async () => {
	const stretched = (y: number, gap: number, ...each: readonly string[]) =>
		each.map((text, at) => words(60 + each.slice(0, at).reduce((sum, word) => sum + widthOf(word) + gap, 0), y, text));
	const justified = [...stretched(100, 14, "Neighbouring", "boats", "exhibited", "calm"), ...stretched(113, 17, "synchronous", "drift", "in", "summer")];
	expect(tableOf(await blocksOf(...prose(60, 60), ...justified))).toEqual([]);

	const row = (y: number, one: string, two: string) => [words(60, y, one), words(160, y, two)];
	const table = [
		...row(100, "north", "storm"),
		...row(113, "south", "calm"),
		...row(126, "west", "fog"),
		words(60, 170, "Remark."),
		words(110, 170, "Counted by hand."),
	];
	expect(tableOf(await blocksOf(...prose(60, 60), ...table)).map(([first]) => first)).toEqual(["north", "south", "west"]);
});

test("a heading in bold goes on in its second line, and one with a long text is none", async () => {
	const lines = (y: number, ...texts: readonly string[]) => texts.map((text, at) => words(60, y + at * 13, text, "F2"));
	const blocks = await blocksOf(...prose(60, 60), ...lines(120, "Module three: design and", "prototyping of boats"), ...prose(60, 146), ...prose(60, 220));
	expect(blocks.filter(({ kind }) => kind === "heading").map(({ text }) => text)).toEqual(["Module three: design and prototyping of boats"]);
});

test("tables of numbers side by side are read one after the other", async () => {
	const rows = ["11 12 13", "21 22 23", "31 32 33", "41 42 43"].map((row) => row.split(" "));
	const at = (left: number) => rows.flatMap((row, y) => row.map((text, x) => words(left + x * 50, 120 + 16 * y, text)));
	expect(tableOf(await blocksOf(...prose(60, 60), ...at(60), ...at(320)))).toEqual([...rows, ...rows]);
});

test("the names of columns belong to their table in bigger letters, too", async () => {
	const rows = ["1 Tromso", "2 Bergen", "3 Narvik", "4 Vardo"].map((row) => row.split(" "));
	const header = ["No", "Place"].map((text, x) => words(60 + x * 80, 104, text, "F1", 14));
	const cells = rows.flatMap((row, y) => row.map((text, x) => words(60 + x * 80, 120 + 16 * y, text)));
	expect(tableOf(await blocksOf(...prose(60, 60), ...header, ...cells))).toEqual([["No", "Place"], ...rows]);
});
