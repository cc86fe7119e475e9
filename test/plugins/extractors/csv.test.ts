/** The CSV extractor: delimiters, encodings, headers, row numbers, the contract tests. */

import { describe, expect, test } from "bun:test";
import csvPlugin from "../../../plugins/extractors/csv/index.ts";
import { fixture } from "../../doubles/fixture.ts";
import { extractorNamed, read, sample, testContract } from "./samples.ts";

const start = () => extractorNamed(csvPlugin(), "csv");
const people = ["Name Year Town", "Ada Lovelace 1843 London", "Émilie du Châtelet 1759 Lunéville", "Zhang Heng 132 Luoyang; at court"];

describe("laws", () => {
	testContract(start, [sample("people.csv", "text/csv", people), sample("people.utf-16le.tsv", "text/tab-separated-values", people)]);
});

async function rowsOf(content: Uint8Array | string, mediaType: "text/csv" | "text/tab-separated-values" = "text/csv") {
	const { extraction } = await read(await start(), content, mediaType);
	return extraction.blocks.map((block) => (block.kind === "row" ? { text: block.text, cells: block.cells, header: block.header, row: block.place.row } : null));
}

test.each([
	["people.csv", "text/csv"],
	["people.windows-1252.csv", "text/csv"],
	["people.utf-16le.tsv", "text/tab-separated-values"],
] as const)("%s is read whatever its encoding and delimiter", async (name, mediaType) => {
	const rows = await rowsOf(fixture(name), mediaType);
	expect(rows).toHaveLength(3);
	expect(rows[1]).toEqual({
		text: "Name: Émilie du Châtelet; Year: 1759; Town: Lunéville",
		cells: ["Émilie du Châtelet", "1759", "Lunéville"],
		header: ["Name", "Year", "Town"],
		row: 3,
	});
});

test("rows are counted as a spreadsheet shows them, blank ones too", async () => {
	expect((await rowsOf(fixture("gaps.csv"))).map((row) => row?.row)).toEqual([3, 4, 6]);
});

test("numbers over numbers are no header", async () => {
	const rows = await rowsOf(fixture("numbers.csv"));
	expect(rows.map((row) => row?.text)).toEqual(["1; 20", "2; 40", "3; 60"]);
	expect(rows[0]).toMatchObject({ header: [], row: 1 });
});

test("years over amounts are a header", async () => {
	expect((await rowsOf("Town,2019,2020\nOslo,12,40\nRome,9,11\n"))[0]?.text).toBe("Town: Oslo; 2019: 12; 2020: 40");
});

test("a header alone is not lost, rows may be ragged, a delimiter may be declared", async () => {
	expect((await rowsOf("Name,Year\n"))[0]).toEqual({ text: "Name; Year", cells: ["Name", "Year"], header: [], row: 1 });
	expect((await rowsOf("a,b\nx\ny,z,more\n")).map((row) => row?.text)).toEqual(["a: x", "a: y; b: z; more"]);
	expect((await rowsOf("sep=;\nName;Price\nOil, blue;1,5\n"))[0]?.text).toBe("Name: Oil, blue; Price: 1,5");
});

test("the text is a Markdown table", async () => {
	const { extraction } = await read(await start(), "Name,Note\nAda,a|b\n", "text/csv");
	expect(extraction.text).toBe("| Name | Note |\n| --- | --- |\n| Ada | a\\|b |");
});
