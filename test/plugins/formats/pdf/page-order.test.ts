/** What belongs together in PDFs though it is written apart: words over two pages, sentences over two columns, entries of forms. */

import { expect, test } from "bun:test";
import type { PDFDocument } from "mupdf";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { placeFormEntries } from "../../../../plugins/formats/pdf/form-fields.ts";
import type { Span } from "../../../../plugins/formats/pdf/letters/structured-text.ts";
import { mupdf } from "../../../../plugins/formats/pdf/mupdf-memory.ts";
import { linesOf } from "../../../../plugins/formats/pdf/page-text.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

const words = (x: number, y: number, text: string) => `BT /F1 10 Tf ${x} ${842 - y} Td (${text}) Tj ET`;
const lines = (x: number, y: number, ...texts: readonly string[]) => texts.map((text, at) => words(x, y + at * 12, text));

async function textsOf(pages: readonly (readonly string[])[], prepare: (pdf: PDFDocument) => void = () => undefined): Promise<readonly string[]> {
	const pdf = new mupdf.PDFDocument();
	const resources = pdf.addObject({ Font: { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")) } });
	for (const page of pages) pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, resources, page.join("\n")));
	prepare(pdf);
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), pdf.saveToBuffer("").asUint8Array(), "application/pdf");
	return extraction.blocks.map(({ kind, text }) => (kind === "heading" ? `# ${text}` : text));
}

test("a word cut at the end of a page is whole on the page where it begins", async () => {
	const texts = await textsOf([
		lines(60, 400, "The harbour is read line by line from the left to the right and is prohib-"),
		lines(60, 100, "itively cold in the months of winter, when nobody counts the boats at all."),
	]);
	expect(texts).toEqual([
		"The harbour is read line by line from the left to the right and is prohibitively",
		"cold in the months of winter, when nobody counts the boats at all.",
	]);
	const option = await textsOf([
		lines(60, 400, "Ask for the path /var/harbour-"),
		lines(60, 100, "light when nothing else is found in any of the other places."),
	]);
	expect(option[0]).toBe("Ask for the path /var/harbour-");
});

test("a sentence goes on at the top of the next column, and a new one does not", async () => {
	const left = lines(60, 100, "The harbour is read line by line from left", "to right and every line of it is filled, for");
	const right = lines(320, 100, "nobody ended any of them before it was full", "of words, and that is how prose is set here.");
	expect((await textsOf([[...left, ...right]])).map((text) => text.replaceAll("\n", " "))).toEqual([
		"The harbour is read line by line from left to right and every line of it is filled, for nobody ended any of them before it was full of words, and that is how prose is set here.",
	]);
	const begun = lines(320, 100, "Nobody ended any of them before it was full", "of words, and that is how prose is set here.");
	expect(await textsOf([[...left, ...begun]])).toHaveLength(2);
});

test("lines far from each other are one paragraph where all of them are, and short ones stay apart", async () => {
	const text = [
		"The harbour is read line by line from the left to the right, and every",
		"Norwegian line of it is filled, since nobody ended it early. Then comes",
		"Ottilie with the ferry from Bergen, and the Harbour Office counts it all.",
		"Tuesday was calm, and so were the people who had come from Sweden on",
		"Monday.",
	];
	const spaced = text.map((line, at) => words(60, 100 + at * 22, line));
	const list = ["Vik", "Bergen", "Bodo"].map((line, at) => words(60, 240 + at * 22, line));
	expect(await textsOf([[...spaced, ...list]])).toEqual([text.join(" "), "Vik", "Bergen", "Bodo"]);
});

test("a line that a bookmark names is a heading, with or without its number", async () => {
	const prose = (y: number) =>
		lines(60, y, "The harbour is read line by line from the left to the right, and all", "of its lines are filled to the end of the page.");
	const page = [...prose(60), words(60, 110, "2 The long winter"), ...prose(140), words(60, 200, "Nothing of note"), ...prose(230)];
	const name = (pdf: PDFDocument) => {
		const iterator = pdf.outlineIterator();
		iterator.insert({ title: "The Long Winter", uri: "#page=1", open: true });
	};
	expect((await textsOf([page], name)).filter((text) => text.startsWith("#"))).toEqual(["# 2 The long winter"]);
	expect((await textsOf([page])).filter((text) => text.startsWith("#"))).toEqual([]);
});

test("signs under each other are a line from top to bottom", async () => {
	const line: Omit<Span, "text" | "box"> = { size: 10, isBold: false, isItalic: false, isSmallCaps: false, isMono: false };
	const column = (x: number, text: string) => [...text].map((sign, at): Span => ({ ...line, text: sign, box: [x, 100 + at * 10, x + 10, 110 + at * 10] }));
	const read = linesOf([column(200, "吾輩は猫である"), column(180, "名前は無い"), [...column(60, "A"), ...column(60, "BC").slice(1)]], [], false);
	expect(read.map(({ text }) => text)).toEqual(["吾輩は猫である", "名前は無い", "A", "C"]);
});

test("a title in capitals behind a number is a heading", async () => {
	const text = lines(60, 100, "The harbour is read line by line from the left to the right, and all", "of its lines are filled to the end of the page.");
	const pdf = await textsOf([
		[...text, words(200, 160, "II. METHOD OF COUNTING"), ...lines(60, 190, "We counted by hand and wrote it down in the book of the", "harbour every day.")],
	]);
	expect(pdf[1]).toBe("# II. METHOD OF COUNTING");
});

test("what was filled in stands behind its label, or below it", () => {
	const line = (text: string, x: number, y: number) => ({
		text,
		box: [x, y, x + 50, y + 12] as const,
		size: 10,
		isBold: false,
		isItalic: false,
		isSmallCaps: false,
		isMono: false,
		hasDot: false,
		block: 0,
	});
	const page = [line("First name", 60, 100), line("Town", 60, 130), line("Remarks", 60, 160)];
	const entries = [line("none so far", 70, 175), line("Vik", 120, 130), line("Olsen", 200, 100), line("Ida", 120, 100), line("nowhere", 400, 700)];
	const fields = entries.map(({ box }) => [box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2] as const);
	const order = placeFormEntries([...page, ...entries], fields).map(({ text }) => text);
	expect(order).toEqual(["First name", "Ida", "Olsen", "Town", "Vik", "Remarks", "none so far", "nowhere"]);
	expect(placeFormEntries(page, [])).toEqual(page);
});
