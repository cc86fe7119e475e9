/** Files are known by their content; their names and claims only choose among kinds of text. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { MediaType } from "../../../../core/model/media-type.ts";
import { detectMediaType } from "../../../../server/boot/formats/detect-media-type.ts";
import { formatName } from "../../../../server/boot/formats/known-formats.ts";
import { builtinSignatures } from "../../../doubles/builtin-signatures.ts";
import { unreadFiles } from "../../../doubles/unread-files.ts";

const typeOf = async (bytes: Uint8Array, fileName: string | null = null, claimed: MediaType | null = null): Promise<MediaType> =>
	(await detectMediaType({ bytes, fileName, claimed }, builtinSignatures)).type;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string, isBig: boolean): Uint8Array => {
	const bytes = Buffer.from(text, "utf16le");
	return new Uint8Array(isBig ? bytes.swap16() : bytes);
};
const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
	new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : [...part])));
const noise = (length: number): number[] => Array.from({ length }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256);

/** A ZIP's beginning: a local header for each name, nothing compressed inside. */
const zip = (...names: string[]): Uint8Array =>
	bytes(
		...names.flatMap((name) => ["PK\x03\x04", [20, 0, 0, 0, 8, 0], noise(4), noise(4), [9, 0, 0, 0], [9, 0, 0, 0], [name.length, 0, 0, 0], name, noise(9)]),
	);
const ole = (...streams: string[]): Uint8Array =>
	bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], noise(120), ...streams.map((name) => [...utf16(name, false)]));

