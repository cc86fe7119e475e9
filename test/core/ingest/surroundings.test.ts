/** A chunk knows the headings above its text and the caption of its table, whichever chunker made it. */

import { describe, expect, test } from "bun:test";
import type { Block, Chunker, Plugin } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";
import { surroundingsIn } from "../../../core/ingest/surroundings.ts";
import headings from "../../../plugins/chunkers/headings.ts";
import paragraphs from "../../../plugins/chunkers/paragraphs.ts";
import table from "../../../plugins/chunkers/table.ts";
import { quietHost } from "../../contract/quiet-host.ts";
import { createStep } from "../../doubles/step.ts";

const place = {};
const heading = (text: string, level: number, above: readonly string[]): ReadableBlock => ({ kind: "heading", text, level, headings: above, place });
const paragraph = (text: string, above: readonly string[]): ReadableBlock => ({ kind: "paragraph", text, headings: above, place });
const row = (cells: readonly string[], above: readonly string[], number = 1): Block => ({
	kind: "row",
	text: cells.join(" "),
	cells,
	header: ["Part", "Price"],
	table: number,
	headings: above,
	place,
});

async function chunksOf(blocks: readonly ReadableBlock[], factory: (options?: never) => Plugin, charactersMax = 400) {
	const extraction = completeExtraction({ blocks, type: "text" });
	const [chunker] = ((await factory().start({}, quietHost())).chunker ?? []) as readonly Chunker[];
	const drafts = (await chunker?.chunk(extraction, { charactersMax }, createStep())) ?? [];
	const surroundingsOf = surroundingsIn(extraction.blocks);
	return drafts.map(({ text, place: chunkPlace }) => ({ text, ...surroundingsOf(chunkPlace) }));
}

const prices = ["Bicycles", "Prices"];
const handbook: readonly ReadableBlock[] = [
	heading("Bicycles", 1, []),
	paragraph("A bicycle has two wheels.", ["Bicycles"]),
	heading("Prices", 2, ["Bicycles"]),
	paragraph("Table 2: What parts cost in spring", prices),
	...Array.from({ length: 40 }, (_, i) => row([`chain ${i}`, `${i} EUR`], prices)),
	heading("Shops", 2, ["Bicycles"]),
	paragraph("Every town has one.", ["Bicycles", "Shops"]),
];

describe("the surroundings of a chunk", () => {
	for (const [name, factory] of [
		["headings", headings],
		["table", table],
		["paragraphs", paragraphs],
	] as const)
		test(`are the headings above it, and for each part of a table its caption: ${name}`, async () => {
			const chunks = await chunksOf(handbook, factory);
			const parts = chunks.filter(({ text }) => text.includes("| chain"));
			expect(parts.length).toBeGreaterThan(2);
			for (const part of parts.slice(1)) expect(part).toMatchObject({ headings: prices, caption: "Table 2: What parts cost in spring" });
			expect(chunks[0]).toMatchObject({ headings: ["Bicycles"] });
		});

	test("a caption may stand below, if it is numbered; the text beside a table is none", async () => {
		const [below] = await chunksOf([row(["chain", "9"], []), paragraph("Tabelle 1 – Preise im Mai", [])], table);
		expect(below?.caption).toBe("Tabelle 1 – Preise im Mai");
		const [none] = await chunksOf([row(["chain", "9"], []), paragraph("Prices are those of May.", [])], table);
		expect(none?.caption).toBeUndefined();
	});

	test("of a table in a data file are in front of its first part, and searched with all", async () => {
		const caption: Block = { kind: "caption", text: "orders.items", headings: [], place };
		const extraction = completeExtraction({ blocks: [caption, ...Array.from({ length: 40 }, (_, i) => row([`chain ${i}`, "9"], []))], type: "text" });
		const [chunker] = ((await table().start({}, quietHost())).chunker ?? []) as readonly Chunker[];
		const drafts = (await chunker?.chunk(extraction, { charactersMax: 400 }, createStep())) ?? [];
		expect(drafts[0]?.text).toStartWith("orders.items\n\n| Part | Price |");
		expect(drafts[1]?.text).toStartWith("| Part | Price |");
		for (const { indexedText } of drafts) expect(indexedText).toStartWith("orders.items\n\n| Part | Price |");
	});

	test("a deep path keeps the innermost headings, each cut to a length", async () => {
		const deep = Array.from({ length: 9 }, (_, i) => `Level ${i} ${"x".repeat(500)}`);
		const [chunk] = await chunksOf([paragraph("At the bottom.", deep)], paragraphs);
		expect(chunk?.headings?.map((name) => name.slice(0, 7))).toEqual(["Level 3", "Level 4", "Level 5", "Level 6", "Level 7", "Level 8"]);
		expect(Math.max(...(chunk?.headings ?? []).map(({ length }) => length))).toBe(120);
	});

	test("blocks without spans have none", () => expect(surroundingsIn([{ ...row(["a"], prices) }])({ span: [0, 5] })).toEqual({}));

	test("half a million rows take bounded time", () => {
		const blocks = Array.from({ length: 500_000 }, (_, i): Block => ({ ...row([`${i}`], prices), place: { span: [i * 10, i * 10 + 9] } }));
		const surroundingsOf = surroundingsIn(blocks);
		const began = performance.now();
		for (let i = 0; i < 500_000; i += 20) surroundingsOf({ span: [i * 10, i * 10 + 199] });
		expect(performance.now() - began).toBeLessThan(20_000);
	});
});
