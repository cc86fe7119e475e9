/** Every engine in the real sandbox: imports, readable files and the closed network are as the children have them. */

import { afterAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { MediaType, Plugin } from "cairn-memory";
import archivePlugin from "../../../plugins/extractors/archive/index.ts";
import chatPlugin from "../../../plugins/extractors/chat/index.ts";
import codePlugin from "../../../plugins/extractors/code/index.ts";
import csvPlugin from "../../../plugins/extractors/csv/index.ts";
import htmlPlugin from "../../../plugins/extractors/html/index.ts";
import jsonPlugin from "../../../plugins/extractors/json/index.ts";
import mailPlugin from "../../../plugins/extractors/mail/index.ts";
import markdownPlugin from "../../../plugins/extractors/markdown/index.ts";
import mediaPlugin from "../../../plugins/extractors/media/index.ts";
import notebookPlugin from "../../../plugins/extractors/notebook/index.ts";
import officePlugin from "../../../plugins/extractors/office/index.ts";
import pagesPlugin from "../../../plugins/extractors/pages/index.ts";
import rtfPlugin from "../../../plugins/extractors/rtf/index.ts";
import textPlugin from "../../../plugins/extractors/text/index.ts";
import xmlPlugin from "../../../plugins/extractors/xml/index.ts";
import { createSandbox } from "../../../server/boot/sandbox/create-sandbox.ts";
import { createHost, createStep, sourceOf, startExtractors } from "../../doubles/extractor-host.ts";
import { fixture } from "../../doubles/fixture.ts";
import { healthyPdf, hostilePdfs } from "../../doubles/hostile/hostile-pdfs.ts";
import { msgOf } from "../../doubles/mail-files.ts";
import { matroskaOf } from "../../doubles/matroska-file.ts";
import { docxOf, pptxOf, shape, sheetData, wordParagraph, xlsxOf } from "../../doubles/office-files.ts";
import { tarOf } from "../../doubles/tar-of.ts";
import { codeOf } from "./samples.ts";

const sandbox = createSandbox({ log: () => undefined, processesMax: 1 });
afterAll(() => sandbox.close());

async function extract(plugin: Plugin, name: string, mediaType: MediaType, signal?: AbortSignal) {
	const extractors = await startExtractors(plugin, createHost(sandbox));
	const extractor = extractors.find(({ accepts }) => accepts.includes(mediaType));
	if (extractor === undefined) throw new Error(`nothing reads ${mediaType}`);
	const step = createStep(signal);
	return { extraction: await extractor.extract(sourceOf(fixture(name), mediaType), step), step };
}

test.each([
	["story.shift-jis.txt", "text/plain", textPlugin(), "灯台守は"],
	["people.csv", "text/csv", csvPlugin(), "Ada Lovelace"],
	["guide.md", "text/markdown", markdownPlugin(), "# The coast"],
	["article.html", "text/html", htmlPlugin(), "# The keeper of storms"],
	["chat.json", "application/x-chat+json", chatPlugin(), "**user:** When"],
	["mixed.pdf", "application/pdf", pagesPlugin(), "The baker on the corner keeps seven clocks"],
	["strip.webp", "image/webp", pagesPlugin(), "The lighthouse keeper wrote every storm"],
	["strip.avif", "image/avif", pagesPlugin(), "The lighthouse keeper wrote every storm"],
	["strip.heic", "image/heic", pagesPlugin(), "The lighthouse keeper wrote every storm"],
] as const)("%s is read in a child", async (name, mediaType, plugin, words) => {
	const { extraction } = await extract(plugin, name, mediaType);
	expect(extraction.text).toContain(words);
});

test.each([
	[
		"story.docx",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		officePlugin(),
		docxOf({ body: wordParagraph("said in Word") }),
		"said in Word",
	],
	[
		"a.xlsx",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		officePlugin(),
		xlsxOf([{ name: "A", xml: sheetData([["in a cell"]]) }]),
		"in a cell",
	],
	[
		"a.pptx",
		"application/vnd.openxmlformats-officedocument.presentationml.presentation",
		officePlugin(),
		pptxOf([{ shapes: shape(null, ["on a slide"]) }]),
		"on a slide",
	],
	["a.srt", "application/x-subrip", mediaPlugin(), new TextEncoder().encode("1\n00:00:01,000 --> 00:00:02,000\nsubtitled"), "subtitled"],
	[
		"a.mkv",
		"video/x-matroska",
		mediaPlugin(),
		matroskaOf({ tracks: [{ type: "subtitles", codec: "S_TEXT/UTF8", isDeflated: true, cues: [{ begin: 0, end: 1, text: "in a track" }] }] }),
		"in a track",
	],
	["a.rtf", "application/rtf", rtfPlugin(), new TextEncoder().encode("{\\rtf1 rich}"), "rich"],
	["a.eml", "message/rfc822", mailPlugin(), new TextEncoder().encode("Subject: a\n\nsent by mail"), "sent by mail"],
	["a.msg", "application/vnd.ms-outlook", mailPlugin(), msgOf({ properties: { "1000": "kept by Outlook" } }), "kept by Outlook"],
	["a.tgz", "application/gzip", archivePlugin(), gzipSync(tarOf({ "in/an/archive.txt": "a" })), "in/an/archive.txt"],
	["a.json", "application/json", jsonPlugin(), new TextEncoder().encode('{"a":"in a field"}'), "in a field"],
	["a.xml", "text/xml", xmlPlugin(), new TextEncoder().encode("<a><b>in an element</b></a>"), "in an element"],
	["a.ipynb", "application/x-ipynb+json", notebookPlugin(), new TextEncoder().encode('{"cells":[{"cell_type":"markdown","source":"in a cell"}]}'), "in a cell"],
	["a.go", "text/x-go", codePlugin(), new TextEncoder().encode("package main"), "package main"],
] as const)("%s is read in a child", async (_, mediaType, plugin, bytes, words) => {
	const extractors = await startExtractors(plugin, createHost(sandbox));
	const extraction = await extractors.find(({ accepts }) => accepts.includes(mediaType))?.extract(sourceOf(bytes, mediaType), createStep());
	expect(extraction?.text).toContain(words);
});

test("errors and progress arrive", async () => {
	expect(await codeOf(extract(pagesPlugin(), "encrypted.pdf", "application/pdf"))).toBe("FILE_ENCRYPTED");
	const { step } = await extract(pagesPlugin(), "letter.pdf", "application/pdf");
	expect(step.reports.at(-1)).toMatchObject({ total: 2, unit: "page" });
});

test("no file spoils the next: not one that runs over the stack of its reader", async () => {
	const [pdf] = await startExtractors(pagesPlugin(), createHost(sandbox));
	for (const make of [hostilePdfs.exponentialForms, hostilePdfs.deepPageTree, hostilePdfs.exponentialForms]) {
		await codeOf(Promise.resolve(pdf?.extract(sourceOf(make(), "application/pdf"), createStep(AbortSignal.timeout(2_000)))));
		const next = await pdf?.extract(sourceOf(healthyPdf("Safe and sound"), "application/pdf"), createStep());
		expect(next?.text).toBe("Safe and sound");
	}
}, 120_000);

test("OCR under way is stopped by the signal", async () => {
	const controller = new AbortController();
	setTimeout(() => controller.abort(new Error("enough")), 150);
	await expect(extract(pagesPlugin(), "scan.pdf", "application/pdf", controller.signal)).rejects.toThrow();
});
