/** Office documents, e-books and rich text that are bombs, lies, circles and holes. */

import { crc32 } from "node:zlib";
import { blockOf, keynoteOf, partOf, textObject, varint } from "../iwork-files.ts";
import { listedAgain } from "../numbers-files.ts";
import { docxOf, pptxOf, relationsXml, shape, sheetData, vsdxOf, wordParagraph, xlsxOf } from "../office-files.ts";
import { zipOf, zipOfParts } from "../zip-of.ts";
import { rawDeflateBomb } from "./deflate-bomb.ts";

const spaces = new Uint8Array(2 ** 20).fill(0x20);
const oleMark = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const main = relationsXml({ r: ["officeDocument", "word/document.xml"] });
const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join("");
const nested = (open: string, close: string, times: number, inner = "") => open.repeat(times) + inner + close.repeat(times);

export const hostileOffice = {
	"bomb.docx": () => bombed(docxOf({ body: wordParagraph("Little") }), "word/document.xml", 1_024),
	"bomb.xlsx": () => bombed(xlsxOf([{ name: "A", xml: sheetData([["little"]]) }]), "xl/worksheets/sheet1.xml", 1_024),
	"bomb.epub": () => bombed(epubOf(["a.xhtml"], { "a.xhtml": "<p>little</p>" }), "a.xhtml", 600),
	"bomb.pptx": () => bombed(pptxOf([{ shapes: shape(null, ["little"]) }]), "ppt/slides/slide1.xml", 1_024),
	"bomb.odt": () => bombed(odfOf("text", "<text:p>little</text:p>"), "content.xml", 1_024),
	/** A thousand names for one and the same bytes. */
	"overlapping.docx": () => overlapping(docxOf({ body: wordParagraph("Little") }), 1_000),
	/** Sizes that only a field behind the entry tells, which is not there. */
	"zip64.docx": () => unsized(docxOf({ body: wordParagraph("Little") })),
	"laughs.docx": () =>
		zipOf({
			"_rels/.rels": main,
			"word/document.xml": `<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY file SYSTEM "file:///etc/passwd">${laughs}]><w:document><w:body>${wordParagraph("Fun: &l9;&file;")}</w:body></w:document>`,
		}),
	"nested.docx": () => docxOf({ body: nested("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 100_000, wordParagraph("deep")) }),
	"nested.pptx": () => pptxOf([{ shapes: nested("<p:grpSp>", "</p:grpSp>", 200_000, shape(null, ["deep"])) }]),
	"circles.docx": () =>
		docxOf({
			body: `${wordParagraph("Round", '<w:pStyle w:val="A"/><w:numPr><w:numId w:val="1"/></w:numPr>')}<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
			parts: {
				"styles.xml": '<w:styles><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
				"numbering.xml":
					'<w:numbering><w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="A"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
				"footnotes.xml": `<w:footnotes><w:footnote w:id="1"><w:p><w:r><w:t>and round</w:t><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote></w:footnotes>`,
			},
			relations: { h: ["header", "document.xml"], c: ["footer", "../word/document.xml"] },
		}),
	"charts.docx": () =>
		docxOf({
			body: `<w:p>${'<w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r>'.repeat(100_000)}</w:p>${wordParagraph("Many")}`,
			parts: { "x.xml": `<c:chart><c:title><a:t>${"chart ".repeat(10_000)}</a:t></c:title></c:chart>` },
			relations: { c: ["chart", "x.xml"] },
		}),
	"holes.docx": () => zipOf({ "[Content_Types].xml": "<Types/>", "_rels/.rels": main, "word/styles.xml": "<w:styles/>" }),
	"holes.xlsx": () => xlsxOf([{ name: "A", xml: "" }], { "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="none"/></sheets></workbook>' }),
	"entries.docx": () => zipOfParts(Array.from({ length: 150_000 }, () => ({ name: "word/a.xml", content: "" }))),
	"twice.docx": () =>
		zipOfParts([
			...["One", "Two"].map((text) => ({ name: "word/document.xml", content: `<w:document><w:body>${wordParagraph(text)}</w:body></w:document>` })),
			{ name: "_rels/.rels", content: main },
			{ name: "../../../etc/passwd", content: "x" },
		]),
	"declared.xlsx": () =>
		xlsxOf([
			{
				name: "A",
				xml: `<dimension ref="A1:XFD1048576"/>${sheetData([["little"]])}<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(10_000)}</mergeCells>`,
			},
		]),
	"columns.xlsx": () => xlsxOf([{ name: "A", xml: `<sheetData>${`<row>${'<c t="b"><v>1</v></c>'.repeat(16_384)}</row>`.repeat(100)}</sheetData>` }]),
	"checkered.xlsx": () =>
		xlsxOf([
			{ name: "A", xml: sheetData(Array.from({ length: 3_000 }, (_, row) => Array.from({ length: 26 }, (_, column) => ((row + column) % 2 === 0 ? 1 : "")))) },
		]),
	"rows.xlsx": () => xlsxOf([{ name: "A", xml: `<sheetData>${"<row><c><v>1</v></c></row>".repeat(1_100_000)}</sheetData>` }]),
	"repeated.ods": () =>
		odfOf(
			"spreadsheet",
			`<table:table table:name="A">${'<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>again and again</text:p></table:table-cell></table:table-row>'.repeat(5_000)}</table:table>`,
		),
	"repeated.fods": () =>
		flatOf(
			"spreadsheet",
			`<table:table table:name="A">${'<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>again and again</text:p></table:table-cell></table:table-row>'.repeat(5_000)}</table:table>`,
		),
	"nested.fodg": () => flatOf("graphics", nested("<draw:g>", "</draw:g>", 100_000, "<text:p>deep</text:p>")),
	/** A hundred thousand pages that are all one and the same part. */
	"pages.vsdx": () =>
		vsdxOf(
			Array.from({ length: 100_000 }, () => "r1"),
			"<Shape><Text>once</Text></Shape>",
		),
	"nested.vsdx": () => vsdxOf(["r1"], nested("<Shape><Shapes>", "</Shapes></Shape>", 100_000, "<Shape><Text>deep</Text></Shape>")),
	/** Each of 16,000 blocks of six kilobytes repeats one letter to 64. */
	"copies.pages": () => {
		const copies = Buffer.concat(Array.from({ length: 1_023 }, () => Buffer.from([(63 << 2) | 2, 1, 0])));
		const block = blockOf(Buffer.concat([varint(1 + 64 * 1_023), Buffer.from([0, 0x78]), copies]));
		return zipOf({ "Index/Document.iwa": Buffer.concat(Array.from({ length: 16_000 }, () => block)) });
	},
	"length.pages": () => zipOf({ "Index/Document.iwa": blockOf(Buffer.concat([varint(2 ** 32 - 1), Buffer.from([0, 0x78])])) }),
	"slides.key": () =>
		keynoteOf(
			[[textObject(5, "once")]],
			Array.from({ length: 50_000 }, () => 0),
		),
	/** A tile is listed 20,000 times, and so are its table and its sheet. */
	"tiles.numbers": () => zipOf({ "Index/Document.iwa": partOf(listedAgain(20_000)) }),
	"nested.odt": () => odfOf("text", nested("<text:section>", "</text:section>", 100_000, "<text:p>deep</text:p>")),
	"spine.epub": () =>
		epubOf(
			Array.from({ length: 100_000 }, () => "a.xhtml"),
			{ "a.xhtml": "<p>once</p>" },
		),
	"nested.epub": () => epubOf(["a.xhtml"], { "a.xhtml": nested("<div>", "</div>", 200_000, "deep") }),
	"encrypted.docx": () => oleOf("EncryptionInfo", "EncryptedPackage"),
	"old.docx": () => oleOf("Root Entry", "WordDocument"),
	"groups.rtf": () => Buffer.from(`{\\rtf1 ${nested("{\\b ", "}", 500_000, "deep")}`, "latin1"),
	"pictures.rtf": () => Buffer.from(`{\\rtf1 ${"{\\pict\\bin99999999 x}".repeat(1_000)} \\uc99999999\\u-99999999999 seen`, "latin1"),
} as const satisfies Record<string, () => Uint8Array>;

function flatOf(kind: "spreadsheet" | "graphics", body: string): Uint8Array {
	const content = kind === "graphics" ? `<office:drawing><draw:page>${body}</draw:page></office:drawing>` : `<office:spreadsheet>${body}</office:spreadsheet>`;
	return Buffer.from(
		`<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body>${content}</office:body></office:document>`,
	);
}

function odfOf(kind: string, body: string): Uint8Array {
	const content = `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
	return zipOf({ mimetype: `application/vnd.oasis.opendocument.${kind}`, "content.xml": content });
}

function epubOf(spine: readonly string[], chapters: Readonly<Record<string, string>>): Uint8Array {
	const items = Object.keys(chapters).map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`);
	return zipOf({
		mimetype: "application/epub+zip",
		"META-INF/container.xml": '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
		"book.opf": `<package><manifest>${items.join("")}</manifest><spine>${spine.map((name) => `<itemref idref="${name}"/>`).join("")}</spine></package>`,
		...Object.fromEntries(Object.entries(chapters).map(([name, body]) => [name, `<html><body>${body}</body></html>`])),
	});
}

/** The beginning of an OLE container, and the names of its streams. */
function oleOf(...streams: readonly string[]): Uint8Array {
	return Buffer.concat([Buffer.from(oleMark), Buffer.alloc(504), ...streams.map((name) => Buffer.from(name.padEnd(32, "\0"), "utf16le"))]);
}

/** The entry of this name in the place of the old one: it says a kilobyte, and is as many megabytes of blanks as asked. */
function bombed(archive: Uint8Array, name: string, megabytes: number): Uint8Array {
	const data = rawDeflateBomb(spaces, megabytes);
	const facts = Buffer.alloc(26);
	facts.writeUInt16LE(20, 0);
	facts.writeUInt16LE(8, 4);
	facts.writeUInt32LE(crc32(data), 10);
	facts.writeUInt32LE(data.length, 14);
	facts.writeUInt32LE(1_024, 18);
	facts.writeUInt16LE(name.length, 22);
	const bytes = Buffer.from(archive);
	const end = bytes.lastIndexOf("PK\x05\x06", bytes.length, "latin1");
	const start = bytes.readUInt32LE(end + 16);
	const where = Buffer.alloc(14);
	where.writeUInt32LE(start, 10);
	const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), facts, where, Buffer.from(name)]);
	const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), facts, Buffer.from(name), data]);
	const tail = Buffer.from(bytes.subarray(end));
	tail.writeUInt16LE(tail.readUInt16LE(8) + 1, 8);
	tail.writeUInt16LE(tail.readUInt16LE(10) + 1, 10);
	tail.writeUInt32LE(tail.readUInt32LE(12) + entry.length, 12);
	tail.writeUInt32LE(start + local.length, 16);
	return Buffer.concat([bytes.subarray(0, start), local, bytes.subarray(start, end), entry, tail]);
}

/** The directory's first entry again and again, under other names. */
function overlapping(archive: Uint8Array, times: number): Uint8Array {
	const bytes = Buffer.from(archive);
	const end = bytes.lastIndexOf("PK\x05\x06", bytes.length, "latin1");
	const start = bytes.readUInt32LE(end + 16);
	const nameLength = bytes.readUInt16LE(start + 28);
	const copies = Array.from({ length: times }, (_, at) => {
		const name = Buffer.from(`word/media/${at}`);
		const entry = Buffer.from(bytes.subarray(start, start + 46));
		entry.writeUInt16LE(name.length, 28);
		entry.writeUInt32LE(0, 30); // neither extra field nor comment
		return Buffer.concat([entry, name]);
	});
	const directory = Buffer.concat([bytes.subarray(start, end), ...copies]);
	const tail = Buffer.from(bytes.subarray(end));
	tail.writeUInt16LE(tail.readUInt16LE(8) + times, 8);
	tail.writeUInt16LE(tail.readUInt16LE(10) + times, 10);
	tail.writeUInt32LE(directory.length, 12);
	if (nameLength === 0) throw new Error("the archive has no entry to copy");
	return Buffer.concat([bytes.subarray(0, start), directory, tail]);
}

/** Every size in the directory says: look in the field for large files. */
function unsized(archive: Uint8Array): Uint8Array {
	const bytes = Buffer.from(archive);
	for (let at = bytes.indexOf("PK\x01\x02", 0, "latin1"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 4, "latin1")) {
		bytes.writeUInt32LE(0xffffffff, at + 20);
		bytes.writeUInt32LE(0xffffffff, at + 24);
	}
	return bytes;
}