const office = "application/vnd.openxmlformats-officedocument";
const srt = "1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n";
const html = "<!-- made by hand -->\n<!DOCTYPE html>\n<html><head><title>x</title></head><body>words</body></html>";
const prose = "Nothing special here, just a sentence or two.\nAnd another line of it.\n";
const png = bytes([0x89], "PNG\r\n", [0x1a, 0x0a, 0, 0, 0, 13], "IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 1, 2, 3, 4], [0, 0, 0, 0], "IDAT", noise(40));

type Case = readonly [what: string, head: Uint8Array, fileName: string | null, claimed: MediaType | null, expected: MediaType];

const cases: readonly Case[] = [
	// Bytes with a signature: the name does not matter.
	["a PNG", png, "a.png", null, "image/png"],
	["a PNG called text", png, "notes.txt", "text/plain", "image/png"],
	["a PDF without a name", bytes("%PDF-1.7\n%", [0xe2, 0xe3, 0xcf, 0xd3], "\n1 0 obj"), null, null, "application/pdf"],
	["a PDF of letters only", utf8("%PDF-1.4\n1 0 obj\n<< >>\nendobj\n"), "x.txt", null, "application/pdf"],
	["a PDF after junk", bytes("\r\nHTTP junk\r\n", "%PDF-1.4\n1 0 obj\n", noise(50)), "x", null, "application/pdf"],
	["a TIFF whose pages lie far behind", bytes("II*\0", [0x10, 0xdc, 1, 0], noise(200)), "scan.tif", null, "image/tiff"],
	["a TIFF of white", bytes("II*\0", [0xf6, 0xdc, 1, 0], Array(200).fill(0xff)), "scan.tif", null, "image/tiff"],
	["rich text", utf8("{\\rtf1\\ansi hello}"), "x.doc", null, "application/rtf"],
	["an MP4 with sound only, by its name", bytes([0, 0, 0, 24], "ftypisom", [0, 0, 2, 0], "isomiso2", noise(40)), "talk.m4a", null, "audio/mp4"],
	["the same as video", bytes([0, 0, 0, 24], "ftypisom", [0, 0, 2, 0], "isomiso2", noise(40)), "talk.mp4", null, "video/mp4"],

	// Words that begin like a signature.
	["prose about BMW", utf8("BMW is a maker of cars from Munich, and has been for long.\n"), "x.txt", null, "text/plain"],
	["prose about MZ", utf8("MZ was a maker of motorcycles.\n"), null, null, "text/plain"],
	["prose about ID3", utf8("ID3 is how music files are labelled.\n"), null, null, "text/plain"],
	["prose about GIF", utf8("GIF89a is a format of pictures.\n"), "about.gif", "image/gif", "text/plain"],
	["prose about PDF", utf8(`${prose}%PDF-1.4 is how each such file begins.\n`), null, null, "text/plain"],

	// Containers.
	["a DOCX by its folders", zip("[Content_Types].xml", "_rels/.rels", "word/document.xml"), null, null, `${office}.wordprocessingml.document`],
	["a DOCX called ZIP", zip("_rels/.rels", "word/document.xml"), "x.zip", null, `${office}.wordprocessingml.document`],
	["an XLSX", zip("_rels/.rels", "xl/workbook.xml"), "x", null, `${office}.spreadsheetml.sheet`],
	["a PPTX", zip("_rels/.rels", "ppt/presentation.xml"), "x", null, `${office}.presentationml.presentation`],
	["a DOCX whose folders lie behind, by its name", zip("docProps/app.xml"), "report.docx", null, `${office}.wordprocessingml.document`],
	["a ZIP of anything", zip("readme.txt", "b/c.bin"), "x.zip", null, "application/zip"],
	["an old Word file", ole("Root Entry", "WordDocument"), "x", null, "application/msword"],
	["an old Excel file called doc", ole("Root Entry", "Workbook"), "x.doc", null, "application/vnd.ms-excel"],
	["an old PowerPoint file by its name", ole(), "x.ppt", null, "application/vnd.ms-powerpoint"],
	["an encrypted DOCX", ole("EncryptionInfo"), "x.docx", null, `${office}.wordprocessingml.document`],
	["an encrypted office file without a name", ole("EncryptionInfo", "EncryptedPackage"), null, null, `${office}.wordprocessingml.document`],
	["an encrypted XLSX", ole("EncryptionInfo", "EncryptedPackage"), "x.xlsx", null, `${office}.spreadsheetml.sheet`],
	["an OLE file of anything", ole(), "x.bin", null, "application/x-cfb"],

	// By its directory, which lies behind everything.
	["a ZIP with a document of Word in it, not packed any further", zip("inner.zip/word/list", "a.txt"), "x.zip", null, "application/zip"],
	["a document of Word with macros, by its name", zip("docProps/app.xml"), "report.docm", null, `${office}.wordprocessingml.document`],
	["a template of OpenDocument by its name", zip("styles.xml"), "x.ott", null, "application/vnd.oasis.opendocument.text-template"],

	// Text that goes on as something else.
	["a script with a program behind it", bytes("#!/bin/sh\necho\n".repeat(700), noise(60_000)), "run.sh", null, "application/octet-stream"],
	["a mail with something in it that is no text", bytes("Subject: hi\n\nwords\n".repeat(600), noise(60_000)), "x.eml", null, "message/rfc822"],
	["a text with one scar", bytes(prose.repeat(300), noise(900), prose.repeat(300)), "x.txt", null, "text/plain"],
	["bytes of an old encoding without a blank or a line", bytes(Array(700).fill(0xc1)), "x.txt", null, "application/octet-stream"],

	// Unknown bytes.
	["noise", bytes(noise(600)), "x.bin", null, "application/octet-stream"],
	["noise called Markdown", bytes(noise(600)), "x.md", "text/markdown", "application/octet-stream"],
	["nothing but zeros", new Uint8Array(500), "x.txt", null, "application/octet-stream"],
	["nothing at all", new Uint8Array(0), "x.pdf", null, "text/plain"],

	// Text by its marks, whatever its name.
	["a page", utf8(html), "page.html", null, "text/html"],
	["a page called text", utf8(html), "page.txt", "text/plain", "text/html"],
	["a page called picture", utf8(html), "page.png", "image/png", "text/html"],
	[
		"XHTML",
		utf8('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x">\n<html xmlns="x"></html>'),
		null,
		null,
		"application/xhtml+xml",
	],
	["XML", utf8('<?xml version="1.0"?>\n<note>x</note>'), null, null, "text/xml"],
	["a feed without a declaration", utf8('<rss xmlns:dc="x" version="2.0"><channel>'), null, null, "text/xml"],
	["a drawing", utf8('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), "x.svg", null, "image/svg+xml"],
	["captions", utf8("WEBVTT - talk\n\n00:01.000 --> 00:02.000\nHi"), "x.txt", null, "text/vtt"],
	["subtitles", utf8(srt), "x.txt", null, "application/x-subrip"],
	["subtitles with a mark", bytes([0xef, 0xbb, 0xbf], srt.replaceAll("\n", "\r\n")), null, null, "application/x-subrip"],
	["JSON", utf8('{"a": [1, 2]}'), "x.txt", null, "application/json"],
	["JSON that is cut off", utf8(`[{"a": "${"x".repeat(5_000)}`), null, null, "application/json"],
	["JSON lines", utf8('{"a":1}\n{"a":2}\n'), "x.jsonl", null, "application/x-ndjson"],
	["a transcript", utf8('[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]'), "chat.json", null, "application/x-chat+json"],

	["a notebook", utf8('{"cells":[{"cell_type":"code","source":[]}],"nbformat":4}'), null, null, "application/x-ipynb+json"],
	["a notebook by its name", utf8('{"metadata":{"a":1}}'), "x.ipynb", null, "application/x-ipynb+json"],
	["a mail", utf8("Received: from a\r\n by b\r\nFrom: a@b.example\r\nSubject: hi\r\nMIME-Version: 1.0\r\n\r\nwords"), "x.txt", null, "message/rfc822"],
	["a mailbox", utf8("From a@b.example Mon Jan  1 10:00:00 2024\nSubject: hi\n\nwords"), null, null, "application/mbox"],
	["a memo that looks like a mail", utf8("From: Ada\nTo: Ben\nSubject: lunch\n\nAt noon?"), null, null, "text/plain"],

	// Text by its name.
	["a mail by its name", utf8("Subject: hi\n\nwords"), "x.eml", null, "message/rfc822"],
	["a program by its name", utf8("fn main() {}"), "main.rs", null, "text/x-rust"],
	["a program by its claim", utf8("let a = 1;"), null, "text/javascript", "text/x-javascript"],
	["a script by its first line", utf8("#!/usr/bin/env python3\nprint(1)\n"), "run", null, "text/x-python"],
	["a script by its first line, with an old path", utf8("#!/bin/bash -e\necho\n"), null, null, "text/x-bash"],
	["a program by its beginning", utf8("// words\npackage main\n\nfunc main() {}\n"), null, null, "text/x-go"],
	["settings", utf8("[a]\nb = 1\n"), "x.toml", null, "text/plain"],
	["Markdown", utf8("just words"), "x.md", null, "text/markdown"],
	["Markdown that begins with a tag", utf8('<p align="center">logo</p>\n\nwords'), "README.markdown", null, "text/markdown"],
	["Markdown that begins with a link", utf8("[site](https://example.com) and more"), "x.md", null, "text/markdown"],
	["a table", utf8("a,b\n1,2\n"), "x.csv", null, "text/csv"],
	["a table with tabs", utf8("a\tb\n1\t2\n"), "X.TSV", null, "text/tab-separated-values"],
	["a piece of a page", utf8("<div>words</div>"), "x.htm", null, "text/html"],
	["a program whose comments look like headings", utf8("# load\n\n# save\n\nimport os\n## more\n"), "x.py", null, "text/x-python"],
	["a picture's name on prose", utf8(prose), "x.jpg", "image/jpeg", "text/plain"],

	// Text by its claim, which counts among kinds of text only.
	["a claimed table", utf8("a,b\n1,2\n"), null, "text/csv", "text/csv"],
	["claimed Markdown by its old name", utf8("## words\n"), "x", "text/x-markdown", "text/markdown"],
	["a claim of something that is no text", utf8(prose), null, "application/pdf", "text/plain"],
	["a claim against a name", utf8("a,b\n1,2\n"), "x.csv", "text/plain", "text/csv"],

	// Text by its looks.
	["Markdown without a name", utf8("# Title\n\nwords\n\n- one\n- two\n"), null, null, "text/markdown"],
	["Markdown called text", utf8("Title\n=====\n\n* one\n* two\n"), "x.txt", "text/plain", "text/markdown"],
	["a piece of a page without a name", utf8("<h1>Title</h1><p>words</p>"), null, "application/octet-stream", "text/html"],
	["a talk", utf8("User: hi\nAssistant: hello\n"), "x.txt", null, "text/x-chat"],
	["prose", utf8(prose), null, null, "text/plain"],

	// Encodings.
	["UTF-16 without a mark, little end first", utf16(prose, false), "x.txt", null, "text/plain"],
	["UTF-16 without a mark, big end first", utf16("a,b\nnaïve,2\n", true), "x.csv", null, "text/csv"],
	["subtitles without numbers", utf8(srt.replace("1\n", "")), "x.txt", null, "application/x-subrip"],
	["SubStation Alpha", utf8("[Script Info]\r\nTitle: x\r\n"), "x.txt", null, "text/x-ssa"],
	["TTML", utf8('<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>'), "x.xml", null, "application/ttml+xml"],
	["lyrics by their name", utf8("[00:12.00]words\n"), "song.lrc", null, "text/x-lrc"],
	["a Matroska film", bytes([0x1a, 0x45, 0xdf, 0xa3, 0x93, 0x42, 0x82, 0x88], "matroska", noise(60)), "x.txt", null, "video/x-matroska"],
	["a WebM film called Matroska", bytes([0x1a, 0x45, 0xdf, 0xa3, 0x8f, 0x42, 0x82, 0x84], "webm", noise(60)), "x.mkv", null, "video/webm"],
	["an AVI film", bytes("RIFF", [0x10, 0x20, 1, 0], "AVI LIST", noise(60)), null, null, "video/x-msvideo"],
	["a wave", bytes("RIFF", [0x10, 0x20, 1, 0], "WAVEfmt ", [16, 0, 0, 0, 1, 0], noise(60)), null, null, "audio/wav"],
	["a FLAC", bytes("fLaC", [0, 0, 0, 34], noise(60)), null, null, "audio/flac"],
	["an Opus", bytes("OggS", [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 1, 19], "OpusHead", noise(60)), null, null, "audio/ogg"],
	["an Ogg of anything", bytes("OggS", [0, 2], noise(80)), null, null, "audio/ogg"],
	["an MP3 with a label", bytes("ID3", [3, 0, 0, 0, 0, 0, 10], noise(10), [0xff, 0xfb, 0x90, 0x44], noise(400)), "x.txt", null, "audio/mpeg"],
	["an MP3 without", bytes([0xff, 0xfb, 0x90, 0x44], noise(600)), null, null, "audio/mpeg"],
	["a QuickTime film", bytes([0, 0, 0, 20], "ftypqt  ", [0, 0, 2, 0], "qt  ", noise(40)), null, null, "video/quicktime"],
	["UTF-16 with a mark", bytes([0xff, 0xfe], [...utf16(srt, false)]), null, null, "application/x-subrip"],
	["Latin-1", bytes("na", [0xef], "ve caf", [0xe9], "\n", prose), null, null, "text/plain"],
	["Shift-JIS", bytes([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x82, 0xc5, 0x82, 0xb7, 0x81, 0x42, 0x0a]), "x.txt", null, "text/plain"],
	["text with a stray NUL", utf8(`${prose}\0${prose}`), null, null, "text/plain"],
	["UTF-8 cut within a character", utf8(`${"é".repeat(200)}`).subarray(0, 399), null, null, "text/plain"],
];

for (const [what, bytes, fileName, claimed, expected] of cases) {
	test(`${what} is ${expected}`, async () => {
		expect(await typeOf(bytes, fileName, claimed)).toBe(expected);
	});
}

test("answers something for any bytes and any name", async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.option(fc.string({ unit: "binary" })), async (bytes, fileName) => {
			expect(await typeOf(bytes, fileName)).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
		}),
		{ seed: 3, numRuns: 100 },
	);
});

