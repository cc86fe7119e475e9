/** Headings of PDFs that are neither bigger than the text nor bold, and headings of several lines. */

import { expect, test } from "bun:test";
import * as mupdf from "mupdf";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { linesOf } from "../../../../plugins/formats/pdf/page-text.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

type Face = "upright" | "italic" | "bold" | "smallCaps";

const words = (x: number, y: number, text: string, face: Face = "upright", size = 10) => `BT /${face} ${size} Tf ${x} ${842 - y} Td (${text}) Tj ET`;
const prose = (y: number) =>
	[
		"The harbour is read line by line from the left to the right side,",
		"and every line of it is filled, since nobody here ended it early,",
		"not even where the water is low and the rock lies dry at noon.",
	].map((text, line) => words(60, y + line * 12, text));

/** Draws the letters of a text one after the other, each with its size. */
function spelled(x: number, y: number, ...parts: readonly (readonly [text: string, size: number])[]): string {
	return `BT ${x} ${842 - y} Td ${parts.map(([text, size]) => `/upright ${size} Tf (${text}) Tj`).join(" ")} ET`;
}

async function headingsOf(...content: readonly string[]): Promise<readonly string[]> {
	const pdf = new mupdf.PDFDocument();
	const fonts = {
		upright: pdf.addSimpleFont(new mupdf.Font("Times-Roman")),
		italic: pdf.addSimpleFont(new mupdf.Font("Times-Italic")),
		bold: pdf.addSimpleFont(new mupdf.Font("Times-Bold")),
		smallCaps: pdf.addObject({ Type: "Font", Subtype: "Type1", BaseFont: "ABCDEF+CMCSC10" }),
	};
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: fonts }), content.join("\n")));
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), pdf.saveToBuffer("").asUint8Array().slice(), "application/pdf");
	return extraction.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []));
}

test("a line in italics is a heading with its number, or right above a text", async () => {
	const page = [words(60, 60, "A. Tides vs. Currents", "italic"), ...prose(78), words(60, 130, "Low water", "italic"), ...prose(148)];
	expect(await headingsOf(...page)).toEqual(["A. Tides vs. Currents", "Low water"]);
});

test("italics within a text, below it and before short lines are no headings", async () => {
	const within = [...prose(60), words(60, 96, "Low water and other tales", "italic"), ...prose(108)];
	const address = [words(60, 170, "Institute of Tides", "italic"), words(60, 190, "Tromso, Norway")];
	const sentence = [words(60, 230, "This was seen at noon.", "italic"), ...prose(248)];
	expect(await headingsOf(...within, ...address, ...sentence, words(60, 320, "Source: the harbour", "italic"))).toEqual([]);
});

test("a line in small capitals is a heading, whether they are a font or smaller capitals", async () => {
	const drawn = spelled(60, 60, ["L", 10], ["OW", 8], [" W", 10], ["ATER", 8]);
	const asSmallLetters = spelled(60, 130, ["T", 10], ["ides of ", 8], ["B", 10], ["ergen", 8]);
	const page = [drawn, ...prose(78), asSmallLetters, ...prose(148), words(60, 200, "Currents", "smallCaps"), ...prose(218)];
	expect(await headingsOf(...page)).toEqual(["LOW WATER", "Tides of Bergen", "Currents"]);
});

test("a heading has the size of its capitals", async () => {
	const page = [spelled(60, 60, ["L", 12], ["OW", 9.6], [" W", 12], ["ATER OF THE NORTH", 9.6]), words(60, 76, "beside the rock"), ...prose(92)];
	expect(await headingsOf(...page)).toEqual(["LOW WATER OF THE NORTH"]);
});

test("a big first letter and an index below the line are no small capitals", async () => {
	const initial = spelled(60, 60, ["T", 14], ["he harbour of the north is dry at noon", 10]);
	const formula = `BT 60 ${842 - 160} Td /upright 10 Tf (A) Tj /upright 7 Tf -2 Ts (MAX) Tj /upright 10 Tf 0 Ts ( = B) Tj /upright 7 Tf -2 Ts (MIN) Tj ET`;
	expect(await headingsOf(initial, ...prose(90), formula, ...prose(190))).toEqual([]);
});

test("Chinese in a font named SC is not in small capitals", () => {
	const span = { size: 10, isBold: false, isItalic: false, isSmallCaps: true, isMono: false };
	const read = linesOf(
		["港口的水", "Low Water", "2026"].map((text, at) => [{ ...span, text, box: [60, 60 + at * 30, 120, 70 + at * 30] }]),
		[],
		false,
	);
	expect(read.map(({ isSmallCaps }) => isSmallCaps)).toEqual([false, true, false]);
});

test("a title goes on in its next line where that is centred, and not in a numbered one", async () => {
	const centred = [words(100, 60, "The low water of the northern", "upright", 18), words(178, 82, "harbours", "upright", 18)];
	const apart = [words(60, 210, "A. The cold currents", "bold", 13), words(90, 225, "B. Tides", "bold", 13)];
	const headings = ["The low water of the northern harbours", "A. The cold currents", "B. Tides"];
	expect(await headingsOf(...centred, ...prose(155), ...apart, ...prose(245))).toEqual(headings);
});

test("numbered headings under each other are no table, and bold labels smaller than the text no headings", async () => {
	const headings = [
		words(60, 60, "2", "bold", 14),
		words(90, 60, "Tides", "bold", 14),
		words(60, 84, "2.1", "bold", 11.5),
		words(90, 84, "Low water", "bold", 11.5),
	];
	const labels = [words(60, 160, "Harbour", "bold", 7), words(60, 190, "Rock", "bold", 7)];
	expect(await headingsOf(...headings, ...prose(102), ...labels)).toEqual(["2 Tides", "2.1 Low water"]);
});

test("a numbered title in letters smaller than the text is a heading", async () => {
	expect(await headingsOf(...prose(60), words(60, 130, "IV. LOW WATER", "upright", 8), ...prose(150))).toEqual(["IV. LOW WATER"]);
});

test("headings under each other that begin at the same edge are several, though as wide as each other", async () => {
	const two = [words(60, 60, "Low waters", "upright", 18), words(60, 88, "Sow waters", "upright", 18)];
	expect(await headingsOf(...two, ...prose(120))).toEqual(["Low waters", "Sow waters"]);
});

test("bylines, labels of figures and items of lists in italics are no headings, though they stand above a text", async () => {
	const above = ["J. Smith, University of Oslo", "A. Holm and B. Dahl", "By Anna Holm", "Figure 3: Low water", "Table 2 Low water"];
	const bylines = above.flatMap((text, at) => [words(60, 60 + at * 80, text, "italic"), ...prose(78 + at * 80)]);
	const items = ["1. Low water", "2. High water", "3. The tide"].map((text, at) => words(60, 500 + at * 20, text, "italic"));
	expect(await headingsOf(...bylines, ...items, ...prose(560))).toEqual([]);
});
