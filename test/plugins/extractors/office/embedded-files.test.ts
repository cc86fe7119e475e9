/** Files inside of Office files and PDFs: each is handed over, the numbers behind charts are not. */

import { expect, test } from "bun:test";
import * as mupdf from "mupdf";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { compoundOf, streamNode } from "../../../doubles/compound-file.ts";
import { relationsXml, wordParagraph } from "../../../doubles/office-files.ts";
import { zipOf } from "../../../doubles/zip-of.ts";
import { extractorNamed, read } from "../samples.ts";

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** As Windows packs a file into an icon. */
function nativeStream(name: string, content: string): Uint8Array {
	const path = `D:\\papers\\${name}`;
	const length = Buffer.alloc(4);
	length.writeUInt32LE(path.length + 1);
	const size = Buffer.alloc(4);
	size.writeUInt32LE(Buffer.byteLength(content));
	const body = Buffer.concat([
		Buffer.from("\u0002\0", "latin1"),
		Buffer.from(`${name}\0${path}\0`),
		Buffer.from([0, 0, 3, 0]),
		length,
		Buffer.from(`${path}\0`),
		size,
		Buffer.from(content),
	]);
	const whole = Buffer.alloc(4);
	whole.writeUInt32LE(body.length);
	return Buffer.concat([whole, body]);
}

test("workbooks, packed files and old documents in a Word file", async () => {
	const workbook = zipOf({ "xl/workbook.xml": "<workbook/>" });
	const old = compoundOf([streamNode("WordDocument", new Uint8Array(600))]);
	const bytes = zipOf({
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": relationsXml({ a: ["officeDocument", "word/document.xml"] }),
		"word/document.xml": `<w:document xmlns:w="w"><w:body>${wordParagraph("See inside.")}</w:body></w:document>`,
		"word/charts/chart1.xml": "<c:chart/>",
		"word/charts/_rels/chart1.xml.rels": relationsXml({ a: ["package", "../embeddings/Behind_Chart.xlsx"] }),
		"word/embeddings/Behind_Chart.xlsx": workbook,
		"word/embeddings/Sheet1.xlsx": workbook,
		"word/embeddings/oleObject1.bin": compoundOf([streamNode("\u0001Ole10Native", nativeStream("crew.csv", "name,years"))]),
		"word/embeddings/oleObject2.bin": compoundOf([streamNode("Package", workbook)]),
		"word/embeddings/oleObject3.bin": old,
		"word/embeddings/oleObject4.bin": compoundOf([streamNode("Equation Native", new Uint8Array(20))]),
		"word/embeddings/oleObject5.bin": Uint8Array.of(0xd0, 0xcf, 1, 2, 3),
	});
	const { extraction, step } = await read(await extractorNamed(officePlugin(), "docx"), bytes, docx);
	expect(extraction.text).toBe("See inside.");
	expect(step.attachments.map(({ path }) => path)).toEqual(["Sheet1.xlsx", "crew.csv", "oleObject2", "oleObject3.doc"]);
	expect(Buffer.from(step.attachments[1]?.bytes ?? []).toString()).toBe("name,years");
	expect(step.attachments[2]?.bytes).toEqual(workbook);
	expect(step.attachments[3]?.bytes).toEqual(old);
	expect(step.warnings.map(({ code }) => code)).toEqual(["PART_DAMAGED"]);
});

test("files attached to a PDF and to a place on its pages", async () => {
	const document = new mupdf.PDFDocument();
	document.insertPage(-1, document.addPage([0, 0, 200, 200], 0, {}, ""));
	const now = new Date(0);
	const whole = document.addEmbeddedFile("invoice.xml", "text/xml", Buffer.from("<total>7</total>"), now, now);
	document.insertEmbeddedFile("invoice.xml", whole);
	const placed = document.addEmbeddedFile("crew.csv", "text/csv", Buffer.from("name,years"), now, now);
	const page = document.loadPage(0) as mupdf.PDFPage;
	const mark = page.createAnnotation("FileAttachment");
	mark.setFileSpec(placed);
	mark.update();
	const bytes = document.saveToBuffer("compress").asUint8Array().slice();
	const { extraction, step } = await read(await extractorNamed(pagesPlugin(), "pdf"), bytes, "application/pdf");
	expect(extraction.text).toBe("Attachments: invoice.xml, crew.csv");
	expect(step.attachments.map(({ path, bytes: inside, claimedMediaType }) => [path, Buffer.from(inside).toString(), claimedMediaType])).toEqual([
		["invoice.xml", "<total>7</total>", "text/xml"],
		["crew.csv", "name,years", "text/csv"],
	]);
});
