/** Tagged PDFs are read by their tags, as far as these can be trusted. */

import { expect, test } from "bun:test";
import type { Block } from "cairn-memory";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { at, element, type TaggedElement, type TaggedPdfOptions, taggedPdf } from "../../../doubles/tagged-pdf.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

async function blocksOf(elements: readonly TaggedElement[], options?: TaggedPdfOptions): Promise<readonly Block[]> {
	const { extraction } = await read(await extractorNamed(pagesPlugin(), "pdf"), taggedPdf(elements, options), "application/pdf");
	return extraction.blocks;
}

const shown = (blocks: readonly Block[]) =>
	blocks.map((block) => {
		if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
		if (block.kind === "list-item") return `${"  ".repeat(block.depth)}${block.marker ?? "-"} ${block.text}`;
		return block.kind === "row" ? block.cells.join(" | ") : block.text;
	});

const story = [
	element("H1", at(60, 60, "The harbour")),
	element("P", at(60, 90, "Every ship is written down"), at(60, 103, "in a book of its own.")),
	element("H2", at(60, 130, "Its book")),
	element("P", at(60, 160, "Nobody may lend it.")),
];
const storyShown = ["# The harbour", "Every ship is written down in a book of its own.", "## Its book", "Nobody may lend it."];

test("headings look like text, and have the level of their tag", async () => {
	expect(shown(await blocksOf(story))).toEqual(storyShown);
});

test("text is read in the order of the tags", async () => {
	const [title, first, heading] = story as [TaggedElement, TaggedElement, TaggedElement];
	const last = element("P", at(60, 160, "Nobody may lend it."));
	expect(shown(await blocksOf([title, heading, last, first]))).toEqual(["# The harbour", "## Its book", "Nobody may lend it.", storyShown[1] ?? ""]);
});

test("a bold line that is tagged as text is no heading where headings are tagged", async () => {
	expect(shown(await blocksOf([...story, element("P", at(60, 190, "Ask Maud", true)), element("P", at(60, 220, "She has the key."))]))).toEqual([
		...storyShown,
		"Ask Maud",
		"She has the key.",
	]);
});

test("a list without indentation is nested by its tags", async () => {
	const item = (y: number, text: string, ...inner: readonly TaggedElement[]) =>
		element("LI", element("Lbl", at(60, y, "-")), element("LBody", at(72, y, text)), ...inner);
	const list = element("L", item(100, "ropes", element("L", item(115, "thin ones"), item(130, "thick ones"))), item(145, "sails"));
	expect(shown(await blocksOf([element("P", at(60, 60, "What is needed:")), list]))).toEqual([
		"What is needed:",
		"- ropes",
		"  - thin ones",
		"  - thick ones",
		"- sails",
	]);
});

test("words set apart within a line stay in their line", async () => {
	const text = element("P", at(60, 60, "See "), element("Link", element("Span", at(79, 60, "the book"))), at(118, 60, " of the port."));
	expect(shown(await blocksOf([text]))).toEqual(["See the book of the port."]);
});

const cell = (role: string, x: number, y: number, text: string) => element(role, at(x, y, text));

test("a table without lines, whose columns hardly stand apart, is one by its tags", async () => {
	const table = element(
		"Table",
		element("THead", element("TR", cell("TH", 60, 100, "Ship"), cell("TH", 84, 100, "Weight"))),
		element(
			"TBody",
			element("TR", cell("TD", 60, 115, "Aurora"), cell("TD", 95, 115, "0.20")),
			element("TR", cell("TD", 60, 130, "Cirrus"), cell("TD", 95, 130, "0.60")),
		),
	);
	const rows = (await blocksOf([element("P", at(60, 60, "All ships:")), table])).flatMap((block) => (block.kind === "row" ? [block] : []));
	expect(rows.map(({ header, cells }) => [header, cells])).toEqual([
		[
			["Ship", "Weight"],
			["Aurora", "0.20"],
		],
		[
			["Ship", "Weight"],
			["Cirrus", "0.60"],
		],
	]);
});

test("merged cells are in each of their fields, and a cell after one that is not tagged is in its column", async () => {
	const merged = { ...cell("TD", 60, 115, "both"), attributes: { ColSpan: 2 } };
	const row = (y: number, ...cells: readonly string[]) => element("TR", ...cells.map((text, index) => cell("TD", 60 + index * 80, y, text)));
	const table = element(
		"Table",
		row(100, "a", "b", "c"),
		element("TR", merged, cell("TD", 220, 115, "d")),
		element("TR", cell("TD", 60, 130, "e"), cell("TD", 220, 130, "f")),
	);
	expect(shown(await blocksOf([element("P", at(60, 60, "Fields:")), table]))).toEqual(["Fields:", "a | b | c", "both | both | d", "e |  | f"]);
});

test("a foot without tags is not part of the element that was drawn before it", async () => {
	const blocks = await blocksOf(story.slice(0, 3), { untagged: [at(60, 815, "Printed at the pier")] });
	expect(shown(blocks)).toEqual([...storyShown.slice(0, 3), "Printed at the pier"]);
});

