/** Long tables in the real sandbox: whole, with progress, in a third of the memory that the blocks alone would take. */

import { afterAll, expect, test } from "bun:test";
import type { MediaType, Plugin } from "cairn-memory";
import { csvFile, jsonLines, jsonTable, sharedXlsxFile } from "../../../bench/big/big-files.ts";
import csvPlugin from "../../../plugins/extractors/csv/index.ts";
import jsonPlugin from "../../../plugins/extractors/json/index.ts";
import markdownPlugin from "../../../plugins/extractors/markdown/index.ts";
import officePlugin from "../../../plugins/extractors/office/index.ts";
import { createSandbox } from "../../../server/boot/sandbox/create-sandbox.ts";
import { createHost, createStep, sourceOf, startExtractors } from "../../doubles/extractor-host.ts";

/** Before rows travelled packed, none of these tables could be read with so much. */
const memoryMbMax = 400;
const sandbox = createSandbox({ log: () => undefined, processesMax: 1, memoryMbMax });
afterAll(() => sandbox.close());

async function extract(plugin: Plugin, bytes: Uint8Array, mediaType: MediaType) {
	const extractors = await startExtractors(plugin, createHost(sandbox));
	const extractor = extractors.find(({ accepts }) => accepts.includes(mediaType));
	if (extractor === undefined) throw new Error(`nothing reads ${mediaType}`);
	const units = new Set<string>();
	const step = { ...createStep(), progress: ({ unit }: { readonly unit: string }) => void units.add(unit) };
	const { blocks, text } = await extractor.extract(sourceOf(bytes, mediaType), step);
	return { blocks, text, units };
}

const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

test("100,000 rows of CSV", async () => {
	const { blocks, text, units } = await extract(csvPlugin(), csvFile(100_000), "text/csv");
	expect(blocks).toHaveLength(100_000);
	expect(blocks.at(-1)).toMatchObject({ kind: "row", table: 1, place: { row: 100_001 } });
	expect(blocks.at(-1)?.text).toStartWith("order: 199999; customer: ");
	expect(text.slice(...(blocks.at(-1)?.place.span ?? [0, 0]))).toStartWith("| 199999 | ");
	expect([...units]).toEqual(["row"]);
}, 120_000);

test("60,000 rows of a sheet", async () => {
	const { blocks, units } = await extract(officePlugin(), sharedXlsxFile(60_000), sheet);
	expect(blocks).toHaveLength(60_001);
	expect(blocks.at(-1)).toMatchObject({ kind: "row", headings: ["Orders"], place: { sheet: "Orders", row: 60_001 } });
	expect(blocks.at(-1)?.text).toStartWith("order: 159999; customer: ");
	expect([...units]).toEqual(["row"]);
}, 120_000);

test("10 MB of JSON", async () => {
	const { blocks, units } = await extract(jsonPlugin(), jsonTable(10e6), "application/json");
	expect(blocks.length).toBeGreaterThan(50_000);
	expect(blocks.at(-1)?.text).toStartWith(`order: ${100_000 + blocks.length - 1}; customer: `);
	expect([...units]).toEqual(["character"]);
}, 120_000);

test("2 MB of JSON lines, one of them broken", async () => {
	const lines = Buffer.from(jsonLines(2e6)).toString().trimEnd().split("\n");
	lines[1_000] = "not JSON";
	const { blocks } = await extract(jsonPlugin(), Buffer.from(lines.join("\n")), "application/x-ndjson");
	expect(blocks).toHaveLength(lines.length);
	expect(blocks[1_000]).toMatchObject({ kind: "paragraph", text: "not JSON" });
	expect(blocks.at(-1)).toMatchObject({ kind: "row", place: { row: lines.length } });
	expect(blocks.at(-1)?.text).toStartWith(`order: ${100_000 + lines.length - 1}; customer: `);
}, 120_000);

test("a table of 1,500 rows in Markdown is one table, and a list counts on", async () => {
	const rows = Array.from({ length: 1_500 }, (_, at) => `| **row ${at}** | [link](https://example.org/${at}) | a \\| b |`);
	const items = Array.from({ length: 800 }, (_, at) => `${at + 5}. item *${at}*`);
	const source = ["| a | b | c |", "|---|:-:|---|", ...rows, "", "Between", "", ...items].join("\n");
	const { blocks, text } = await extract(markdownPlugin(), Buffer.from(source), "text/markdown");
	expect(blocks).toHaveLength(2_301);
	const table = blocks.slice(0, 1_500);
	expect(table.every((block, at) => block.kind === "row" && block.table === 1 && block.cells[0] === `row ${at}` && block.cells[2] === "a | b")).toBe(true);
	expect(text.split("\n")).toContain("804. item *799*");
	expect(text.match(/--- \|/g)).toHaveLength(3);
}, 120_000);
