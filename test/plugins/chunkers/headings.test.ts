import { describe, expect, test } from "bun:test";
import type { Block, ChunkDraft, Chunker } from "cairn-memory";
import headings from "../../../plugins/chunkers/headings.ts";
import { chunkerContract } from "../../contract/chunker-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { headedExtraction, plainExtraction } from "../../contract/samples-text.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Chunker> => partOf(headings(), "chunker");
for (const contractTest of [...pluginContract(headings), ...chunkerContract(start)]) test(contractTest.name, contractTest.check);

const heading = (level: number, text: string, above: readonly string[]): Block => ({ kind: "heading", level, text, headings: above, place: {} });
const paragraph = (text: string, above: readonly string[]): Block => ({ kind: "paragraph", text, headings: above, place: {} });

async function chunk(blocks: readonly Block[], charactersMax = 2_000): Promise<readonly ChunkDraft[]> {
	return (await start()).chunk({ ...plainExtraction, blocks, text: "" }, { charactersMax }, createStep());
}

describe("headings", () => {
	test("recognizes a document with headings and no other", async () => {
		const { recognizes } = await start();
		expect(recognizes?.(headedExtraction)).toBeTrue();
		expect(recognizes?.(plainExtraction)).toBeFalse();
		expect(recognizes?.({ ...plainExtraction, blocks: [heading(1, "Title only", [])] })).toBeFalse();
	});

	test("no chunk reaches across a heading, however short", async () => {
		const drafts = await chunk([
			heading(2, "Fees", ["Harbour"]),
			paragraph("Nine crowns.", ["Harbour", "Fees"]),
			heading(2, "Hours", ["Harbour"]),
			paragraph("Always.", ["Harbour", "Hours"]),
		]);
		expect(drafts.map(({ text }) => text)).toEqual(["## Fees\n\nNine crowns.", "## Hours\n\nAlways."]);
	});

	test("the path is indexed, the text is as read", async () => {
		const drafts = await chunk([heading(2, "Fees", ["Harbour"]), paragraph("A night costs nine crowns. ".repeat(120).trim(), ["Harbour", "Fees"])]);
		expect(drafts.length).toBeGreaterThan(1);
		for (const { text, indexedText } of drafts) expect(indexedText).toBe(`Harbour › Fees\n\n${text}`);
		expect(drafts[1]?.text).toStartWith("A night");
	});

	test("headings with nothing between them stay together", async () => {
		const drafts = await chunk([heading(1, "Harbour", []), heading(2, "Fees", ["Harbour"]), paragraph("Nine crowns.", ["Harbour", "Fees"])]);
		expect(drafts.map(({ text }) => text)).toEqual(["# Harbour\n\n## Fees\n\nNine crowns."]);
	});

	test("an endless path takes a quarter of the chunk at most", async () => {
		const above = ["outer ".repeat(100), "inner ".repeat(100)];
		for (const { text, indexedText } of await chunk([paragraph("Nine crowns. ".repeat(50), above)], 200)) {
			expect(indexedText.length - text.length).toBeLessThanOrEqual(52);
			expect(indexedText).toStartWith("inner");
		}
	});
});