test("answers something for damaged and cut containers", async () => {
	let state = 7;
	const next = (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // the generator of Numerical Recipes
		return (state >>> 8) % below;
	};
	for (const { bytes: whole, fileName } of unreadFiles) {
		for (let copy = 0; copy < 12; copy++) {
			const damaged = whole.slice(0, copy % 3 === 0 ? next(whole.length) : whole.length);
			for (let flip = 0; flip < 12 && damaged.length > 0; flip++) damaged[next(damaged.length)] = next(256);
			expect(await typeOf(damaged, fileName)).toMatch(/^[a-z]+\/[a-z0-9!#$&^_.+-]+$/);
		}
	}
});

test("a nasty beginning takes no time", async () => {
	const nasty = [
		"<".repeat(8_192),
		"<!--".repeat(2_048),
		`<${" ".repeat(8_000)}`,
		"{".repeat(8_192),
		`[${"{".repeat(8_000)}`,
		"<!doctype x[".repeat(600),
		"1\n".repeat(4_000),
		`{"a"${" ".repeat(8_000)}`,
	];
	for (const text of nasty) expect(await typeOf(utf8(text))).toBe("text/plain");
});

test("the list of what nobody reads names nothing that is read", () => {
	const read = new Set(builtinSignatures.all.map(({ mediaType }) => mediaType));
	expect([...read].filter((type) => type !== "application/x-cfb" && formatName(type) !== null)).toEqual([]);
	expect(read.size).toBeGreaterThan(60);
});

test.each<readonly [fileName: string, start: string, type: MediaType]>([
	["a.nxml", '<!DOCTYPE article\nPUBLIC "-//NLM//DTD JATS" "jats.dtd">\n<article><p>Words</p></article>', "text/xml"],
	["a", "<!DOCTYPE chapter>\n<chapter><para>Words</para></chapter>", "text/xml"],
	["a.docbook", "<para>Words</para>", "text/xml"],
	["a.xmp", '<?xpacket begin=""?>\n<x:xmpmeta/>', "text/xml"],
	["a", "<!DOCTYPE HTML>\n<p>Words</p>", "text/html"],
	[
		"a.fods",
		'<?xml version="1.0"?>\n<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet">',
		"application/vnd.oasis.opendocument.spreadsheet-flat-xml",
	],
	["a.emlx", "1795      \nFrom: a@b.example\nTo: c@d.example\nMessage-Id: <1>\n\nWords", "message/rfc822"],
	["a.vcs", "BEGIN:VCALENDAR\nVERSION:1.0\n", "text/calendar"],
	["solid.txt", "solid ground is what the keeper had under his feet.\nHe facet", "text/plain"],
	["a.txt", "0\nSections were empty", "text/plain"],
])("%s is told by how it begins", async (fileName, start, type) => {
	expect(await typeOf(utf8(start), fileName)).toBe(type);
});