test("a bold line without tags is no heading where headings are tagged", async () => {
	const untagged = [at(60, 400, "Not by night", true), at(60, 414, "and not by fog.")];
	expect(shown(await blocksOf(story, { untagged })).filter((text) => text.startsWith("#"))).toEqual(["# The harbour", "## Its book"]);
});

test("a page that is hardly tagged is read by its layout", async () => {
	const untagged = ["The harbour is read line by line from the left to the right", "and every line of it is filled, since nobody ended it early."].map(
		(text, index) => at(60, 300 + index * 13, text),
	);
	expect(shown(await blocksOf([element("P", at(60, 60, "Alone"))], { untagged }))).toEqual(["Alone", untagged.map(({ text }) => text).join(" ")]);
});

test("no cell is lost where two of them begin in the same column", async () => {
	const row = (y: number, ...cells: readonly (readonly [number, string])[]) => element("TR", ...cells.map(([x, text]) => cell("TD", x, y, text)));
	const full = row(100, [60, "a"], [140, "b"], [220, "c"]);
	const text = shown(await blocksOf([element("P", at(60, 60, "Fields:")), element("Table", full, row(115, [140, "left"], [160, "right"]))])).join(" ");
	for (const word of ["a", "b", "c", "left", "right"]) expect(text).toContain(word);
});

type Damage = NonNullable<TaggedPdfOptions["damage"]>;
type Pdf = Parameters<Damage>[0];
type PdfObject = Parameters<Damage>[1];

const broken: readonly (readonly [string, Damage])[] = [
	["an element that is its own child", (_, root) => root.get("K").get("K").put(0, root.get("K"))],
	["an element that is its own parent", (_, root) => root.get("K").get("K", 0).put("P", root.get("K").get("K", 0))],
	["elements without types", (_, root) => root.get("K").get("K", 0).delete("S")],
	["a root that is a number", (pdf) => pdf.getTrailer().get("Root").put("StructTreeRoot", 7)],
	["parents that are numbers", (_, root) => root.get("ParentTree").put("Nums", [0, [1, 2, 3, 4, 5, 6]])],
	["no parents", (_, root) => root.delete("ParentTree")],
	["tags that are guesses", (pdf) => pdf.getTrailer().get("Root", "MarkInfo").put("Suspects", true)],
	["children that are text", (pdf, root) => root.get("K").put("K", pdf.newString("none"))],
	["an element 5,000 elements deep", (pdf, root) => wrap(pdf, root, 5_000)],
	["5,000 parents that the root does not hold", (pdf, root) => wrap(pdf, root, 5_000, false)],
	["texts at every 190th of 5,000 levels", (pdf, root) => listEvery(190, pdf, root, wrap(pdf, root, 5_000))],
	["a list of parents that names itself 2^40 times", (pdf, root) => root.put("ParentTree", doubled(pdf, 40))],
];

/** Lists some of the elements before the texts, those furthest out first. */
function listEvery(step: number, pdf: Pdf, root: PdfObject, wrapped: readonly PdfObject[]): void {
	const listed = wrapped.toReversed().filter((_, depth) => depth % step === step - 1);
	root.get("ParentTree").put("Nums", [0, listed, 1, root.get("ParentTree", "Nums", 1)]);
	pdf.findPage(0).put("StructParents", 1);
}

/** A tree of no numbers, each of whose nodes holds the next one twice. */
function doubled(pdf: Pdf, levels: number): PdfObject {
	let node = pdf.addObject({ Nums: [] });
	for (let level = 0; level < levels; level++) node = pdf.addObject({ Kids: [node, node], Limits: [0, 0] });
	return node;
}

/** Puts elements between the root and the first paragraph. @returns them, the innermost first */
function wrap(pdf: Pdf, root: PdfObject, count: number, isHeld = true): readonly PdfObject[] {
	const wrapped: PdfObject[] = [];
	const document = root.get("K");
	let inner = document.get("K", 1);
	for (let depth = 0; depth < count; depth++) {
		const outer = pdf.addObject({ Type: pdf.newName("StructElem"), S: pdf.newName("Div"), K: [inner] });
		inner.put("P", outer);
		inner = outer;
		wrapped.push(inner);
	}
	inner.put("P", document);
	if (isHeld) document.get("K").put(1, inner);
	return wrapped;
}

test.each(broken)("a structure tree with %s neither loses nor repeats text", async (_, damage) => {
	const plain = (texts: readonly string[]) => texts.join(" ").replace(/#+ /g, "");
	expect(plain(shown(await blocksOf(story, { damage })))).toBe(plain(storyShown));
});

test("a table whose spans are boundless is read as text", async () => {
	const huge = { ...cell("TD", 60, 115, "huge"), attributes: { ColSpan: 2_000_000_000, RowSpan: 2_000_000_000 } };
	const table = element("Table", element("TR", cell("TD", 60, 100, "a"), cell("TD", 140, 100, "b")), element("TR", huge, cell("TD", 140, 115, "c")));
	const text = shown(await blocksOf([element("P", at(60, 60, "Fields:")), table])).join(" ");
	for (const word of ["a", "b", "huge", "c"]) expect(text).toContain(word);
	expect(text.length).toBeLessThan(200);
});
