/** Blocks written one by one: the same extraction, packed on its way, and a warning about what is too much. */

import { describe, expect, test } from "bun:test";
import { limits } from "cairn-memory";
import { completeExtraction, createExtractionWriter, type ReadableBlock, rowText, unpackExtraction } from "cairn-memory/words";
import fc from "fast-check";
import { parseStoredExtraction, writeStoredExtraction } from "../../../core/ingest/stored-extraction.ts";
import type { PackedExtraction } from "../../../core/text/packed-extraction.ts";

const seed = 20_261_121;
const type = "text";

/** Cells that look like the borders of cells, blank ones, and ones with lines. */
const cell = fc.oneof(fc.constantFrom("", "a", " | ", "|", "\\|", "a\nb", " a ", "a  b", "|  |", "ü€😀"), fc.string({ maxLength: 6 }));
const sheetPlace = fc.record({ sheet: fc.constantFrom("One", "Two"), row: fc.integer({ min: 1, max: 1e6 }) }, { requiredKeys: [] });
const words = fc.constantFrom("words", "more\n\nwords", " spaced ", "|");
const [headings, header] = [["Top"], ["name", "", "c|c"]];

const block: fc.Arbitrary<ReadableBlock> = fc.oneof(
	fc.record({ kind: fc.constant("heading" as const), level: fc.integer({ min: 1, max: 6 }), text: words, headings: fc.constant(headings), place: sheetPlace }),
	fc.record({ kind: fc.constantFrom("paragraph" as const, "caption" as const), text: words, headings: fc.constant(headings), place: sheetPlace }),
	fc.record({ kind: fc.constant("paragraph" as const), text: words, markdown: fc.constant("**words**"), headings: fc.constant(headings), place: sheetPlace }),
	fc.record({ kind: fc.constant("list-item" as const), depth: fc.nat(2), text: words, headings: fc.constant(headings), place: fc.constant({ page: 3 }) }),
	fc
		.record({ cells: fc.array(cell, { minLength: 1, maxLength: 5 }), table: fc.integer({ min: 1, max: 2 }), place: sheetPlace })
		.filter(({ cells }) => cells.some((each) => each.trim() !== ""))
		.map((row) => ({ ...row, kind: "row" as const, header, headings, text: rowText(header, row.cells) })),
);

function written(blocks: readonly ReadableBlock[]): PackedExtraction {
	const writer = createExtractionWriter();
	for (const each of blocks) {
		if (each.kind === "row") writer.addRow(each);
		else writer.add(each);
	}
	expect(writer.warnings()).toEqual([]);
	return structuredClone(writer.complete({ type }));
}

/** As whoever reads it sees it. */
function plain(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value));
}

describe("an extraction written block by block", () => {
	test("is the one that is completed at once", () => {
		fc.assert(
			fc.property(fc.array(block, { minLength: 1, maxLength: 30 }), (blocks) => {
				expect(unpackExtraction(written(blocks))).toEqual(completeExtraction({ blocks, type }));
			}),
			{ seed, numRuns: 300 },
		);
	});

	test("is the same when there are so many blocks that they stay packed", async () => {
		const some = fc.sample(block, { seed, numRuns: 200 });
		const blocks = Array.from({ length: 12_000 }, (_, at) => some[at % some.length] ?? fc.sample(block, 1)[0]).filter((each) => each !== undefined);
		const expected = completeExtraction({ blocks, type });
		const packed = unpackExtraction(written(blocks));
		expect(plain(packed)).toEqual(plain(expected));
		expect(packed.blocks.map(({ text }) => text)).toEqual(expected.blocks.map(({ text }) => text));
		expect(packed.blocks.map(({ kind, headings: above, place }) => [kind, above, place])).toEqual(
			expected.blocks.map(({ kind, headings: above, place }) => [kind, above, place]),
		);
		const pieces = await Array.fromAsync(writeStoredExtraction({ mediaType: "text/csv", extraction: packed }));
		const kept = Buffer.concat(pieces);
		expect(plain(parseStoredExtraction(kept)?.extraction)).toEqual(plain(expected));
		expect(kept.length).toBeLessThan(JSON.stringify(expected).length);
	});

	test("a long table takes little more than its text while it travels", () => {
		const writer = createExtractionWriter();
		const cells = ["Ada Lovelace", "ada@example.org", "2026-03-01", "12.50"];
		for (let row = 1; row <= 5_000; row++) writer.addRow({ cells, header, headings, table: 1, place: { row } });
		const { parts, text } = writer.complete({ type });
		expect(parts).toHaveLength(1);
		expect(JSON.stringify({ ...parts[0], marks: null }).length).toBeLessThan(300);
		expect(text.length).toBeLessThan(5_000 * 60);
	});

	test("says what it leaves out when there is more than a document may hold, and nothing comes behind a gap", () => {
		const writer = createExtractionWriter();
		const long = "x".repeat(limits.extractedCharactersMax / 5 - 10);
		for (let at = 1; at <= 6; at++) writer.add({ kind: "paragraph", text: long, headings: [], place: { row: at } });
		writer.add({ kind: "paragraph", text: "short", headings: [], place: { row: 7 } });
		expect(writer.isFull()).toBe(true);
		const [warn] = writer.warnings();
		expect(warn).toMatchObject({ code: "CONTENT_CUT", place: { row: 5 } });
		const { text, parts } = writer.complete({ type });
		expect(text.length).toBeLessThanOrEqual(limits.extractedCharactersMax);
		expect(unpackExtraction({ parts, text, title: null, description: null, language: null, type }).blocks).toHaveLength(5);
	});

	test("is no extraction without words", () => {
		const writer = createExtractionWriter();
		writer.add({ kind: "paragraph", text: " ", headings: [], place: {} });
		expect(() => writer.complete({ type })).toThrow(expect.objectContaining({ code: "CONTENT_EMPTY" }));
	});
});
