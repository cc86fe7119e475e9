/** The DOCX extractor: headings, lists, tables, notes, changes, fields, boxes, the contract tests. */

import { describe, expect, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { type DocxParts, docxOf, wordParagraph } from "../../../doubles/office-files.ts";
import { baker, codeOf, extractorNamed, keeper, read, testContract } from "../samples.ts";

const mediaType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const start = () => extractorNamed(officePlugin(), "docx");
const readDocx = async (parts: DocxParts) => read(await start(), docxOf(parts), mediaType);
const textOf = async (parts: DocxParts) => (await readDocx(parts)).extraction.text;

const style = (id: string, name: string, more = "") => `<w:style w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
const styles = `<w:styles>${style("berschrift1", "heading 1")}${style("Titel", "Title")}${style("Own", "Our chapters", '<w:basedOn w:val="Two"/>')}${style("Two", "Section", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>')}</w:styles>`;
const styled = (id: string, text: string) => wordParagraph(text, `<w:pStyle w:val="${id}"/>`);
const run = (text: string, format = "") => `<w:r><w:rPr>${format}</w:rPr><w:t>${text}</w:t></w:r>`;
const cell = (text: string, format = "") => `<w:tc><w:tcPr>${format}</w:tcPr>${wordParagraph(text)}</w:tc>`;
const row = (cells: string, format = "") => `<w:tr><w:trPr>${format}</w:trPr>${cells}</w:tr>`;

describe("laws", () => {
	const body = [
		styled("berschrift1", "The keeper"),
		...keeper.map((text) => wordParagraph(text)),
		styled("Own", "The baker"),
		...baker.map((text) => wordParagraph(text)),
	];
	const words = ["The keeper", ...keeper, "The baker", ...baker].flatMap((text) => text.split(/\s+/));
	const bytes = docxOf({ body: body.join(""), parts: { "styles.xml": styles } });
	testContract(start, [{ bytes, mediaType, fileName: "story.docx", words, headings: ["The keeper", "The baker"] }]);
});

test("headings are known by style, by a style it is based on, and by their own level", async () => {
	const own = wordParagraph("Deep", '<w:outlineLvl w:val="4"/>');
	const none = wordParagraph("Plain", '<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>');
	const body = styled("Titel", "Report") + styled("berschrift1", "Eins") + styled("Own", "Zwei") + own + none;
	const { extraction } = await readDocx({ body, parts: { "styles.xml": styles } });
	expect(extraction.text).toBe("# Report\n\n# Eins\n\n## Zwei\n\n##### Deep\n\nPlain");
	expect(extraction.title).toBe("Report");
	expect(extraction.blocks.at(-1)?.headings).toEqual(["Eins", "Zwei", "Deep"]);
});

describe("lists", () => {
	const level = (index: number, format: string, template: string) =>
		`<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${template}"/></w:lvl>`;
	const numbering = `<w:numbering>
		<w:abstractNum w:abstractNumId="7">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "%1.%2)")}</w:abstractNum>
		<w:abstractNum w:abstractNumId="8">${level(0, "bullet", "\u00b7")}</w:abstractNum>
		<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
		<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>
		<w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`;
	const item = (list: number, depth: number, text: string) => wordParagraph(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`);

	test("are counted over all lists of one definition, and begin anew where the file says so", async () => {
		const body = item(1, 0, "one") + item(1, 1, "inner") + item(2, 0, "dot") + item(3, 0, "two") + item(4, 0, "again");
		expect(await textOf({ body, parts: { "numbering.xml": numbering } })).toBe("1. one\n  1.a) inner\n- dot\n2. two\n1. again");
	});

	test("number headings too, and list 0 is none", async () => {
		const heading = wordParagraph("Scope", '<w:pStyle w:val="berschrift1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
		expect(await textOf({ body: heading + item(0, 0, "free"), parts: { "numbering.xml": numbering, "styles.xml": styles } })).toBe("# 1. Scope\n\nfree");
		const table = `<w:tbl>${row(`<w:tc>${item(1, 0, "boil")}${item(1, 0, "pour")}</w:tc>${cell("Tea")}`)}</w:tbl>`;
		expect(await textOf({ body: table, parts: { "numbering.xml": numbering } })).toEndWith("| 1. boil 2. pour | Tea |");
	});
});

describe("tables", () => {
	test("repeat merged cells, drop deleted rows and know their header", async () => {
		const rows = [
			row(cell("Town") + cell("2023") + cell("2024"), "<w:tblHeader/>"),
			row(cell("Oslo", '<w:vMerge w:val="restart"/>') + cell("both", '<w:gridSpan w:val="2"/>')),
			row(cell("", "<w:vMerge/>") + cell("1") + cell("2")),
			row(cell("gone") + cell("3") + cell("4"), "<w:del/>"),
		];
		const { extraction } = await readDocx({ body: `<w:tbl>${rows.join("")}</w:tbl>` });
		expect(extraction.blocks.map(({ text }) => text)).toEqual(["Town: Oslo; 2023: both; 2024: both", "Town: Oslo; 2023: 1; 2024: 2"]);
	});

	test("in tables are read inside their cell, a table of one cell is text", async () => {
		const inner = `<w:tbl>${row(cell("a") + cell("b"))}</w:tbl>`;
		const outer = `<w:tbl>${row(`<w:tc>${inner}</w:tc>${cell("c")}`)}</w:tbl>`;
		expect((await readDocx({ body: outer })).extraction.blocks.map(({ text }) => text)).toEqual(["a; b; c"]);
		expect(await textOf({ body: `<w:tbl>${row(cell("framed"))}</w:tbl>` })).toBe("framed");
	});
});

test("what was inserted stays, what was deleted or hidden goes, codes of fields are not shown", async () => {
	const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://example.org/a(b)"</w:instrText></w:r>${run("secret")}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run("here")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
	const body = `<w:p>${run("Old ")}<w:ins>${run("new ")}</w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom>${run("away")}</w:moveFrom>${run("hidden", "<w:vanish/>")}${run("look ")}${field}</w:p>`;
	const { extraction } = await readDocx({ body });
	expect(extraction.blocks[0]?.text).toBe("Old new look here");
	expect(extraction.text).toBe("Old new look [here](https://example.org/a%28b%29)");
});

test("marks join over runs; symbols, hyphens and links are read", async () => {
	const body = `<w:p>${run("bo", "<w:b/>")}${run("ld", '<w:b w:val="1"/>')}${run(" plain", '<w:b w:val="0"/>')}<w:r><w:t>co</w:t><w:softHyphen/><w:t>op</w:t><w:noBreakHyphen/><w:t>x </w:t><w:sym w:font="Symbol" w:char="F061"/></w:r> <w:hyperlink r:id="l1">${run("site")}</w:hyperlink></w:p>`;
	expect(await textOf({ body, relations: { l1: ["hyperlink", "https://example.org/"] } })).toBe("**bold** plaincoop-x α[site](https://example.org/)");
});

test("notes and comments stand at the end, marked, and each once, even when they name each other", async () => {
	const mark = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
	const { extraction } = await readDocx({
		body: `<w:p>${run("Claim")}${mark(2)}<w:r><w:commentReference w:id="0"/></w:r></w:p>`,
		parts: {
			"footnotes.xml": `<w:footnotes><w:footnote w:id="2"><w:p>${run("Proof")}${mark(2)}${mark(3)}</w:p></w:footnote><w:footnote w:id="3">${wordParagraph("More")}</w:footnote></w:footnotes>`,
			"comments.xml": `<w:comments><w:comment w:id="0" w:author="Ada">${wordParagraph("Really?")}</w:comment></w:comments>`,
			"header1.xml": `<w:hdr>${wordParagraph("Secret project")}</w:hdr>`,
			"header2.xml": `<w:hdr>${wordParagraph("Secret project")}</w:hdr>`,
			"footer1.xml": `<w:ftr>${wordParagraph("12")}</w:ftr>`,
		},
	});
	expect(extraction.text).toBe("Claim[^1]\n\n[^1]: Proof[^1][^2]\n\n[^2]: More\n\nComment by Ada: Really?\n\nSecret project");
});

test.each([
	["harbour_at_night.png", ""],
	["Picture 3", ""],
	["Grafik 12", ""],
	["A picture of 3 ships", "A picture of 3 ships"],
	["notes.docx", "notes.docx"],
])("a picture called %j is described as %j: a file's name describes nothing", async (name, described) => {
	const body = `<w:p><w:r><w:t>Before</w:t><w:drawing><wp:docPr id="1" descr="${name}"/></w:drawing></w:r></w:p>`;
	expect((await textOf({ body })).replace("Before", "").trim()).toBe(described);
});

test("boxes, descriptions of pictures and charts follow their paragraph", async () => {
	const box = `<w:drawing><wp:docPr id="1" descr="A map"/><wps:txbx><w:txbxContent>${wordParagraph("Boxed")}</w:txbxContent></wps:txbx></w:drawing>`;
	const both = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${wordParagraph("Boxed")}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent>`;
	const point = (index: number, value: string) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`;
	const chart = `<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:strCache>${point(0, "Tea")}</c:strCache></c:tx><c:cat>${point(0, "May")}${point(1, "June")}</c:cat><c:val>${point(0, "3")}${point(1, "4")}</c:val></c:ser></c:chart></c:chartSpace>`;
	const body = `<w:p><w:r><w:t>Before</w:t>${both}<w:drawing><c:chart r:id="c1"/></w:drawing></w:r></w:p>`;
	const text = await textOf({ body, parts: { "charts/x.xml": chart }, relations: { c1: ["chart", "charts/x.xml"] } });
	expect(text).toBe("Before\n\nA map\n\nBoxed\n\nSales\n\n|  | Tea |\n| --- | --- |\n| May | 3 |\n| June | 4 |");
});

test("numbers behind a chart are shown as in the sheet they come from, and not as doubles", async () => {
	const cache = (name: string, format: string, ...values: readonly string[]) =>
		`<c:numRef><c:${name}><c:formatCode>${format}</c:formatCode>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join("")}</c:${name}></c:numRef>`;
	const series = (inner: string) => `<c:ser><c:cat>${cache("numCache", "yyyy-mm-dd", "45000", "45001")}</c:cat><c:val>${inner}</c:val></c:ser>`;
	const values = series(cache("numCache", "General", "4.4000000000000004", "0.30000000000000004")) + series(cache("numLit", "0.0%", "0.125", "1"));
	const chart = `<c:chartSpace><c:chart>${values}</c:chart></c:chartSpace>`;
	const body = '<w:p><w:r><w:drawing><c:chart r:id="c1"/></w:drawing></w:r></w:p>';
	const text = await textOf({ body, parts: { "charts/x.xml": chart }, relations: { c1: ["chart", "charts/x.xml"] } });
	expect(text.split("\n").slice(2)).toEqual(["| 2023-03-15 | 4.4 | 12.5% |", "| 2023-03-16 | 0.3 | 100.0% |"]);
});

test("equations are shown as LaTeX and found as one would type them", async () => {
	const math = (xml: string) => `<w:p><m:oMath>${xml}</m:oMath></w:p>`;
	const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
	const fraction = `<m:f><m:num>${r("a+b")}</m:num><m:den>${r("2")}</m:den></m:f>`;
	const power = `<m:sSup><m:e>${r("x")}</m:e><m:sup>${r("2")}</m:sup></m:sSup>`;
	const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r("n=1")}</m:sub><m:sup>${r("∞")}</m:sup><m:e><m:d><m:e>${r("n")}</m:e></m:d></m:e></m:nary>`;
	const body = math(`${fraction}${r("=")}${power}`) + math(sum) + math(`<m:rad><m:deg/><m:e>${r("y")}</m:e></m:rad>`);
	const { extraction } = await readDocx({ body });
	expect(extraction.text).toBe("$$\\frac{a+b}{2}=x^{2}$$\n\n$$\\sum_{n=1}^{\\infty}\\left(n\\right)$$\n\n$$\\sqrt{y}$$");
	expect(extraction.blocks.map(({ text }) => text)).toEqual(["(a+b)/2=x^2", "∑_(n=1)^∞ (n)", "√y"]);
});

test("an equation in a sentence keeps apart from the words around it", async () => {
	const math = "<m:oMath><m:r><m:t>πr</m:t></m:r></m:oMath>";
	const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
	expect(await textOf({ body: `<w:p>${text("The area")}${math}${text(", or ")}${math}${text("2 times")}</w:p>` })).toBe(
		"The area $\\pi r$, or $\\pi r$ 2 times",
	);
	const lines = `<m:oMathPara>${math}${math}</m:oMathPara>`;
	expect(await textOf({ body: `<w:p>${text("So:")}${lines}${text("Hence")}</w:p>` })).toBe("So:\n$$\\pi r$$\n$$\\pi r$$\nHence");
});

test("digits above and below the line stay what they are, words do not change", async () => {
	const scripted = (text: string, way: string) => run(text, `<w:vertAlign w:val="${way}"/>`);
	const number = `${run("10")}${scripted("-", "superscript")}${scripted("6", "superscript")}`;
	const more = `${run(" mol H")}${scripted("2", "subscript")}${run("O, the 4")}${scripted("th", "superscript")}${run(" x")}${scripted("2n", "superscript")}${run(".")}${scripted("[7]", "superscript")}`;
	expect(await textOf({ body: `<w:p>${number}${more}</w:p>` })).toBe("10⁻⁶ mol H₂O, the 4th x²ⁿ.[7]");
});

test("marks that reach further go around those that do not", async () => {
	const body = `<w:p>${run("Dip", "<w:b/><w:i/>")}${run(": sour", "<w:b/>")}${run(" cream ")}${run("and", "<w:i/>")}${run(" tea", "<w:b/><w:i/>")}</w:p>`;
	expect(await textOf({ body })).toBe("***Dip*: sour** cream *and **tea***");
	const lines = `<w:p>${run("one", "<w:b/>")}<w:r><w:rPr><w:b/></w:rPr><w:br/></w:r>${run("two ", "<w:b/>")}${run("three")}</w:p>`;
	expect(await textOf({ body: lines })).toBe("**one**\n**two** three");
});

test("a page that a program has put in is read where it stands, of two forms of a part one", async () => {
	const chunk = '<w:altChunk r:id="c1"/>';
	const both = `<mc:AlternateContent><mc:Choice>${wordParagraph("new")}</mc:Choice><mc:Fallback>${wordParagraph("old")}</mc:Fallback></mc:AlternateContent>`;
	const body = `${wordParagraph("Before")}${chunk}${chunk}${both}`;
	const page = "<html><body><h2>Inside</h2><p>Some <b>words</b></p></body></html>";
	const text = await textOf({ body, parts: { "page.html": page }, relations: { c1: ["aFChunk", "page.html"] } });
	expect(text).toBe("Before\n\n## Inside\n\nSome **words**\n\nnew");
});

test("what was chosen in forms and signs of symbol fonts are read", async () => {
	const form = (data: string) =>
		`<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORM</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
	const list = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="tea"/><w:listEntry w:val="coffee"/></w:ddList>';
	const body = `<w:p>${run("Drink: ")}${form(list)}${run(" ")}${form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')}${form('<w:checkBox><w:default w:val="0"/></w:checkBox>')}${run(" \uf0fc", '<w:rFonts w:ascii="Wingdings"/>')}</w:p>`;
	expect(await textOf({ body })).toBe("Drink: coffee ☒☐ ✓");
});

test("charts of the newer kinds are read, and the names of axes", async () => {
	const points = (...values: string[]) => `<cx:lvl>${values.map((value, index) => `<cx:pt idx="${index}">${value}</cx:pt>`).join("")}</cx:lvl>`;
	const data = `<cx:data id="0"><cx:strDim type="cat">${points("May", "June")}</cx:strDim><cx:numDim type="val">${points("3", "4")}</cx:numDim></cx:data>`;
	const title = (words: string) => `<cx:title><a:t>${words}</a:t></cx:title>`;
	const series = '<cx:series><cx:tx><cx:txData><cx:v>Tea</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series>';
	const chart = `<cx:chartSpace><cx:chartData>${data}</cx:chartData><cx:chart>${title("Sales")}<cx:plotArea>${series}<cx:axis>${title("Sacks")}</cx:axis></cx:plotArea></cx:chart></cx:chartSpace>`;
	const body = '<w:p><w:r><w:drawing><cx:chart r:id="c1"/></w:drawing></w:r></w:p>';
	const text = await textOf({ body, parts: { "charts/x.xml": chart }, relations: { c1: ["chartEx", "charts/x.xml"] } });
	expect(text).toBe("Sales\n\nSacks\n\n|  | Tea |\n| --- | --- |\n| May | 3 |\n| June | 4 |");
});

test("title, description and language come from the properties; a program's own title is none", async () => {
	const core = "<dc:title>Word Document</dc:title><dc:description>On tea</dc:description><dc:language>en-gb</dc:language>";
	const { extraction } = await readDocx({ body: styled("berschrift1", "Tea"), parts: { "styles.xml": styles }, core });
	expect(extraction).toMatchObject({ title: "Tea", description: "On tea", language: "en-GB", type: "text" });
});

test("a damaged part is left out with a remark, a missing main part is an error", async () => {
	const { extraction, step } = await readDocx({ body: wordParagraph("Kept"), parts: { "styles.xml": "<w:styles><w:style>" } });
	expect(extraction.text).toBe("Kept");
	const cut = await readDocx({ body: `${wordParagraph("Kept")}<w:p><w:r><w:t>half</w:broken>` });
	expect(cut.extraction.text).toStartWith("Kept\n\nhalf");
	expect(cut.step.warnings[0]?.code).toBe("PART_DAMAGED");
	expect(step.warnings).toEqual([]);
	expect(await codeOf(readDocx({ body: "" }))).toBe("CONTENT_EMPTY");
});
