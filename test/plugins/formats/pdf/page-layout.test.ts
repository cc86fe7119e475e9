/** How a PDF's page is ordered: tables with and without walls, lists, listings, page numbers, lines ended on purpose. */

import { expect, test } from "bun:test";
import type { Block } from "cairn-memory";
import * as mupdf from "mupdf";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

/** Words at a place, counted from the page's top left corner. */
const words = (x: number, y: number, text: string, font = "F1", size = 10) => `BT /${font} ${size} Tf ${x} ${842 - y} Td (${text}) Tj ET`;
const bold = (x: number, y: number, text: string) => words(x, y, text, "F2");
const mono = (x: number, y: number, text: string) => words(x, y, text, "F3");
const rule = (x: number, y: number, toX: number, toY: number) => `0.5 w ${x} ${842 - y} m ${toX} ${842 - toY} l S`;
const dot = (x: number, y: number) => `${x} ${842 - y} 3 3 re f`;
/** Fills the lines of a paragraph, so that there is a body text to compare with. */
const prose = (x: number, y: number) =>
	["The harbour is read line by line from the left to the right", "and every line of it is filled, since nobody ended it early."].map((text, at) =>
		words(x, y + at * 13, text),
	);

function pdfOf(...pages: readonly (readonly string[])[]): Uint8Array {
	const pdf = new mupdf.PDFDocument();
	const fonts = {
		F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")),
		F2: pdf.addSimpleFont(new mupdf.Font("Helvetica-Bold")),
		F3: pdf.addSimpleFont(new mupdf.Font("Courier")),
	};
	const resources = pdf.addObject({ Font: fonts });
	for (const page of pages) pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, resources, page.join("\n")));
	return pdf.saveToBuffer("compress=yes").asUint8Array();
}

async function blocksOf(...pages: readonly (readonly string[])[]): Promise<readonly Block[]> {
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), pdfOf(...pages), "application/pdf");
	return extraction.blocks;
}

function rowsOf(blocks: readonly Block[]) {
	return blocks.flatMap((block) => (block.kind === "row" ? [[block.header, block.cells]] : []));
}

const walls = [...[100, 120, 150, 170].map((y) => rule(60, y, 360, y)), ...[60, 160, 260, 360].map((x) => rule(x, 100, x, 170))];

test("cells of several lines between drawn walls", async () => {
	const table = [
		...walls,
		...[bold(64, 114, "Ship"), bold(164, 114, "Cargo"), bold(264, 114, "Harbour")],
		...[words(64, 132, "Aurora"), words(164, 132, "barrels of"), words(164, 144, "herring"), words(264, 132, "Tromso")],
		...[words(64, 164, "Borealis"), words(264, 164, "Bergen")],
	];
	const header = ["Ship", "Cargo", "Harbour"];
	expect(rowsOf(await blocksOf([...prose(60, 60), ...table]))).toEqual([
		[header, ["Aurora", "barrels of herring", "Tromso"]],
		[header, ["Borealis", "", "Bergen"]],
	]);
});

test("a merged cell is told in each of its fields", async () => {
	const open = [
		...[100, 120, 140].map((y) => rule(60, y, 360, y)),
		rule(60, 100, 60, 140),
		rule(360, 100, 360, 140),
		...[160, 260].map((x) => rule(x, 120, x, 140)),
	];
	const table = [...open, words(150, 114, "Counted at noon"), ...["1", "2", "3"].map((text, at) => words(64 + at * 100, 134, text))];
	const cells = rowsOf(await blocksOf([...prose(60, 60), ...table])).flat();
	expect(cells).toContainEqual(["Counted at noon", "Counted at noon", "Counted at noon"]);
	expect(cells).toContainEqual(["1", "2", "3"]);
});

test("a drawing with axes is no table, and fields of a page are texts", async () => {
	const axes = [rule(100, 400, 100, 200), rule(100, 400, 300, 400), rule(150, 405, 150, 395), words(96, 415, "0"), words(146, 415, "50")];
	expect(rowsOf(await blocksOf([...prose(60, 60), ...axes]))).toEqual([]);

	const fields = [...[100, 300, 500].map((y) => rule(60, y, 500, y)), ...[60, 280, 500].map((x) => rule(x, 100, x, 500))];
	const texts = [64, 284].flatMap((x) =>
		[115, 315].flatMap((y) => Array.from({ length: 9 }, (_, at) => words(x, y + at * 13, `Line ${at} of a field ${x} ${y}`))),
	);
	const blocks = await blocksOf([...fields, ...texts]);
	expect(rowsOf(blocks)).toEqual([]);
	expect(blocks.map(({ text }) => /field (\d+ \d+)/.exec(text)?.[1])).toEqual(["64 115", "284 115", "64 315", "284 315"]);
});

test("cells of several lines without walls, written one after the other", async () => {
	const cell = (x: number, y: number, ...lines: readonly string[]) => lines.map((text, at) => words(x, y + at * 12, text));
	const table = [
		...[bold(60, 100, "Setting"), bold(200, 100, "What it does")],
		...[...cell(60, 125, "timeout"), ...cell(200, 125, "how long one file", "may be read at most")],
		...[...cell(60, 165, "memory", "of a reader"), ...cell(200, 165, "how much it", "may hold")],
	];
	expect(rowsOf(await blocksOf([...prose(60, 60), ...table]))).toEqual([
		[
			["Setting", "What it does"],
			["timeout", "how long one file may be read at most"],
		],
		[
			["Setting", "What it does"],
			["memory of a reader", "how much it may hold"],
		],
	]);
});

