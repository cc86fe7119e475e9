/** The Markdown extractor: structure, links, front matter, hostile nesting, the contract tests. */

import { describe, expect, test } from "bun:test";
import markdownPlugin from "../../../plugins/extractors/markdown/index.ts";
import { fixture } from "../../doubles/fixture.ts";
import { extractorNamed, read, sample, testContract } from "./samples.ts";

const start = () => extractorNamed(markdownPlugin(), "markdown");
const said = [
	"The coast Walk slowly and read the tide table What to bring Boots A lamp with oil and a spare wick",
	"Place Open Lighthouse evenings Bakery mornings For programmers const tide = await read harbour The sea does not care",
];

describe("laws", () => {
	testContract(start, [sample("guide.md", "text/markdown", said, ["The coast", "What to bring", "For programmers"])]);
});

async function guide() {
	return (await read(await start(), fixture("guide.md"), "text/markdown")).extraction;
}

test("headings, lists, tables and code keep their kind", async () => {
	const { blocks } = await guide();
	expect(blocks.map((block) => block.kind)).toEqual([
		"heading",
		"paragraph",
		"heading",
		"list-item",
		"list-item",
		"list-item",
		"list-item",
		"row",
		"row",
		"heading",
		"code",
		"paragraph",
	]);
	expect(blocks[5]).toMatchObject({ text: "with oil", depth: 1, headings: ["The coast", "What to bring"] });
	expect(blocks[7]).toMatchObject({ text: "Place: Lighthouse; Open: evenings", cells: ["Lighthouse", "evenings"], header: ["Place", "Open"], table: 1 });
	expect(blocks[10]).toMatchObject({ text: 'const tide = await read("harbour");', language: "js" });
	expect(blocks[9]).toMatchObject({ level: 2, headings: ["The coast"] });
});

test("front matter gives the title, and the text keeps links and emphasis", async () => {
	const { title, description, language, text } = await guide();
	expect({ title, description, language }).toEqual({
		title: "A guide to the coast",
		description: "What to see between the lighthouse and the bakery",
		language: "en-GB",
	});
	expect(text).toContain("Walk *slowly* and read the [tide table](https://example.org/tides).");
	expect(text).toContain("1. Boots\n2. A lamp\n  - with oil");
	expect(text).not.toContain("lang:");
});

test.each([
	["date: 2024-05-01\nauthor: 'Greta Olm'", { author: "Greta Olm", publishedAt: "2024-05-01" }],
	["date: 2024-05-01 10:30:00 +0200", { publishedAt: "2024-05-01T08:30:00.000Z" }],
	['published: "1 May 2024"', { publishedAt: "2024-05-01" }],
	["date: soon\ntitle: T", {}],
])("front matter %p says who wrote it and when", async (fields, about) => {
	expect((await read(await start(), `---\n${fields}\n---\n\nThe roof was mended yesterday.\n`, "text/markdown")).extraction.about ?? {}).toEqual(about);
});

const wrappedItem =
	"- The council discussed [PEP 647: User-Defined Type\n  Guards](https://peps.example.org/pep-0647/) and approved it. An\n  acceptance notice was sent.\n";
const wrappedParagraph = "The roof of the boat house was mended by a firm from\nPort Anselm, which also painted\nits doors.\n";

test("lines that were only wrapped are joined", async () => {
	const { blocks } = (await read(await start(), `# T\n\n${wrappedItem}\n${wrappedParagraph}`, "text/markdown")).extraction;
	expect(blocks.map(({ text }) => text)).toEqual([
		"T",
		"The council discussed PEP 647: User-Defined Type Guards and approved it. An acceptance notice was sent.",
		"The roof of the boat house was mended by a firm from Port Anselm, which also painted\nits doors.",
	]);
});

test.each([
	"milk\neggs",
	"Ana: I am on my way to the harbour with both of the sails\nTom: Good.",
	"one line of a poem that is rather long, all in all  \nand the next",
])("lines stay apart in %j", async (text) => {
	const { blocks } = (await read(await start(), `# T\n\n${text}\n`, "text/markdown")).extraction;
	expect(blocks[1]?.text.split("\n")).toHaveLength(2);
});

test("HTML inside Markdown is read as HTML", async () => {
	const { extraction } = await read(
		await start(),
		"# T\n\n<table><tr><th>A</th></tr><tr><th>B</th><td>C</td></tr></table>\n\nx <b>y</b>\n<!-- hidden -->\n",
		"text/markdown",
	);
	expect(extraction.blocks.map((block) => block.text)).toEqual(["T", "A: B; C", "x y"]);
});

test("a name in angle brackets is no HTML", async () => {
	const text = "# Log\n\n[12:01] <tilda> hello\n[12:02] <bo> <b>hi</b> from <note>here</note> to List<Boat>\n";
	const { extraction } = await read(await start(), text, "text/markdown");
	expect(extraction.blocks.map((block) => block.text)).toEqual(["Log", "[12:01] <tilda> hello\n[12:02] <bo> hi from here to List<Boat>"]);
});

test("what is nested beyond reason is read as plain text", async () => {
	const { extraction, step } = await read(await start(), `${">".repeat(60_000)} deep`, "text/markdown");
	expect(extraction.text).toContain("deep");
	expect(step.warnings.map((warn) => warn.code)).toEqual(["MARKDOWN_TOO_DEEP"]);
});

test("long Markdown is parsed in pieces, and nobody can tell", async () => {
	const section = "## Part\n\nSee [the map][map].\n\n```\n\n# no heading\n\nno paragraph\n```\n\n- one\n\n  still one\n- two\n\n";
	const times = 600;
	const { extraction } = await read(await start(), `${section.repeat(times)}\n[map]: https://example.org/map\n`, "text/markdown");
	const count = (kind: string) => extraction.blocks.filter((block) => block.kind === kind).length;
	expect([count("heading"), count("code"), count("list-item"), count("paragraph")]).toEqual([times, times, 2 * times, 2 * times]);
	expect(extraction.text.split("[the map](https://example.org/map)").length - 1).toBe(times);
});
