/** How blocks read in a chunk: numbers of lists, names of columns, and what a cut leaves of them. */

import { describe, expect, test } from "bun:test";
import type { Block } from "cairn-memory";
import { packPieces, pieceSplitter } from "cairn-memory/words";

const item = (text: string, depth = 0, marker?: string): Block => ({
	kind: "list-item",
	depth,
	text,
	headings: [],
	place: {},
	...(marker !== undefined && { marker }),
});
const paragraph = (text: string): Block => ({ kind: "paragraph", text, headings: [], place: {} });
const prices = ["Lamp", "Price"] as const;
const row = (cells: readonly string[], number = 2, table = 1, header: readonly string[] = prices): Block => ({
	kind: "row",
	cells,
	header,
	table,
	text: cells.map((cell, at) => `${header[at] ?? ""}: ${cell}`).join("; "),
	headings: [],
	place: { row: number },
});

function pack(blocks: readonly Block[], target: number, charactersMax = target) {
	return packPieces(blocks.flatMap(pieceSplitter(charactersMax, "")), target, charactersMax);
}
const textOf = (...blocks: readonly Block[]) =>
	pack(blocks, 2_000)
		.map(({ text }) => text)
		.join("\n@\n");

describe("lists", () => {
	test("keep what they are numbered by", () => {
		expect(textOf(item("boots", 0, "3."), item("laces", 1, "a)"), item("wool", 1), item("lamp", 0, "4."))).toBe("3. boots\n  a) laces\n  - wool\n4. lamp");
	});

	test("every part of a long item has its number, and no mark fills a chunk", () => {
		const long = "The keeper counts the boats. ".repeat(10).trim();
		for (const { text } of pack([item(long, 0, "12.")], 100)) expect(text).toStartWith("12. The keeper");
		expect(textOf(item("x", 0, "n".repeat(500))).length).toBeLessThan(50);
	});
});

describe("tables", () => {
	test("have the names of their columns, with what stands before and behind them", () => {
		expect(textOf(paragraph("Our prices:"), row(["Nimbus", "9"]), row(["Cirrus", "12"], 3), paragraph("In crowns."))).toBe(
			"Our prices:\n\n| Lamp | Price |\n| --- | --- |\n| Nimbus | 9 |\n| Cirrus | 12 |\n\nIn crowns.",
		);
	});

	test("repeat them in every chunk, within its size, and each chunk knows its first row", () => {
		const drafts = pack(
			Array.from({ length: 60 }, (_, at) => row([`Nimbus ${at}`, `${at} crowns`], at + 2)),
			200,
		);
		expect(drafts.length).toBeGreaterThan(5);
		let next = 0;
		for (const { text, place } of drafts) {
			const [names, rule, ...lines] = text.split("\n");
			expect([names, rule]).toEqual(["| Lamp | Price |", "| --- | --- |"]);
			expect(text.length).toBeLessThanOrEqual(200);
			expect(place.row).toBe(next + 2);
			for (const line of lines) expect(line).toBe(`| Nimbus ${next} | ${next++} crowns |`);
		}
		expect(next).toBe(60);
	});

	test("are indexed with them once: a question of these words alone finds the first part and not all", () => {
		const drafts = pack(
			Array.from({ length: 60 }, (_, at) => row([`Nimbus ${at}`, `${at} crowns`], at + 2)),
			200,
		);
		expect(drafts.map(({ indexedText }) => indexedText.includes("| Lamp | Price |"))).toEqual(drafts.map((_, at) => at === 0));
		for (const { text, indexedText } of drafts) expect(text).toEndWith(indexedText);
	});

	test("that follow each other stay apart", () => {
		expect(textOf(row(["Nimbus", "9"]), row(["Rope", "3"], 2, 2, ["Thing", "Metres"]))).toBe(
			"| Lamp | Price |\n| --- | --- |\n| Nimbus | 9 |\n\n| Thing | Metres |\n| --- | --- |\n| Rope | 3 |",
		);
	});

	test("with endless names tell them once, and lose no word of them", () => {
		const names = Array.from({ length: 12 }, (_, at) => `What do you think of lamp number ${at}?`);
		const drafts = pack(
			Array.from({ length: 30 }, (_, at) =>
				row(
					names.map(() => "9"),
					at + 2,
					1,
					names,
				),
			),
			300,
		);
		const words = drafts.flatMap(({ text }) => text.split(/\s+/));
		for (const [at] of names.entries()) expect(words.filter((word) => word === `${at}?`)).toHaveLength(1);
		for (const { text } of drafts) expect(text.length).toBeLessThanOrEqual(300);
	});

	test("have a name above every cell of their first row, and none where none is known", () => {
		expect(textOf(row(["Nimbus", "9", "new"]))).toStartWith("| Lamp | Price |  |\n| --- | --- | --- |\n");
		expect(textOf(row(["Nimbus", "9"], 1, 1, []))).toBe("| Nimbus | 9 |");
	});

	test("name the columns within the words of a row that had to be cut", () => {
		const [first, ...more] = pack([row(["Nimbus", "The lamp is seen from afar. ".repeat(20).trim()]), row(["Cirrus", "12"], 3)], 200);
		expect(first?.text).toStartWith("Lamp: Nimbus; Price: The lamp");
		expect(more.at(-1)?.text).toEndWith("\n\n| Lamp | Price |\n| --- | --- |\n| Cirrus | 12 |");
	});
});