test("a table goes on below only: what stands higher up is the next column", async () => {
	const first = [words(60, 600, "north"), words(160, 600, "storm"), words(60, 620, "south"), words(160, 620, "calm")];
	const second = [words(320, 100, "a"), words(420, 100, "b"), words(320, 120, "c"), words(420, 120, "d")];
	const tables = (await blocksOf([...prose(60, 60), ...first, ...second])).flatMap((block) => (block.kind === "row" ? [block.table] : []));
	expect(tables).toEqual([1, 1, 2, 2]);
});

test("a table that goes on on the next page keeps the names of its columns", async () => {
	const row = (y: number, ...cells: readonly string[]) => cells.map((text, at) => words(60 + at * 120, y, text));
	const first = [...prose(60, 60), bold(60, 700, "Ship"), bold(180, 700, "Cargo"), ...row(720, "Aurora", "herring"), ...row(740, "Borealis", "salt")];
	const second = [...row(60, "Cirrus", "coal"), ...row(80, "Dunes", "sand"), ...prose(60, 140)];
	expect(rowsOf(await blocksOf(first, second)).map(([header, cells]) => [header?.join(), cells?.join()])).toEqual([
		["Ship,Cargo", "Aurora,herring"],
		["Ship,Cargo", "Borealis,salt"],
		["Ship,Cargo", "Cirrus,coal"],
		["Ship,Cargo", "Dunes,sand"],
	]);
});

test("items by drawn dots, nested by where they begin", async () => {
	const list = [
		...[dot(62, 100), words(72, 103, "herring"), dot(82, 120), words(92, 123, "smoked herring"), dot(62, 140), words(72, 143, "barrels")],
		words(60, 180, "After the list."),
	];
	const items = (await blocksOf([...prose(60, 60), ...list])).flatMap((block) => (block.kind === "list-item" ? [[block.depth, block.text]] : []));
	expect(items).toEqual([
		[0, "herring"],
		[1, "smoked herring"],
		[0, "barrels"],
	]);
});

test("a listing keeps its lines and what they are indented by", async () => {
	const listing = [mono(60, 110, "while \\(true\\) {"), mono(84, 122, "wait\\(\\);"), mono(60, 134, "}")];
	const code = (await blocksOf([...prose(60, 60), ...listing, ...prose(60, 170)])).find((block) => block.kind === "code");
	expect(code?.text).toBe("while (true) {\n    wait();\n}");
});

test("lines ended on purpose stay lines, and a word cut at the end of a line is made whole", async () => {
	const address = ["Ada Keeper", "Lighthouse 3", "Farm on the coast, where the road ends and the long beach begins to be seen"];
	const [, written] = await blocksOf([...prose(60, 60), ...address.map((text, at) => words(60, 120 + at * 13, text))]);
	expect(written?.text.split("\n").slice(0, 2)).toEqual(["Ada Keeper", "Lighthouse 3"]);

	const cut = ["The keeper reads what was writ-", "ten, and looks below docs/long-", "path for the rest of the text."];
	const [, whole] = await blocksOf([...prose(60, 60), ...cut.map((text, at) => words(60, 120 + at * 13, text))]);
	expect(whole?.text).toBe("The keeper reads what was written, and looks below docs/long-path for the rest of the text.");
});

test("a page's number goes, and a number that says something stays", async () => {
	const page = (number: number, foot: string) => [...prose(60, 100 + number * 20), words(290, 820, foot)];
	const texts = async (...feet: readonly string[]) => (await blocksOf(...feet.map((foot, at) => page(at + 1, foot)))).map(({ text }) => text).join(" ");
	expect(await texts("1")).not.toContain("1");
	expect(await texts("Seite 1 von 2", "Seite 2 von 2")).not.toMatch(/\d/);
	expect(await texts("- 1 -")).not.toMatch(/\d/);
	expect(await texts("Chapter 1")).toContain("Chapter 1");
	expect(await texts("47")).toContain("47");
});

test("a bold beginning makes no heading of a line, and long tables in small letters no headings of the text", async () => {
	const lead = [bold(60, 120, "Budgets."), words(108, 120, "They count by days, and hold")];
	const blocks = await blocksOf([...prose(60, 60), ...lead]);
	expect(blocks.map(({ kind }) => kind)).not.toContain("heading");

	const cells = Array.from({ length: 40 }, (_, at) => [
		words(60, 200 + at * 12, `some row of the table ${at}`, "F1", 7),
		words(260, 200 + at * 12, `what it says in small letters ${at}`, "F1", 7),
	]);
	const beside = await blocksOf([...prose(60, 60), ...prose(60, 100), ...prose(60, 140), ...cells.flat()]);
	expect(beside.filter(({ kind }) => kind === "heading")).toEqual([]);
});

test("what was filled into a form is read with the page", async () => {
	const pdf = new mupdf.PDFDocument();
	const resources = pdf.addObject({ Font: { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")) } });
	const page = pdf.addPage([0, 0, 595, 842], 0, resources, [...prose(60, 60), words(60, 120, "First name")].join("\n"));
	pdf.insertPage(-1, page);
	const note = (pdf.loadPage(0) as mupdf.PDFPage).createAnnotation("FreeText");
	note.setRect([160, 105, 300, 130]);
	note.setContents("Ottilie");
	note.update();
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), pdf.saveToBuffer("").asUint8Array(), "application/pdf");
	expect(extraction.text).toContain("Ottilie");
});
