import { describe, expect, test } from "bun:test";
import type { Block, ChunkDraft, Chunker, Extraction } from "cairn-memory";
import paragraphs from "../../../plugins/chunkers/paragraphs.ts";
import { chunkerContract } from "../../contract/chunker-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Chunker> => partOf(paragraphs(), "chunker");
for (const contractTest of [...pluginContract(paragraphs), ...chunkerContract(start)]) test(contractTest.name, contractTest.check);

async function chunk(blocks: readonly Block[], charactersMax = 2_000, text = blocks.map((block) => block.text).join("\n\n")): Promise<readonly ChunkDraft[]> {
	const extraction: Extraction = { blocks, text, title: null, description: null, language: null, type: "text" };
	return (await start()).chunk(extraction, { charactersMax }, createStep());
}

const paragraph = (text: string, place: Block["place"] = {}): Block => ({ kind: "paragraph", text, headings: [], place });
const sentence = "The keeper of the lighthouse counts the boats that leave the harbour before the storm. ";

describe("paragraphs", () => {
	test("short paragraphs share a chunk and read as Markdown", async () => {
		const [only, ...more] = await chunk([
			paragraph("Before the list."),
			{ kind: "list-item", depth: 0, text: "one", headings: [], place: {} },
			{ kind: "list-item", depth: 1, text: "one and a half", headings: [], place: {} },
			{ kind: "code", language: "sh", text: "ls", headings: [], place: {} },
			{ kind: "row", cells: ["a|b", "c"], header: [], table: 1, text: "a|b c", headings: [], place: {} },
		]);
		expect(more).toEqual([]);
		expect(only?.text).toBe("Before the list.\n\n- one\n  - one and a half\n\n```sh\nls\n```\n\n| a\\|b | c |");
	});

	test("chunks are of about a thousand characters, far below the limit", async () => {
		const drafts = await chunk(Array.from({ length: 60 }, () => paragraph(sentence.trim())));
		for (const { text } of drafts.slice(0, -1)) {
			expect(text.length).toBeGreaterThan(800);
			expect(text.length).toBeLessThanOrEqual(1_000);
		}
	});

	test("chunks of Chinese are half as long, because they say as much", async () => {
		const drafts = await chunk(Array.from({ length: 60 }, () => paragraph("灯塔的看守人在暴风雨来临之前数着离开港口的船只。")));
		for (const { text } of drafts.slice(0, -1)) expect(text.length).toBeLessThanOrEqual(500);
	});

	test("a paragraph between target and limit stays whole", async () => {
		const long = sentence.repeat(18).trim();
		const [first, last] = ["First", "Last"].map((name) => paragraph(`${name}, and long enough to stand by itself. `.repeat(8).trim()));
		if (first === undefined || last === undefined) throw new Error("two paragraphs were made");
		expect((await chunk([first, paragraph(long), last]))[1]?.text).toBe(long);
	});

	test("a title is no chunk of its own, as long as what follows it leaves room", async () => {
		const title = paragraph("How the keeper counts boats");
		const fits = sentence.repeat(18).trim();
		expect((await chunk([title, paragraph(fits)])).map(({ text }) => text)).toEqual([`${title.text}\n\n${fits}`]);
		const fills = sentence.repeat(23).trim().slice(0, 1_990).trimEnd();
		expect((await chunk([title, paragraph(fills)])).map(({ text }) => text)).toEqual([title.text, fills]);
	});

	test("a longer one is cut at sentence ends, with exact spans", async () => {
		const text = sentence.repeat(60).trim();
		const drafts = await chunk([paragraph(text, { span: [0, text.length] })], 2_000, text);
		expect(drafts.length).toBeGreaterThan(2);
		for (const draft of drafts) {
			expect(draft.text).toEndWith(".");
			expect(draft.text).toStartWith("The");
			expect(text.slice(...(draft.place.span ?? [0, 0]))).toBe(draft.text);
		}
	});

	test("an abbreviation does not end a sentence", async () => {
		const text = "We were told that Dr. Olsen and Prof. Lee had measured the tide at Brennik rock for years. ".repeat(8).trim();
		for (const { text: part } of await chunk([paragraph(text)], 200)) expect(part).toStartWith("We were told");
	});

	test("a word too long for any chunk is cut between characters", async () => {
		const family = "👩‍👩‍👧‍👦";
		for (const { text } of await chunk([paragraph(family.repeat(100))], 120)) expect(text.replaceAll(family, "")).toBe("");
	});

	test("a heading stays with what follows it", async () => {
		const heading: Block = { kind: "heading", level: 2, text: "Fees", headings: [], place: {} };
		const drafts = await chunk([paragraph(sentence.repeat(11).trim()), heading, paragraph(sentence.repeat(5).trim())]);
		expect(drafts.map(({ text }) => text.includes("## Fees"))).toEqual([false, true]);
	});

	test("a crumb at the end joins the chunk before it", async () => {
		const drafts = await chunk([paragraph(sentence.repeat(11).trim()), paragraph("The end of the story, told by the fire.")]);
		expect(drafts).toHaveLength(1);
	});

	test.each([
		[
			"one page",
			[
				{ page: 2, box: [10, 10, 50, 20] },
				{ page: 2, box: [5, 30, 40, 45] },
			],
			{ page: 2, box: [5, 10, 50, 45] },
		],
		[
			"two pages",
			[
				{ page: 2, box: [10, 10, 50, 20] },
				{ page: 3, box: [5, 30, 40, 45] },
			],
			{ page: 2, box: [10, 10, 50, 20] },
		],
		["a block without a box", [{ page: 2, box: [10, 10, 50, 20] }, { page: 2 }], { page: 2 }],
		[
			"spans and slides",
			[
				{ slide: 4, span: [7, 9] },
				{ slide: 5, span: [11, 20] },
			],
			{ slide: 4, span: [7, 20] },
		],
	] as const)("the place of %s", async (_, places, united) => {
		const [draft] = await chunk(places.map((place) => paragraph("Some words.", place)));
		expect(draft?.place).toEqual(united);
	});

	test("a chunk over two pages tells the one on which most of it stands", async () => {
		const [draft] = await chunk([paragraph("The end.", { page: 2, box: [1, 1, 2, 2] }), paragraph("A longer beginning.", { page: 3, box: [3, 3, 4, 4] })]);
		expect(draft?.place).toEqual({ page: 3, box: [3, 3, 4, 4] });
	});

	test("a chunk that is long enough ends with its page", async () => {
		const half = "Words and words again. ".repeat(25).trim();
		const drafts = await chunk([paragraph(half, { page: 1 }), paragraph("On the next page.", { page: 2 }), paragraph(half, { page: 2 })]);
		expect(drafts.map(({ place }) => place.page)).toEqual([1, 2]);
	});
});
