/** The PPTX extractor: order of slides, titles, bullets, tables, notes, comments, diagrams, the contract tests. */

import { describe, expect, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { pptxOf, shape } from "../../../doubles/office-files.ts";
import { baker, codeOf, extractorNamed, keeper, read, testContract } from "../samples.ts";

const mediaType = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const start = () => extractorNamed(officePlugin(), "pptx");
const readPptx = async (...parts: Parameters<typeof pptxOf>) => read(await start(), pptxOf(...parts), mediaType);
const textOf = async (...parts: Parameters<typeof pptxOf>) => (await readPptx(...parts)).extraction.text;

describe("laws", () => {
	const bytes = pptxOf([{ shapes: shape("body", keeper) + shape("title", ["The keeper"]) }, { shapes: shape("title", ["The baker"]) + shape(null, baker) }]);
	const words = ["The keeper", ...keeper, "The baker", ...baker].flatMap((text) => text.split(/\s+/));
	testContract(start, [{ bytes, mediaType, fileName: "stories.pptx", words, headings: ["The keeper", "The baker"] }]);
});

test("slides come in the order they are shown, the title first, hidden ones marked, feet said once at the end", async () => {
	const furniture = shape("sldNum", ["7"]) + shape("ftr", ["ACME"]) + shape("dt", ["today"]);
	const { extraction, step } = await readPptx([
		{ shapes: shape(null, ["before"]) + shape("ctrTitle", ["First", "slide"]) + furniture },
		{ shapes: shape("title", ["Second"]) + shape("ftr", ["ACME"]), isHidden: true },
	]);
	expect(extraction.text).toBe("# First slide\n\nbefore\n\n# Second (hidden slide)\n\nACME");
	expect(extraction.blocks.map(({ place }) => place.slide)).toEqual([1, 1, 2, undefined]);
	expect(extraction.title).toBe("First slide");
	expect(step.reports.at(-1)).toEqual({ done: 2, total: 2, unit: "slide" });
});

test("what a layout and its master say themselves is said once, and not where they are hidden", async () => {
	const relations = { layout: ["slideLayout", "../layouts/l.xml"] } as const;
	const ground = (name: string, words: string, more = "") =>
		`<p:${name} ${more}><p:cSld><p:spTree>${shape("body", ["Click to edit"])}${shape(null, [words])}</p:spTree></p:cSld></p:${name}>`;
	const parts = (more = "") => ({
		"ppt/layouts/l.xml": ground("sldLayout", "Strictly secret", more),
		"ppt/layouts/_rels/l.xml.rels": '<Relationships><Relationship Id="m" Type="x/slideMaster" Target="../masters/m.xml"/></Relationships>',
		"ppt/masters/m.xml": ground("sldMaster", "ACME"),
	});
	const slides = ["One", "Two"].map((title) => ({ shapes: shape("title", [title]), relations }));
	expect(await textOf(slides, parts())).toBe("# One\n\n# Two\n\nStrictly secret\n\nACME");
	expect(await textOf(slides, parts('showMasterSp="0"'))).toBe("# One\n\n# Two\n\nStrictly secret");
});

test("bullets are inherited from layout and master, and numbered where the slide says so", async () => {
	const relations = { layout: ["slideLayout", "../layouts/l.xml"] } as const;
	const parts = {
		"ppt/layouts/l.xml": `<p:sldLayout><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="4"/></p:nvPr></p:nvSpPr><p:txBody><a:lstStyle><a:lvl2pPr><a:buNone/></a:lvl2pPr></a:lstStyle></p:txBody></p:sp></p:spTree></p:cSld></p:sldLayout>`,
		"ppt/layouts/_rels/l.xml.rels": '<Relationships><Relationship Id="m" Type="x/slideMaster" Target="../masters/m.xml"/></Relationships>',
		"ppt/masters/m.xml":
			'<p:sldMaster><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="o"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="-"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>',
	};
	const numbered = (text: string, level: number) => `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="alphaLcParenR"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
	const free = `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>${numbered("a", 0)}${numbered("deep", 1)}${numbered("b", 0)}</p:txBody></p:sp>`;
	const shapes = shape("body", ["bullet"]) + shape("body", ["plain"], 'lvl="1"') + free;
	expect(await textOf([{ shapes, relations }], parts)).toBe("- bullet\n\nplain\n\na) a\n  a) deep\nb) b");
});

test("tables know their header and repeat merged cells; groups and links are read", async () => {
	const cell = (text: string, merge = "") => `<a:tc ${merge}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
	const rows = [
		cell("Town") + cell("Sum"),
		cell("Oslo", 'rowSpan="2"') + cell("1"),
		cell("", 'vMerge="1"') + cell("2"),
		cell("all", 'gridSpan="2"') + cell("", 'hMerge="1"'),
	];
	const table = `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>${rows.map((row) => `<a:tr>${row}</a:tr>`).join("")}</a:tbl></p:graphicFrame>`;
	const link = `<p:sp><p:nvSpPr/><p:txBody><a:p><a:r><a:rPr b="1"><a:hlinkClick r:id="l"/></a:rPr><a:t>site</a:t></a:r><a:br/><a:r><a:t>below</a:t></a:r></a:p></p:txBody></p:sp>`;
	const { extraction } = await readPptx([
		{ shapes: `${table}<p:grpSp><p:grpSp>${link}</p:grpSp></p:grpSp>`, relations: { l: ["hyperlink", "https://example.org/"] } },
	]);
	expect(extraction.blocks.map(({ text }) => text)).toEqual(["Town: Oslo; Sum: 1", "Town: Oslo; Sum: 2", "Town: all; Sum: all", "site\nbelow"]);
	expect(extraction.text).toEndWith("[**site**](https://example.org/)\nbelow");
});

test("notes, comments with answers, diagrams and descriptions of pictures are read", async () => {
	const relations = { n: ["notesSlide", "../notes/n.xml"], c: ["comments", "../comments/c.xml"], d: ["diagramData", "../d.xml"] } as const;
	const parts = {
		"ppt/notes/n.xml": `<p:notes><p:cSld><p:spTree>${shape("sldImg", ["no"])}${shape("body", ["Speak up", "slowly"])}</p:spTree></p:cSld></p:notes>`,
		"ppt/comments/c.xml":
			'<cmLst><cm authorId="{1}"><replyLst><reply authorId="2"><txBody><a:p><a:r><a:t>Yes</a:t></a:r></a:p></txBody></reply></replyLst><txBody><a:p><a:r><a:t>Sure?</a:t></a:r></a:p></txBody></cm></cmLst>',
		"ppt/authors.xml": '<authorLst><author id="{1}" name="Ada"/><author id="2" name="Bo"/></authorLst>',
		"ppt/d.xml":
			'<dataModel><ptLst><pt><t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></t></pt><pt type="pres"/><pt><t><a:p><a:r><a:t>Do</a:t></a:r></a:p></t></pt></ptLst></dataModel>',
	};
	const shapes = `<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame><p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture 1" descr="A harbour"/></p:nvPicPr></p:pic>`;
	expect(await textOf([{ shapes, relations }], parts, { a: ["authors", "authors.xml"] })).toBe(
		"- Plan\n- Do\n\nA harbour\n\nNotes: Speak up\n\nslowly\n\nComment by Ada: Sure?\n\nComment by Bo: Yes",
	);
});

test("a missing slide is remarked, a presentation of nothing else is damaged", async () => {
	const { extraction, step } = await readPptx([{ shapes: shape(null, ["kept"]) }, { shapes: "" }], {}, { s1: ["slide", "slides/none.xml"] });
	expect(extraction.text).toBe("kept");
	expect(step.warnings).toEqual([{ code: "SLIDE_MISSING", message: "slide 2 could not be read", place: { slide: 2 } }]);
	expect(await codeOf(readPptx([{ shapes: "" }], {}, { s0: ["slide", "slides/none.xml"] }))).toBe("FILE_BROKEN");
	expect(await codeOf(readPptx([{ shapes: "" }]))).toBe("CONTENT_EMPTY");
});

test("equations are LaTeX, small digits keep their place", async () => {
	const run = (text: string, baseline = "0") => `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
	const math = "<a14:m><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m>";
	const shapes = `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p>${run("10")}${run("6", "30000")}${run(" H")}${run("2", "-25000")}${run("O and ")}${math}</a:p></p:txBody></p:sp>`;
	expect(await textOf([{ shapes }])).toBe("10⁶ H₂O and $x^{2}$");
});
