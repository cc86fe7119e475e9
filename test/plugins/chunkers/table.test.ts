import { describe, expect, test } from "bun:test";
import type { Block, ChunkDraft, Chunker } from "cairn-memory";
import table from "../../../plugins/chunkers/table.ts";
import { chunkerContract } from "../../contract/chunker-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { plainExtraction, tableExtraction } from "../../contract/samples-text.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Chunker> => partOf(table(), "chunker");
for (const contractTest of [...pluginContract(table), ...chunkerContract(start)]) test(contractTest.name, contractTest.check);

const row = (cells: readonly string[], number: number, over: Partial<Extract<Block, { kind: "row" }>> = {}): Block => ({
	kind: "row",
	cells,
	header: ["Boat", "Built"],
	table: 1,
	text: cells.join(" "),
	headings: [],
	place: { sheet: "Fleet", row: number },
	...over,
});

async function chunk(blocks: readonly Block[], charactersMax = 2_000): Promise<readonly ChunkDraft[]> {
	return (await start()).chunk({ ...plainExtraction, blocks, text: "" }, { charactersMax }, createStep());
}

describe("table", () => {
	test("recognizes what is mostly rows", async () => {
		const { recognizes } = await start();
		expect(recognizes?.(tableExtraction)).toBeTrue();
		expect(recognizes?.(plainExtraction)).toBeFalse();
	});

	test("a chunk is a Markdown table, indexed with its sheet", async () => {
		const [draft] = await chunk([row(["Maribel", "1902"], 2), row(["Sofie", "1911"], 3)]);
		expect(draft?.text).toBe("| Boat | Built |\n| --- | --- |\n| Maribel | 1902 |\n| Sofie | 1911 |");
		expect(draft?.indexedText).toBe(`Fleet\n\n${draft?.text}`);
		expect(draft?.place).toEqual({ sheet: "Fleet", row: 2 });
	});

	test("every chunk has the header, no row is cut, and the place is that of the first row", async () => {
		const drafts = await chunk(Array.from({ length: 200 }, (_, i) => row([`Boat number ${i}`, `${1800 + i}`], i + 2)));
		let next = 2;
		for (const { text, place } of drafts) {
			const lines = text.split("\n");
			expect(lines.slice(0, 2)).toEqual(["| Boat | Built |", "| --- | --- |"]);
			expect(place.row).toBe(next);
			for (const line of lines.slice(2)) expect(line).toBe(`| Boat number ${next - 2} | ${1798 + next++} |`);
		}
		expect(next).toBe(202);
	});

	test("two tables never share a chunk", async () => {
		const drafts = await chunk([
			row(["Maribel", "1902"], 2),
			row(["Rope", "9"], 2, { table: 2, header: ["Item", "Price"], place: { sheet: "Prices", row: 2 } }),
		]);
		expect(drafts.map(({ place }) => place.sheet)).toEqual(["Fleet", "Prices"]);
	});

	test("a row longer than a chunk is cut, each cell named", async () => {
		const drafts = await chunk([row(["Maribel", "a long story ".repeat(60)], 2)], 300);
		expect(drafts.length).toBeGreaterThan(2);
		expect(drafts[0]?.text).toContain("Boat: Maribel");
		for (const { place } of drafts) expect(place.row).toBe(2);
	});

	test("an endless header is told once and whole, and not repeated", async () => {
		const header = Array.from({ length: 40 }, (_, i) => `Question number ${i}`);
		const drafts = await chunk(
			Array.from({ length: 60 }, (_, i) =>
				row(
					Array.from({ length: 40 }, () => "yes"),
					i + 2,
					{ header },
				),
			),
		);
		const words = drafts.flatMap(({ text }) => text.split(/[\s|]+/));
		expect(words.filter((word) => word === "Question")).toHaveLength(40);
		expect(drafts[0]?.text).toStartWith("| Question number 0 | Question number 1 |");
		expect(drafts[0]?.text.split("\n")).toHaveLength(2);
	});

	test("a table without a header has no header line", async () => {
		const [draft] = await chunk([row(["Maribel", "1902"], 1, { header: [] })]);
		expect(draft?.text).toBe("| Maribel | 1902 |");
	});
});
