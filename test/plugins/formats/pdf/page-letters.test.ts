/** Letters that PDFs draw in pieces or apart: accents, ligatures, spaced headings, big first letters. */

import { expect, test } from "bun:test";
import * as mupdf from "mupdf";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

const words = (x: number, y: number, text: string, size = 10, font = "F1") => `BT /${font} ${size} Tf ${x} ${842 - y} Td (${text}) Tj ET`;
/** Fills the lines of a paragraph, so that there is a body text to compare with. */
const prose = (x: number, y: number) =>
	["The harbour is read line by line from the left to the right", "and every line of it is filled, since nobody ended it early."].map((text, at) =>
		words(x, y + at * 13, text),
	);

/** In F2 the code of `B` stands for what fonts of TeX say of the ligature ff, that of `~` for a sign that nobody knows. */
async function textsOf(...content: readonly string[]): Promise<readonly string[]> {
	const pdf = new mupdf.PDFDocument();
	const [plain, tex] = [pdf.addSimpleFont(new mupdf.Font("Helvetica")), pdf.addSimpleFont(new mupdf.Font("Times-Roman"))];
	const map =
		"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <42> <21b5> <7e> <fffd> endbfchar endcmap end";
	tex.put("ToUnicode", pdf.addStream(map, {}));
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: { F1: plain, F2: tex } }), content.join("\n")));
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), pdf.saveToBuffer("").asUint8Array(), "application/pdf");
	return extraction.blocks.map(({ kind, text }) => (kind === "list-item" ? `- ${text}` : text));
}

test("an accent drawn over a letter is part of it", async () => {
	// The pen goes back by the width of the accent, as TeX has it.
	const drawn = (x: number, y: number, ...pieces: readonly (string | number)[]) =>
		`BT /F1 10 Tf ${x} ${842 - y} Td [${pieces.map((piece) => (typeof piece === "string" ? `(${piece})` : piece)).join(" ")}] TJ ET`;
	const texts = await textsOf(
		...prose(60, 60),
		drawn(60, 100, "J\\250", 445, "urgen and Fran\\270", 416, "cois met"),
		drawn(60, 130, "a \\264 alone, `quoted' words"),
	);
	expect(texts).toContain("Jürgen and François met");
	expect(texts).toContain("a ´ alone, `quoted' words");
});

test("letters set apart are words, and single letters are not", async () => {
	const apart = (text: string, by: number) => `${by} Tc ${text} 0 Tc`;
	const texts = await textsOf(
		...prose(60, 60),
		apart(words(60, 110, "HARBOUR LIGHT"), 4),
		words(60, 150, "the points a b c d lie on it"),
		"BT /F1 10 Tf 60 650 Td [(a) -400 (b) -400 (c) -400 (d)] TJ ET",
	);
	expect(texts.map((text) => text.replaceAll("\n", " ")).join(" ")).toContain("HARBOUR LIGHT the points a b c d lie on it a b c d");
});

test("a big first letter begins the word beside it", async () => {
	const lines = ["nce there was a harbour that had", "two lights, one of them green and", "the other one red as a herring."];
	const texts = await textsOf(words(60, 130, "O", 36), ...lines.map((text, at) => words(at < 2 ? 90 : 60, 113 + at * 13, text)), ...prose(60, 200));
	expect(texts.join(" ").replaceAll("\n", " ")).toContain(
		"Once there was a harbour that had two lights, one of them green and the other one red as a herring.",
	);
});

test("a bullet and a ligature of TeX are what they look like", async () => {
	const texts = await textsOf(...prose(60, 60), words(60, 110, "\\017"), words(72, 110, "salt herring"), words(60, 140, "oBce", 10, "F2"));
	expect(texts).toContain("- salt herring");
	expect(texts).toContain("offce");
});

test("signs that nobody knows are left out, and what they part stays apart", async () => {
	const lines = [words(60, 160, "harbour~~~keeper", 10, "F2"), words(60, 200, "~~", 10, "F2"), words(60, 240, "The end.")];
	expect((await textsOf(...prose(60, 60), ...prose(60, 100), ...lines)).slice(-2)).toEqual(["harbour keeper", "The end."]);
});
