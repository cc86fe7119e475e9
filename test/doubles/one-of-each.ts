/** A small file for each engine that reads files, with words that are in it. */

import { gzipSync } from "node:zlib";
import type { MediaType } from "cairn-memory";
import { docOf } from "./doc-file.ts";
import { fixture } from "./fixture.ts";
import { pagesOf, textObject } from "./iwork-files.ts";
import { msgOf } from "./mail-files.ts";
import { matroskaOf } from "./matroska-file.ts";
import { docxOf, pptxOf, shape, sheetData, wordParagraph, xlsxOf } from "./office-files.ts";
import { pptOf } from "./ppt-file.ts";
import { sevenZips } from "./seven-zips.ts";
import { tarOf } from "./tar-of.ts";
import { xlsOf } from "./xls-file.ts";
import { zipOf } from "./zip-of.ts";

export interface SampleFile {
	readonly name: string;
	readonly mediaType: MediaType;
	readonly bytes: Uint8Array;
	readonly words: string;
}

const made = (name: string, mediaType: MediaType, content: Uint8Array | string, words: string): SampleFile => ({
	name,
	mediaType,
	bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
	words,
});
const kept = (name: string, mediaType: MediaType, words: string): SampleFile => made(name, mediaType, fixture(name), words);

const officeType = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}` as MediaType;
const odf = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>open to all</text:p></office:text></office:body></office:document-content>`;
const calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "SUMMARY:Dredging meeting", "DTSTART:20260504T090000Z", "END:VEVENT", "END:VCALENDAR"];
const book = {
	mimetype: "application/epub+zip",
	"META-INF/container.xml": '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
	"book.opf":
		'<package><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
	"c.xhtml": '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>told in a chapter</p></body></html>',
};

export const oneOfEach: readonly SampleFile[] = [
	kept("story.shift-jis.txt", "text/plain", "灯台守は"),
	kept("people.csv", "text/csv", "Ada Lovelace"),
	kept("guide.md", "text/markdown", "# The coast"),
	kept("article.html", "text/html", "# The keeper of storms"),
	kept("chat.json", "application/x-chat+json", "At seven, by the smell."),
	kept("mixed.pdf", "application/pdf", "The baker on the corner keeps seven clocks"),
	kept("strip.webp", "image/webp", "The lighthouse keeper wrote every storm"),
	kept("strip.avif", "image/avif", "The lighthouse keeper wrote every storm"),
	kept("strip.heic", "image/heic", "The lighthouse keeper wrote every storm"),
	made("story.docx", officeType("wordprocessingml.document"), docxOf({ body: wordParagraph("said in Word") }), "said in Word"),
	made("a.xlsx", officeType("spreadsheetml.sheet"), xlsxOf([{ name: "A", xml: sheetData([["in a cell"]]) }]), "in a cell"),
	made("a.pptx", officeType("presentationml.presentation"), pptxOf([{ shapes: shape(null, ["on a slide"]) }]), "on a slide"),
	made("a.odt", "application/vnd.oasis.opendocument.text", zipOf({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": odf }), "open to all"),
	made("a.doc", "application/msword", docOf({ body: [{ text: "said in an old Word" }] }), "said in an old Word"),
	made("a.xls", "application/vnd.ms-excel", xlsOf([{ name: "A", rows: [["in an old cell", 1]] }]), "in an old cell"),
	made("a.ppt", "application/vnd.ms-powerpoint", pptOf([{ title: "on an old slide" }]), "on an old slide"),
	made("a.pages", "application/vnd.apple.pages", pagesOf(textObject(1, "written on a Mac")), "written on a Mac"),
	made("a.epub", "application/epub+zip", zipOf(book), "told in a chapter"),
	made("a.ics", "text/calendar", calendar.join("\r\n"), "Dredging meeting"),
	made("a.srt", "application/x-subrip", "1\n00:00:01,000 --> 00:00:02,000\nsubtitled", "subtitled"),
	made(
		"a.mkv",
		"video/x-matroska",
		matroskaOf({ tracks: [{ type: "subtitles", codec: "S_TEXT/UTF8", isDeflated: true, cues: [{ begin: 0, end: 1, text: "in a track" }] }] }),
		"in a track",
	),
	made("a.rtf", "application/rtf", "{\\rtf1 rich}", "rich"),
	made("a.eml", "message/rfc822", "Subject: a\n\nsent by mail", "sent by mail"),
	made("a.msg", "application/vnd.ms-outlook", msgOf({ properties: { "1000": "kept by Outlook" } }), "kept by Outlook"),
	made("a.tgz", "application/gzip", gzipSync(tarOf({ "in/an/archive.txt": "a" })), "in/an/archive.txt"),
	made("a.7z", "application/x-7z-compressed", sevenZips.solid, "notes/tide.txt"),
	made("a.json", "application/json", '{"a":"in a field"}', "in a field"),
	made("a.xml", "text/xml", "<a><b>in an element</b></a>", "in an element"),
	made("a.ipynb", "application/x-ipynb+json", '{"cells":[{"cell_type":"markdown","source":"in a cell"}]}', "in a cell"),
	made("a.go", "text/x-go", "package main", "package main"),
];
