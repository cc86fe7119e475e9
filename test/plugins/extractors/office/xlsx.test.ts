/** The XLSX extractor: order and names of sheets, kinds of cells, formats, merged cells, tables on a sheet, comments, the contract tests. */

import { describe, expect, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { compileFormat } from "../../../../plugins/formats/sheets/number-format.ts";
import { sheetData, xlsxOf } from "../../../doubles/office-files.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const start = () => extractorNamed(officePlugin(), "xlsx");
const readXlsx = async (...parts: Parameters<typeof xlsxOf>) => read(await start(), xlsxOf(...parts), mediaType);
const rowsOf = async (...parts: Parameters<typeof xlsxOf>) =>
	(await readXlsx(...parts)).extraction.blocks.filter(({ kind }) => kind !== "heading").map(({ text }) => text);

describe("laws", () => {
	const people = [
		["Name", "Town"],
		["Ada Lovelace", "London"],
		["Zhang Heng", "Luoyang"],
	];
	const bytes = xlsxOf([{ name: "People", xml: sheetData(people) }]);
	testContract(start, [{ bytes, mediaType, fileName: "people.xlsx", words: ["People", ...people.flat()], headings: ["People"] }]);
});

test("sheets come in the order of the workbook, hidden ones marked, rows with their place and header", async () => {
	const { extraction, step } = await readXlsx([
		{ name: "Towns", xml: sheetData([["Town", "People"], ["Oslo", 700], [], ["", ""]]) },
		{ name: "Notes", state: "veryHidden", xml: sheetData([["Remember"]]) },
	]);
	expect(extraction.text).toBe("# Towns\n\n| Town | People |\n| --- | --- |\n| Oslo | 700 |\n\n# Notes (hidden sheet)\n\nRemember");
	expect(extraction.blocks[1]).toMatchObject({ header: ["Town", "People"], place: { sheet: "Towns", row: 2 } });
	expect(step.reports.at(-1)).toEqual({ done: 2, total: 2, unit: "sheet" });
});

test("every kind of cell is read as it is shown", async () => {
	const cells = [
		'<c t="s"><v>1</v></c><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><f>A1</f><v>made_x000D_</v></c>',
		'<c s="1"><v>45366</v></c><c s="2"><v>0.256</v></c><c s="3"><v>-1234.5</v></c><c><v>0.30000000000000004</v></c><c><f>SUM(A1)</f></c>',
	];
	const parts = {
		"xl/sharedStrings.xml": "<sst><si><t>zero</t></si><si><r><t>sha</t></r><r><t>red</t></r><rPh><t>said</t></rPh></si></sst>",
		"xl/styles.xml":
			'<styleSheet><numFmts><numFmt numFmtId="170" formatCode="#,##0.00\\ [$€-407]"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="170"/></cellXfs></styleSheet>',
	};
	const xml = `<sheetData>${cells.map((row) => `<row>${row}</row>`).join("")}</sheetData>`;
	const said = (await rowsOf([{ name: "A", xml }], parts)).join(" ");
	for (const shown of ["shared", "TRUE", "#DIV/0!", "made", "2024-03-15", "26%", "-1,234.50 €", "0.3", "=SUM(A1)"]) expect(said).toContain(shown);
	expect(said).not.toContain("said");
	expect((await rowsOf([{ name: "A", xml }], parts, '<workbookPr date1904="1"/>')).join(" ")).toContain("2028-03-16");
});

test.each([
	["0.00", 1.005, "1.01"],
	["#,##0", 1234567, "1,234,567"],
	["#,##0,", 1234567, "1,235"],
	["0.0%", 0.1234, "12.3%"],
	["0.00E+00", 12345, "1.23E+04"],
	["000\\-00", 12345, "123-45"],
	['"£"#,##0.00;[Red]\\("£"#,##0.00\\)', -5, "(£5.00)"],
	['0;-0;"none"', 0, "none"],
	['_-* #,##0.00\\ "€"_-', 3, "3.00 €"],
	["0.##", 2, "2"],
	["d/m/yyyy h:mm", 45366.75, "2024-03-15 18:00"],
	["mmm yyyy", 45366, "2024-03"],
	["[h]:mm", 1.5, "36:00"],
	["h:mm AM/PM", 0.25, "06:00"],
	["# ?/?", 0.5, "1/2"],
	["# ?/?", 2.25, "2 1/4"],
	['0.0,,"M"', 1_234_567, "1.2M"],
	["[>=100]0;0.0", 7, "7.0"],
	["[$€-407] #,##0.00", 1234.5, "€ 1,234.50"],
	["General", 1 / 3, "0.33333333333"],
	["yyyy-mm-dd", -1, "-1"],
	["yyyy-mm-dd", 1, "1900-01-01"],
] as const)("%s shows %d as %s", (code, value, shown) => expect(compileFormat(code)(value, false)).toBe(shown));

test("merged cells say it wherever they reach; a line across the top is the title of a table", async () => {
	const xml = `${sheetData([
		["Sales", "", ""],
		["Town", "Year", "Sum"],
		["Oslo", 2023, 4],
		["", 2024, 5],
	])}<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/><mergeCell ref="A1:XFD1048576"/></mergeCells>`;
	expect(await rowsOf([{ name: "A", xml }])).toEqual(["Sales", "Town: Oslo; Year: 2023; Sum: 4", "Town: Oslo; Year: 2024; Sum: 5"]);
});

test("a row of the same number in each cell is no title", async () => {
	expect(
		await rowsOf([
			{
				name: "A",
				xml: sheetData([
					[0, 0, 0],
					[1, 2, 3],
				]),
			},
		]),
	).toEqual(["0; 0; 0", "1; 2; 3"]);
});

test("blank rows and columns part tables", async () => {
	const rows = [["Town", "People", "", "Key", "Value"], ["Oslo", 700, "", "a", 1], ["", "", "", "b", 2], [], ["Name", "Age"], ["Ada", 36]];
	const { extraction } = await readXlsx([{ name: "A", xml: sheetData(rows) }]);
	expect(extraction.blocks.slice(1).map(({ text }) => text)).toEqual(["Town: Oslo; People: 700", "Key: a; Value: 1", "Key: b; Value: 2", "Name: Ada; Age: 36"]);
	expect(extraction.blocks.slice(1).map(({ place }) => place.row)).toEqual([2, undefined, undefined, 6]);
});

test("names of columns may stand apart from their table", async () => {
	const apart = [["Number", "Square"], [], [1, 1], [2, 4], [], ["Town", "People"], ["Oslo", 700]];
	expect(await rowsOf([{ name: "A", xml: sheetData(apart) }])).toEqual(["Number: 1; Square: 1", "Number: 2; Square: 4", "Town: Oslo; People: 700"]);
});

test("charts, boxes and pictures stand where they begin", async () => {
	const anchor = (row: number, inner: string) => `<xdr:twoCellAnchor><xdr:from><xdr:row>${row}</xdr:row></xdr:from>${inner}</xdr:twoCellAnchor>`;
	const parts = {
		"xl/drawings/d.xml": `<xdr:wsDr>${anchor(9, "<xdr:sp><xdr:txBody><a:p><a:r><a:t>Boxed</a:t></a:r></a:p></xdr:txBody></xdr:sp>")}${anchor(1, '<xdr:pic><xdr:cNvPr descr="A map"/></xdr:pic>')}${anchor(2, '<xdr:graphicFrame><c:chart r:id="c"/></xdr:graphicFrame>')}</xdr:wsDr>`,
		"xl/drawings/_rels/d.xml.rels": '<Relationships><Relationship Id="c" Type="x/chart" Target="c.xml"/></Relationships>',
		"xl/drawings/c.xml": "<c:chart><c:title><a:t>Sales</a:t></c:title></c:chart>",
	};
	const xml = sheetData([["Town", "People"], ["Oslo", 700], [], [], ["Key", "Value"], ["a", 1]]);
	const said = await rowsOf([{ name: "A", xml, relations: { d: ["drawing", "../drawings/d.xml"] } }], parts);
	expect(said).toEqual(["Town: Oslo; People: 700", "A map", "Sales", "Key: a; Value: 1", "Boxed"]);
});

test("the title of a chart is said once, be it in the description that Excel made up", async () => {
	const frame = (description: string) => `<xdr:graphicFrame><xdr:cNvPr descr="${description}"/><c:chart r:id="c"/></xdr:graphicFrame>`;
	const said = async (description: string) => {
		const parts = {
			"xl/drawings/d.xml": `<xdr:wsDr><xdr:twoCellAnchor>${frame(description)}</xdr:twoCellAnchor></xdr:wsDr>`,
			"xl/drawings/_rels/d.xml.rels": '<Relationships><Relationship Id="c" Type="x/chart" Target="c.xml"/></Relationships>',
			"xl/drawings/c.xml": "<c:chart><c:title><a:t>Sales</a:t></c:title></c:chart>",
		};
		return await rowsOf([{ name: "A", xml: sheetData([["a"]]), relations: { d: ["drawing", "../drawings/d.xml"] } }], parts);
	};
	expect((await said("Chart type: Line. Sales")).filter((text) => text.includes("Sales"))).toEqual(["Chart type: Line. Sales"]);
	expect(await said("Up and down")).toEqual(expect.arrayContaining(["Up and down", "Sales"]));
});

test("comments name their cell, talks in the margin are said once", async () => {
	const relations = { c: ["comments", "../comments1.xml"], t: ["threadedComment", "../threads.xml"] } as const;
	const parts = {
		"xl/comments1.xml":
			'<comments><authors><author>Bo</author><author>tc=1</author></authors><commentList><comment ref="B2" authorId="0"><text><t>Why?</t></text></comment><comment ref="A1" authorId="1"><text><t>[Threaded comment] Sure</t></text></comment></commentList></comments>',
		"xl/threads.xml": '<ThreadedComments><threadedComment ref="A1" personId="p"><text>Sure</text></threadedComment></ThreadedComments>',
		"xl/persons/person.xml": '<personList><person id="p" displayName="Ada"/></personList>',
	};
	expect(await rowsOf([{ name: "A", xml: sheetData([["one"]]), relations }], parts)).toEqual([
		"one",
		"Comment on A1 by Ada: Sure",
		"Comment on B2 by Bo: Why?",
	]);
});

test("a missing sheet is remarked, a workbook of nothing else is damaged", async () => {
	const { extraction, step } = await readXlsx(
		[
			{ name: "A", xml: sheetData([["kept"]]) },
			{ name: "B", xml: "" },
		],
		{ "xl/worksheets/sheet1.xml": "<worksheet" },
	);
	expect(extraction.text).toContain("kept");
	expect(step.warnings[0]).toMatchObject({ code: "PART_DAMAGED" });
	expect(await codeOf(readXlsx([{ name: "A", xml: "" }]))).toBe("CONTENT_EMPTY");
	expect(await codeOf(readXlsx([]))).toBe("FILE_BROKEN");
});
