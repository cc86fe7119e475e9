/** What is read from MuPDF's memory is what MuPDF tells: places of fields that moved with a new version would show here. */

import { expect, test } from "bun:test";
import { readStructuredText, structuredTextOptions } from "../../../../plugins/formats/pdf/letters/structured-text.ts";
import { mupdf } from "../../../../plugins/formats/pdf/mupdf-memory.ts";

const words = (x: number, y: number, text: string, font = "F1", size = 10) => `BT /${font} ${size} Tf ${x} ${842 - y} Td (${text}) Tj ET`;
const shade = (x: number, y: number) => `0.9 g ${x} ${842 - y} 40 12 re f 0 g`;

/** Read in two ways: with what is drawn, from memory, and as MuPDF writes it where nothing drawn is told. */
function bothWays(...content: readonly string[]) {
	const pdf = new mupdf.PDFDocument();
	const fonts = { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")), F2: pdf.addSimpleFont(new mupdf.Font("Courier-Bold")) };
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: fonts }), content.join("\n")));
	const page = pdf.loadPage(0);
	const [vectors, walked]: [Vector[], Vector[]] = [[], []];
	const structured = page.toStructuredText(structuredTextOptions);
	const read = readStructuredText(structured, (box, isRectangle, argb) =>
		vectors.push([box, isRectangle, [argb >> 16, argb >> 8, argb].map((part) => (part & 255) / 255)]),
	);
	structured.walk({ onVector: (box, { isRectangle }, color) => walked.push([box, isRectangle, color]) });
	const { blocks } = JSON.parse(page.toStructuredText("preserve-images,preserve-spans").asJSON(10)) as { readonly blocks: readonly Told[] };
	const told = blocks.filter(({ type }) => type === "text").map(({ lines = [] }) => lines.map(spanOf));
	return { read, told, vectors, walked };
}

/** Its place, whether it is a rectangle, its colour. */
type Vector = readonly [readonly number[], boolean, readonly number[]];

interface Told {
	readonly type: string;
	readonly lines?: readonly {
		readonly bbox: Readonly<Record<"x" | "y" | "w" | "h", number>>;
		readonly font: { readonly family: string; readonly weight: string; readonly style: string; readonly size: number };
		readonly text: string;
	}[];
}

function spanOf({ bbox: { x, y, w, h }, font, text }: NonNullable<Told["lines"]>[number]) {
	const box = [x / 10, y / 10, (x + w) / 10, (y + h) / 10] as const;
	const faces = { isBold: font.weight === "bold", isItalic: font.style === "italic", isSmallCaps: false, isMono: font.family === "monospace" };
	return { text, box, size: font.size / 10, ...faces };
}

test("text, places, sizes and fonts are those that MuPDF tells", () => {
	const { read, told } = bothWays(
		words(60, 60, "The harbour", "F1", 14.3),
		words(60, 90, "lies still", "F2"),
		words(200, 90, "at night"),
		words(60, 500, "far below"),
	);
	expect(read.blocks).toEqual(told);
	expect(read.blocks.flat().map(({ text, isBold, isMono }) => [text, isBold, isMono])).toEqual([
		["The harbour", false, false],
		["lies still", true, true],
		["at night", false, false],
		["far below", false, false],
	]);
});

test("what is drawn between lines of a paragraph does not part them", () => {
	const lines = [words(60, 60, "one two"), shade(60, 74), words(60, 72, "three four"), shade(60, 86), words(60, 84, "five six")];
	const { read, told, vectors, walked } = bothWays(...lines);
	expect(read.blocks).toEqual(told);
	expect(read.blocks.map((spans) => spans.map(({ text }) => text))).toEqual([["one two", "three four", "five six"]]);
	expect(vectors).toEqual(walked);
	expect(vectors).toHaveLength(2);
});

test("what is drawn between two paragraphs leaves them two: by their distance, by an indent, by their direction", () => {
	const turned = "BT /F1 10 Tf 0 1 -1 0 300 400 Tm (upwards) Tj ET";
	const indented = [words(60, 60, "first"), shade(60, 74), words(80, 72, "indented"), shade(60, 86), words(80, 300, "distant"), shade(60, 400), turned];
	const { read, told } = bothWays(...indented);
	expect(read.blocks).toEqual(told);
	expect(read.blocks).toHaveLength(4);
});

test("an item after a number is not taken for an indented paragraph", () => {
	const { read, told } = bothWays(words(60, 60, "1"), shade(70, 60), words(80, 60, "an item"), shade(60, 74), words(80, 72, "and its next line"));
	expect(read.blocks).toEqual(told);
});
