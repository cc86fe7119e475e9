/** The EPUB extractor: the order of chapters, names from the table of contents, XHTML, locked and missing chapters, the contract tests. */

import { describe, expect, test } from "bun:test";
import epubPlugin from "../../../plugins/extractors/epub/index.ts";
import { zipOf } from "../../doubles/zip-of.ts";
import { baker, codeOf, extractorNamed, keeper, read, testContract } from "./samples.ts";

const mediaType = "application/epub+zip";
const start = () => extractorNamed(epubPlugin(), "epub");

const page = (body: string) => `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script/></head><body>${body}</body></html>`;

/** Chapters by the name of their file, listed in the order of the record. */
function epubOf(chapters: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}, items = "", metadata = ""): Uint8Array {
	const names = Object.keys(chapters);
	const listed = names.map((name, index) => `<item id="c${index}" href="text/${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`);
	const spine = names.map((_, index) => `<itemref idref="c${index}"/>`);
	return zipOf({
		mimetype: mediaType,
		"META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
		...Object.fromEntries(
			Object.entries(chapters)
				.toReversed()
				.map(([name, xml]) => [`OEBPS/text/${name}`, xml]),
		),
		"OEBPS/book.opf": `<package><metadata>${metadata}</metadata><manifest>${listed.join("")}${items}</manifest><spine toc="ncx">${spine.join("")}</spine></package>`,
		...more,
	});
}
const readEpub = async (...parts: Parameters<typeof epubOf>) => read(await start(), epubOf(...parts), mediaType);

describe("laws", () => {
	const chapter = (title: string, lines: readonly string[]) => page(`<h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join("")}`);
	const bytes = epubOf({ "z.xhtml": chapter("The keeper", keeper), "a.xhtml": chapter("The baker", baker) });
	const words = ["The keeper", ...keeper, "The baker", ...baker].flatMap((text) => text.split(/\s+/));
	testContract(start, [{ bytes, mediaType, fileName: "stories.epub", words, headings: ["The keeper", "The baker"] }]);
});

test("chapters come in the order of the spine, and elements closed at once do not swallow the text", async () => {
	const first = page('<h1>One<a id="x"/></h1><p>caf&eacute;<br/>bar <b>bold</b></p><aside>a note</aside><ul><li>item</li></ul>');
	const { extraction, step } = await readEpub(
		{ "two words.xhtml": first, "a.xhtml": page("<p>end</p>") },
		{},
		"",
		"<dc:title>Tea</dc:title><dc:language>en</dc:language><dc:description>&lt;p&gt;On tea&lt;/p&gt;</dc:description>",
	);
	expect(extraction.text).toBe("# One\n\ncafé\nbar **bold**\n\na note\n\n- item\n\nend");
	expect(extraction).toMatchObject({ title: "Tea", language: "en", description: "On tea", type: "text" });
	expect(step.reports.at(-1)).toEqual({ done: 2, total: 2, unit: "chapter" });
});

test.each([
	[
		"EPUB 3",
		'<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
		"OEBPS/nav.xhtml",
		page('<nav epub:type="toc"><ol><li><a href="text/a.xhtml#top">The start</a></li></ol></nav>'),
	],
	[
		"EPUB 2",
		'<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
		"OEBPS/toc.ncx",
		'<ncx><navMap><navPoint><navLabel><text>The start</text></navLabel><content src="text/a.xhtml"/></navPoint></navMap></ncx>',
	],
])("a chapter without a heading is called as the contents of %s call it", async (_, items, path, contents) => {
	const { extraction } = await readEpub({ "a.xhtml": page("<p>words</p>"), "b.xhtml": page("<h2>Own</h2>") }, { [path]: contents }, items);
	expect(extraction.text).toBe("# The start\n\nwords\n\n## Own");
});

test("links within the book are words, links out of it are links", async () => {
	const body = '<p><a href="b.xhtml#x">inside</a> <a href="https://example.org/">outside</a> <img src="cover.png" alt="Cover"/></p>';
	expect((await readEpub({ "a.xhtml": page(body) })).extraction.text).toBe("inside [outside](https://example.org/) Cover");
});

test("a missing chapter is remarked, a locked one is an error", async () => {
	const { extraction, step } = await readEpub(
		{ "a.xhtml": page("<p>kept</p>") },
		{
			"OEBPS/book.opf":
				'<package><manifest><item id="a" href="text/a.xhtml"/><item id="b" href="none.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/><itemref idref="a"/></spine></package>',
		},
	);
	expect(extraction.text).toBe("kept");
	expect(step.warnings.map(({ code }) => code)).toEqual(["CHAPTER_MISSING"]);
	const locked = (uri: string) => ({
		"META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
	});
	expect(await codeOf(readEpub({ "a.xhtml": page("<p>x</p>") }, locked("OEBPS/text/a.xhtml")))).toBe("FILE_ENCRYPTED");
	expect(await codeOf(readEpub({ "a.xhtml": page("<p>x</p>") }, locked("OEBPS/font.otf")))).toBe("none");
	expect(await codeOf(read(await start(), zipOf({ mimetype: mediaType }), mediaType))).toBe("FILE_BROKEN");
	expect(await codeOf(readEpub({}))).toBe("CONTENT_EMPTY");
});
