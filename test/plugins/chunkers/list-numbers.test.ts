/** What a list is numbered by stays with its items, from the file to the chunk that a search shows. */

import { expect, test } from "bun:test";
import type { Plugin } from "cairn-memory";
import * as mupdf from "mupdf";
import paragraphs from "../../../plugins/chunkers/paragraphs.ts";
import epub from "../../../plugins/extractors/epub/index.ts";
import html from "../../../plugins/extractors/html/index.ts";
import mail from "../../../plugins/extractors/mail/index.ts";
import markdown from "../../../plugins/extractors/markdown/index.ts";
import notebook from "../../../plugins/extractors/notebook/index.ts";
import office from "../../../plugins/extractors/office/index.ts";
import pages from "../../../plugins/extractors/pages/index.ts";
import rtf from "../../../plugins/extractors/rtf/index.ts";
import { partOf } from "../../contract/start.ts";
import { docxOf, pptxOf, wordParagraph } from "../../doubles/office-files.ts";
import { createStep } from "../../doubles/step.ts";
import { zipOf } from "../../doubles/zip-of.ts";
import { extractorNamed, read } from "../extractors/samples.ts";

type MediaType = Parameters<typeof read>[2];

async function chunked(plugin: Plugin, name: string, content: Uint8Array | string, mediaType: MediaType): Promise<string> {
	const { extraction } = await read(await extractorNamed(plugin, name), content, mediaType);
	const chunker = await partOf(paragraphs(), "chunker");
	const drafts = await chunker.chunk(extraction, { charactersMax: 2_000 }, createStep());
	return drafts.map(({ text }) => text).join("\n\n");
}

const page = "<ol start='3'><li>boots<ol type='a'><li>laces</li></ol></li><li value='9'>lamp</li></ol><ol reversed><li>two</li><li>one</li></ol>";
const pageText = "3. boots\n  a. laces\n9. lamp\n2. two\n1. one";

test("Markdown, in a file and in a notebook", async () => {
	const text = "3. boots\n4. lamp\n   1. oil\n   - wick\n5. rope\n\nThen:\n\n- [x] done\n";
	const said = "3. boots\n4. lamp\n  1. oil\n  - wick\n5. rope\n\nThen:\n\n- [x] done";
	expect(await chunked(markdown(), "markdown", text, "text/markdown")).toBe(said);
	const cells = [{ cell_type: "markdown", source: text }];
	expect(await chunked(notebook(), "notebook", JSON.stringify({ nbformat: 4, metadata: {}, cells }), "application/x-ipynb+json")).toBe(said);
});

test("a page, an e-book and a letter with `start`, `value`, `reversed` and `type`", async () => {
	expect(await chunked(html(), "html", `<body>${page}</body>`, "text/html")).toBe(pageText);
	const book = zipOf({
		mimetype: "application/epub+zip",
		"META-INF/container.xml": '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
		"book.opf":
			'<package><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
		"c.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><body>${page.replace("<ol reversed>", '<ol reversed="reversed">')}</body></html>`,
	});
	expect(await chunked(epub(), "epub", book, "application/epub+zip")).toContain(pageText);
	const letter = `Subject: Things\nContent-Type: text/html\n\n${page}\n`;
	expect(await chunked(mail(), "mail", letter, "message/rfc822")).toContain(pageText);
});

test("Word, OpenDocument and slides", async () => {
	const level = (at: number, format: string, template: string) =>
		`<w:lvl w:ilvl="${at}"><w:start w:val="4"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${template}"/></w:lvl>`;
	const numbering = `<w:numbering><w:abstractNum w:abstractNumId="7">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "%2)")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
	const item = (depth: number, text: string) => wordParagraph(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`);
	const docx = docxOf({ body: item(0, "boots") + item(1, "laces") + item(0, "lamp"), parts: { "numbering.xml": numbering } });
	const type = "application/vnd.openxmlformats-officedocument";
	expect(await chunked(office(), "docx", docx, `${type}.wordprocessingml.document`)).toBe("4. boots\n  d) laces\n5. lamp");

	const styles = '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>';
	const items = ["boots", "lamp"].map((text) => `<text:list-item><text:p>${text}</text:p></text:list-item>`).join("");
	const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text><text:list text:style-name="L">${items}</text:list></office:text></office:body></office:document-content>`;
	const odt = zipOf({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": content });
	expect(await chunked(office(), "odf", odt, "application/vnd.oasis.opendocument.text")).toBe("1. boots\n2. lamp");

	const line = (text: string) => `<a:p><a:pPr lvl="0"><a:buAutoNum type="romanUcPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
	const slides = pptxOf([{ shapes: `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>${line("boots")}${line("lamp")}</p:txBody></p:sp>` }]);
	expect(await chunked(office(), "pptx", slides, `${type}.presentationml.presentation`)).toBe("I. boots\nII. lamp");
});

test("RTF and PDF", async () => {
	const item = (mark: string, text: string, depth = 0) => `{\\listtext\\pard\\plain ${mark}\\tab}\\ilvl${depth} ${text}\\par `;
	const body = `{\\rtf1\\ansi\\ansicpg1252 ${item("7.", "boots")}${item("a)", "laces", 1)}${item("8.", "lamp")}}`;
	expect(await chunked(rtf(), "rtf", body, "application/rtf")).toBe("7. boots\n  a) laces\n8. lamp");

	const pdf = new mupdf.PDFDocument();
	const fonts = pdf.addObject({ Font: { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")) } });
	const lines = ["Take all of these things along to the harbour in the morning.", "1. Boots of rubber", "2. A lamp with oil"];
	const drawn = lines.map((text, at) => `BT /F1 10 Tf 60 ${742 - at * 20} Td (${text}) Tj ET`);
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, fonts, drawn.join("\n")));
	const file = pdf.saveToBuffer("").asUint8Array();
	expect(await chunked(pages(), "pdf", file, "application/pdf")).toEndWith("1. Boots of rubber\n2. A lamp with oil");
});
