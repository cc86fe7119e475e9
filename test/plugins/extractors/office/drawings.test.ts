/** Drawings: Visio since 2013, OpenDocument packed and flat. The words of the shapes are read, page after page. */

import { describe, expect, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { vsdxOf } from "../../../doubles/office-files.ts";
import { zipOf } from "../../../doubles/zip-of.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const visio = "application/vnd.ms-visio.drawing";
const odf = "application/vnd.oasis.opendocument";
const startVisio = () => extractorNamed(officePlugin(), "vsdx");
const startOdf = () => extractorNamed(officePlugin(), "odf");
const utf8 = (text: string) => new TextEncoder().encode(text);

const shapes = `<Shape><Text><cp IX="0"/>Approve the plan</Text><Shapes><Shape><Text>by <fld IX="0">Ada</fld></Text></Shape></Shapes></Shape><Shape><Text/></Shape>`;
const flatOf = (kind: string, body: string, head = "") =>
	`<?xml version="1.0"?>\n<office:document xmlns:office="urn:o" office:version="1.3" office:mimetype="${odf}.${kind}">${head}<office:body>${body}</office:body></office:document>`;
const drawing = `<office:drawing><draw:page draw:name="page1"><draw:custom-shape><text:p>The lock</text:p></draw:custom-shape><draw:g><draw:rect><text:p>The gate</text:p></draw:rect></draw:g></draw:page><draw:page><draw:frame><draw:text-box><text:p>The weir</text:p></draw:text-box></draw:frame></draw:page></office:drawing>`;
const sheet = `<office:spreadsheet><table:table table:name="Towns"><table:table-row><table:table-cell><text:p>Town</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Oslo</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`;

describe("laws of Visio", () => {
	testContract(startVisio, [
		{ bytes: vsdxOf(["r1"], shapes, ["Plan"]), mediaType: visio, fileName: "a.vsdx", words: ["Approve", "the", "plan", "by", "Ada"], headings: ["Plan"] },
	]);
});

describe("laws of flat OpenDocument", () => {
	testContract(startOdf, [
		{
			bytes: utf8(flatOf("spreadsheet", sheet)),
			mediaType: `${odf}.spreadsheet-flat-xml`,
			fileName: "a.fods",
			words: ["Towns", "Town", "Oslo"],
			headings: ["Towns"],
		},
		{
			bytes: utf8(flatOf("graphics", drawing)),
			mediaType: `${odf}.graphics-flat-xml`,
			fileName: "a.fodg",
			words: ["The", "lock", "gate", "weir"],
			headings: [],
		},
	]);
});

test("a page of Visio that is listed twice is read once; one that is missing is left out", async () => {
	const { extraction } = await read(await startVisio(), vsdxOf(["r1", "r9", "r1"], shapes), visio);
	expect(extraction.text).toBe("# Page-1\n\nApprove the plan\n\nby Ada");
	expect(extraction.blocks[1]?.place.page).toBe(1);
	expect(await codeOf(read(await startVisio(), vsdxOf(["r1"], "<Shape/>"), visio))).toBe("CONTENT_EMPTY");
});

test("a drawing is read the same, packed and flat", async () => {
	const packed = zipOf({
		mimetype: `${odf}.graphics`,
		"content.xml": `<office:document-content><office:body>${drawing}</office:body></office:document-content>`,
	});
	for (const [bytes, type] of [
		[packed, `${odf}.graphics`],
		[utf8(flatOf("graphics", drawing)), `${odf}.graphics-flat-xml`],
	] as const) {
		const { extraction } = await read(await startOdf(), bytes, type);
		expect(extraction.text).toBe("The lock\n\nThe gate\n\nThe weir");
		expect(extraction.blocks.map(({ place }) => place.page)).toEqual([1, 1, 2]);
	}
});

test("a flat document has its title, its styles and none of the pictures in it", async () => {
	const head = `<office:meta><dc:title>Report</dc:title></office:meta><office:automatic-styles><style:style style:name="H"><style:text-properties text:display="none"/></style:style></office:automatic-styles>`;
	const picture = `<draw:frame><draw:image><office:binary-data>${"iVBORw0KGgoAAAANSUhEUg".repeat(100)}</office:binary-data></draw:image></draw:frame>`;
	const body = `<office:text><text:p>Words.<text:span text:style-name="H">secret</text:span></text:p><text:p>${picture}</text:p></office:text>`;
	const { extraction } = await read(await startOdf(), utf8(flatOf("text", body, head)), `${odf}.text-flat-xml`);
	expect([extraction.title, extraction.text]).toEqual(["Report", "Words."]);
});

test("a flat document that is cut off is read as far as it goes, with a remark", async () => {
	const { extraction, step } = await read(await startOdf(), utf8(flatOf("graphics", drawing).slice(0, -150)), `${odf}.graphics-flat-xml`);
	expect(extraction.text).toContain("The lock");
	expect(step.warnings.map(({ code }) => code)).toEqual(["PART_DAMAGED"]);
});
