/** Blocks → Markdown: spans, tables, lists, fences, titles. */

import { describe, expect, test } from "bun:test";
import { type Block, limits } from "cairn-memory";
import { blocksToMarkdown, completeExtraction, type ReadableBlock } from "cairn-memory/words";
import fc from "fast-check";

const base = { headings: [], place: {} };
const paragraph = (text: string): ReadableBlock => ({ ...base, kind: "paragraph", text });
const row = (table: number, ...cells: string[]): ReadableBlock => ({ ...base, kind: "row", text: cells.join("; "), cells, header: ["A", "B"], table });

const oneOfEach: readonly ReadableBlock[] = [
	{ ...base, kind: "heading", level: 2, text: "Two\nlines" },
	{ ...paragraph("see there"), markdown: "see [there](https://example.org)" },
	{ ...base, kind: "list-item", depth: 0, text: "first", marker: "1." },
	{ ...base, kind: "list-item", depth: 1, text: "inner" },
	row(1, "a|b", "c"),
	row(1, "d"),
	row(2, "e", "f"),
	{ ...base, kind: "code", language: "md", text: "```\nx\n```" },
	{ ...base, kind: "cue", speaker: "Ada", text: "hello" },
	{ ...base, kind: "caption", text: "A picture" },
];

test("every kind of block reads as Markdown", () => {
	expect(blocksToMarkdown(oneOfEach).text).toBe(
		[
			"## Two lines",
			"see [there](https://example.org)",
			"1. first\n  - inner",
			"| A | B |\n| --- | --- |\n| a\\|b | c |\n| d |  |",
			"| A | B |\n| --- | --- |\n| e | f |",
			"````md\n```\nx\n```\n````",
			"**Ada:** hello",
			"A picture",
		].join("\n\n"),
	);
});

test("a span holds the words without the marks around them", () => {
	const { text, blocks } = blocksToMarkdown(oneOfEach);
	const said = blocks.map(({ place }) => text.slice(...(place.span ?? [0, 0])));
	expect(said).toEqual([
		"Two lines",
		"see [there](https://example.org)",
		"first",
		"inner",
		"| a\\|b | c |",
		"| d |  |",
		"| e | f |",
		"```\nx\n```",
		"hello",
		"A picture",
	]);
});

test("a cue may go on with the one before, as long as the speaker does", () => {
	const cue = (speaker: string | null, text: string, separator?: string): ReadableBlock => ({
		...base,
		kind: "cue",
		speaker,
		text,
		...(separator === undefined ? {} : { separator }),
	});
	const { text, blocks } = blocksToMarkdown([cue("Ada", "we went", " "), cue("Ada", "home", " "), cue("Ben", "when?", " "), cue("Ben", "now?")]);
	expect(text).toBe("**Ada:** we went home\n\n**Ben:** when?\n\n**Ben:** now?");
	expect(blocks.map(({ place: { span } }) => text.slice(...(span ?? [])))).toEqual(["we went", "home", "when?", "now?"]);
	expect(blocks.some((block) => "separator" in block)).toBe(false);
});

test("what only reading needs is not kept, what is known of a place is", () => {
	const [block] = blocksToMarkdown([{ ...paragraph("x"), markdown: "*x*", place: { page: 3 } }]).blocks;
	expect(block).toEqual({ kind: "paragraph", text: "x", headings: [], place: { page: 3, span: [0, 3] } } satisfies Block);
});

test("spans are in order, apart, and hold the text of any paragraph", () => {
	const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
	fc.assert(
		fc.property(fc.array(anyText, { maxLength: 20 }), (texts) => {
			const { text, blocks } = blocksToMarkdown(texts.map(paragraph));
			let last = 0;
			for (const [index, { place }] of blocks.entries()) {
				const [begin, end] = place.span ?? [-1, -1];
				expect(begin).toBeGreaterThanOrEqual(last);
				expect(text.slice(begin, end)).toBe(texts[index] ?? "");
				last = end;
			}
		}),
		{ seed: 7, numRuns: 100 },
	);
});

describe("a complete extraction", () => {
	const complete = (draft: Partial<Parameters<typeof completeExtraction>[0]>) => completeExtraction({ blocks: [paragraph("x")], type: "text", ...draft });

	test("has the first title that says something, on one line and not too long", () => {
		expect(complete({}).title).toBeNull();
		expect(complete({ titles: [null, " ", "\u0000", "A\n title", "B"] }).title).toBe("A title");
		const long = complete({ titles: ["é😀".repeat(limits.titleCharactersMax)] }).title ?? "";
		expect(long.length).toBeLessThanOrEqual(limits.titleCharactersMax);
		expect(long).toEndWith("…");
		expect(long.isWellFormed()).toBe(true);
	});

	test("spells languages the usual way", () => {
		const spelled = ["EN-us", "de_DE", "zh-hant-tw", "", "no such language", undefined].map((language) => complete({ language }).language);
		expect(spelled).toEqual(["en-US", "de-DE", "zh-Hant-TW", null, null, null]);
	});

	test("leaves blank blocks out, and is empty without others", () => {
		expect(complete({ blocks: [paragraph(" "), paragraph("x")] }).blocks).toHaveLength(1);
		expect(() => complete({ blocks: [paragraph(" \n")] })).toThrow("no text was found");
	});
});
