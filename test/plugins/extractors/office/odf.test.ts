/** The OpenDocument extractor: texts, spreadsheets and presentations, the contract tests. */

import { describe, expect, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { zipOf } from "../../../doubles/zip-of.ts";
import { baker, codeOf, extractorNamed, keeper, read, testContract } from "../samples.ts";

type Kind = "text" | "spreadsheet" | "presentation";
const typeOf = (kind: Kind) => `application/vnd.oasis.opendocument.${kind}` as const;
const start = () => extractorNamed(officePlugin(), "odf");

/** @param body what stands in `office:text` and its like. @param styles in `office:automatic-styles`. */
function odfOf(kind: Kind, body: string, styles = "", parts: Readonly<Record<string, string>> = {}): Uint8Array {
	const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
	return zipOf({ mimetype: typeOf(kind), "content.xml": content, ...parts });
}
const readOdf = async (kind: Kind, ...parts: [body: string, styles?: string, more?: Readonly<Record<string, string>>]) =>
	read(await start(), odfOf(kind, ...parts), typeOf(kind));
const textOf = async (...parts: Parameters<typeof readOdf>) => (await readOdf(...parts)).extraction.text;

const p = (text: string, style = "P") => `<text:p text:style-name="${style}">${text}</text:p>`;
const h = (level: number, text: string) => `<text:h text:outline-level="${level}">${text}</text:h>`;
const cell = (text: string, more = "") => `<table:table-cell ${more}>${p(text)}</table:table-cell>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join("")}</table:table-row>`;

describe("laws", () => {
	const words = ["The keeper", ...keeper, "The baker", ...baker].flatMap((text) => text.split(/\s+/));
	const text = odfOf("text", h(1, "The keeper") + keeper.map((line) => p(line)).join("") + h(2, "The baker") + baker.map((line) => p(line)).join(""));
	const sheet = odfOf("spreadsheet", `<table:table table:name="Towns">${row(cell("Town"), cell("Sum"))}${row(cell("Oslo"), cell("7"))}</table:table>`);
	testContract(start, [
		{ bytes: text, mediaType: typeOf("text"), fileName: "story.odt", words, headings: ["The keeper", "The baker"] },
		{ bytes: sheet, mediaType: typeOf("spreadsheet"), fileName: "towns.ods", words: ["Towns", "Town", "Sum", "Oslo", "7"], headings: ["Towns"] },
	]);
});

test("headings, titles, emphasis, links and blanks are read; deleted and hidden words are not", async () => {
	const styles = `<style:style style:name="P1" style:parent-style-name="Title"/><style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="H"><style:text-properties text:display="none"/></style:style>`;
	const body = `<text:tracked-changes><text:deletion>${p("gone")}</text:deletion></text:tracked-changes>${p("Report", "P1")}${h(2, "Part")}${p('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span text:style-name="B">bold</text:span> <text:span text:style-name="H">secret</text:span><text:a xlink:href="https://example.org/">site</text:a>')}`;
	const { extraction } = await readOdf("text", body, styles);
	expect(extraction.text).toBe("# Report\n\n## Part\n\na b c\nd **bold** [site](https://example.org/)");
	expect(extraction.title).toBe("Report");
});

test("lists nest, count, and go on", async () => {
	const styles = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2"/></text:list-style>`;
	const item = (inner: string) => `<text:list-item>${inner}</text:list-item>`;
	const body = `<text:list text:style-name="L">${item(`${p("one")}<text:list>${item(p("inner"))}</text:list>`)}${item(p("two"))}</text:list>${p("between")}<text:list text:style-name="L" text:continue-numbering="true">${item(p("three"))}</text:list>`;
	expect(await textOf("text", body, styles)).toBe("1. one\n  - inner\n2. two\n\nbetween\n\n3. three");
});

test("tables repeat merged cells and know their header", async () => {
	const body = `<table:table><table:table-header-rows>${row(cell("Town"), cell("Year"), cell("Sum"))}</table:table-header-rows>${row(cell("Oslo", 'table:number-rows-spanned="2"'), cell("both", 'table:number-columns-spanned="2"'), "<table:covered-table-cell/>")}${row("<table:covered-table-cell/>", cell("2024"), cell("5"))}</table:table>`;
	const { extraction } = await readOdf("text", body);
	expect(extraction.blocks.map(({ text }) => text)).toEqual(["Town: Oslo; Year: both; Sum: both", "Town: Oslo; Year: 2024; Sum: 5"]);
});

test("notes, comments, boxes, descriptions, charts and formulas are read", async () => {
	const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${p("Proof")}</text:note-body></text:note>`;
	const comment = `<office:annotation><dc:creator>Ada</dc:creator>${p("Sure?")}</office:annotation>`;
	const box = `<draw:frame><draw:text-box>${p("Boxed")}</draw:text-box></draw:frame>`;
	const picture = `<draw:frame><draw:image/><svg:desc>A harbour</svg:desc></draw:frame>`;
	const object = (path: string) => `<draw:frame><draw:object xlink:href="./${path}"/></draw:frame>`;
	const chart = `<office:document-content><office:body><office:chart><chart:chart><chart:title>${p("Sales")}</chart:title><table:table>${row(cell("Town"), cell("Sum"))}${row(cell("Oslo"), cell("7"))}</table:table></chart:chart></office:chart></office:body></office:document-content>`;
	const formula = "<math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac><annotation encoding='StarMath 5.0'>a over b</annotation></semantics></math>";
	const styles = `<office:document-styles><office:master-styles><style:master-page><style:header>${p("Secret project")}</style:header><style:footer>${p("7")}</style:footer></style:master-page></office:master-styles></office:document-styles>`;
	const parts = { "Object 1/content.xml": chart, "Object 2/content.xml": formula, "styles.xml": styles };
	expect(await textOf("text", p(`Claim${note}${comment}`) + p(box + picture + object("Object 1") + object("Object 2")), "", parts)).toBe(
		"Claim[^1]\n\nComment by Ada: Sure?\n\nBoxed\n\nA harbour\n\nSales\n\n| Town | Sum |\n| --- | --- |\n| Oslo | 7 |\n\n$$\\frac{a}{b}$$\n\n[^1]: Proof\n\nSecret project",
	);
});

test("numbers that are written as doubles are shown with the digits that count", async () => {
	const number = (value: string, text = "") => `<table:table-cell office:value-type="float" office:value="${value}">${text}</table:table-cell>`;
	const sheet = `<table:table table:name="A">${row(cell("Town"), cell("Sum"))}${row(cell("Oslo"), number("4.4000000000000004"))}</table:table>`;
	expect(await textOf("spreadsheet", sheet)).toContain("| Oslo | 4.4 |");
	const chart = `<office:document-content><office:body><office:chart><chart:chart><table:table>${row(cell("Town"), cell("Sum"))}${row(cell("Oslo"), number("0.30000000000000004", p("0.30000000000000004")))}</table:table></chart:chart></office:chart></office:body></office:document-content>`;
	const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
	expect(await textOf("text", p(object), "", { "Object 1/content.xml": chart })).toContain("| Oslo | 0.3 |");
});

test("a formula in a line is read where it stands, as LaTeX and as a line of text", async () => {
	const frame = '<draw:frame text:anchor-type="as-char"><draw:object xlink:href="./Object 1"/></draw:frame>';
	const formula = "<math display='block'><msup><mi>c</mi><mn>2</mn></msup></math>";
	const { extraction } = await readOdf("text", p(`Einstein multiplies by ${frame}, the square.`), "", { "Object 1/content.xml": formula });
	expect(extraction.text).toBe("Einstein multiplies by $c^{2}$, the square.");
	expect(extraction.blocks[0]?.text).toBe("Einstein multiplies by c^2, the square.");
});

test("sheets are read as shown, hidden ones marked, repeated and blank cells counted", async () => {
	const styles = `<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>`;
	const blank = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
	const annotated = `<table:table-cell office:value-type="float" office:value="4.5"><office:annotation><dc:creator>Bo</dc:creator>${p("Why?")}</office:annotation>${p("4,50 €")}</table:table-cell>`;
	const first = `<table:table table:name="Towns">${row(cell("Town"), cell("Sum"))}<table:table-row table:number-rows-repeated="2">${cell("Oslo")}${annotated}</table:table-row>${blank}</table:table>`;
	const second = `<table:table table:name="Old" table:style-name="ta2">${row(cell("left"), '<table:table-cell table:number-columns-repeated="3"/>', cell("right"))}</table:table>`;
	const { extraction } = await readOdf("spreadsheet", first + second, styles);
	expect(extraction.blocks.map(({ text }) => text)).toEqual([
		"Towns",
		"Town: Oslo; Sum: 4,50 €",
		"Town: Oslo; Sum: 4,50 €",
		"Comment by Bo: Why?",
		"Old (hidden sheet)",
		"left",
		"right",
	]);
	expect(extraction.blocks.slice(1, 3).map(({ place }) => place.row)).toEqual([2, 3]);
	expect(await codeOf(readOdf("spreadsheet", '<table:table table:name="Sheet1"/>'))).toBe("CONTENT_EMPTY");
});

test("slides have titles, notes and a number; hidden ones are marked", async () => {
	const styles = `<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`;
	const frame = (kind: string, inner: string) => `<draw:frame presentation:class="${kind}"><draw:text-box>${inner}</draw:text-box></draw:frame>`;
	const list = `<text:list><text:list-item>${p("point")}</text:list-item></text:list>`;
	const notes = `<presentation:notes>${frame("notes", p("Speak up"))}</presentation:notes>`;
	const foot = '<presentation:footer-decl presentation:name="f1">Owned by ACME</presentation:footer-decl>';
	const body = `${foot}<draw:page>${frame("outline", list)}${frame("title", p("First"))}${notes}</draw:page><draw:page draw:style-name="dp2">${frame("title", p("Second"))}</draw:page>`;
	const { extraction } = await readOdf("presentation", body, styles);
	expect(extraction.text).toBe("# First\n\n- point\n\nNotes: Speak up\n\n# Second (hidden slide)\n\nOwned by ACME");
	expect(extraction.blocks.map(({ place }) => place.slide)).toEqual([1, 1, 1, 2, undefined]);
});

test("a password, a missing part and facts about the file are known", async () => {
	const manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
	expect(await codeOf(readOdf("text", p("x"), "", { "META-INF/manifest.xml": manifest }))).toBe("FILE_ENCRYPTED");
	expect(await codeOf(read(await start(), zipOf({ mimetype: typeOf("text") }), typeOf("text")))).toBe("FILE_BROKEN");
	const meta =
		"<office:document-meta><office:meta><dc:title>Tea</dc:title><dc:description>On tea</dc:description><dc:language>en-GB</dc:language></office:meta></office:document-meta>";
	expect((await readOdf("text", p("x"), "", { "meta.xml": meta })).extraction).toMatchObject({ title: "Tea", description: "On tea", language: "en-GB" });
});
