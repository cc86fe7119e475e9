/** Numbers: tables sheet by sheet, cells as they are shown, and parts that lead nowhere or lead to one another again and again. */

import { describe, expect, spyOn, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { createOutline } from "../../../../plugins/formats/blocks/outline.ts";
import { readObjects } from "../../../../plugins/formats/iwork/object-store.ts";
import { createTableReader, tableTypes } from "../../../../plugins/formats/iwork/tables.ts";
import { openZip } from "../../../../plugins/formats/zip/zip-archive.ts";
import { bytesField, numberField, partOf } from "../../../doubles/iwork-files.ts";
import { documentOf, listedAgain, numbersOf, sheetOf, tableObjects } from "../../../doubles/numbers-files.ts";
import { zipOf } from "../../../doubles/zip-of.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const start = () => extractorNamed(officePlugin(), "numbers");
const type = "application/vnd.apple.numbers";
const extracted = async (bytes: Uint8Array) => (await read(await start(), bytes, type)).extraction;

const crew = {
	name: "Crew",
	headerRows: 1,
	rows: [
		["Name", "Years"],
		["Siri", 7],
		[null, null],
		["Olle", 12.5],
	],
} as const;
const book = numbersOf({ name: "Harbour", tables: [crew] });

describe("laws", () => {
	testContract(start, [
		{ bytes: book, mediaType: type, fileName: "a.numbers", words: "Harbour Crew Name Years Siri 7 Olle 12.5".split(" "), headings: ["Harbour"] },
	]);
});

test("each row has its header, its sheet and its number; rows without a text are left out", async () => {
	const { text, blocks } = await extracted(book);
	expect(text).toBe("# Harbour\n\nCrew\n\n| Name | Years |\n| --- | --- |\n| Siri | 7 |\n| Olle | 12.5 |");
	const rows = blocks.filter(({ kind }) => kind === "row");
	expect(rows.map(({ place }) => [place.sheet, place.row])).toEqual([2, 4].map((row) => ["Harbour", row]));
});

test("cells are shown as their kinds and formats say", async () => {
	const rows = [
		["A", "B"],
		[0.1 + 0.2, -4.4],
		[{ percent: 35 }, { euros: 5.5 }],
		[true, { seconds: 5_025 }],
		[new Date(Date.UTC(2026, 4, 17)), new Date(Date.UTC(2026, 4, 17, 14, 35))],
		[{ rich: "in bold\uFFFC" }, "plain"],
	] as const;
	const { text } = await extracted(numbersOf({ name: "S", tables: [{ name: null, headerRows: 1, rows }] }));
	expect(text.split("\n").slice(4)).toEqual([
		"| 0.3 | -4.4 |",
		"| 35% | 5.5 EUR |",
		"| TRUE | 1:23:45 |",
		"| 2026-05-17 | 2026-05-17 14:35 |",
		"| in bold | plain |",
	]);
});

test("several tables and sheets come in their order, names that are hidden are not shown, wide rows are read", async () => {
	const second = { name: null, isWide: true, rows: [[null, "b2"], ["a3"]] } as const;
	const { text, blocks } = await extracted(numbersOf({ name: "One", tables: [crew, second] }, { name: "Two", tables: [second] }));
	expect(text.indexOf("# Two")).toBeGreaterThan(text.indexOf("b2"));
	expect(text).not.toContain("hidden");
	const places = blocks.filter(({ kind }) => kind === "row").map(({ place }) => [place.sheet, place.row]);
	expect(places).toEqual([
		["One", 2],
		["One", 4],
		["One", undefined],
		["One", undefined],
		["Two", 1],
		["Two", 2],
	]);
});

test("long tables lie in many tiles, whose order is that of their numbers", async () => {
	const rows = Array.from({ length: 700 }, (_, i) => [`row ${i}`]);
	const { blocks } = await extracted(numbersOf({ name: "S", tables: [{ name: null, rows }] }));
	expect(blocks.filter(({ kind }) => kind === "row").map(({ place }) => place.row)).toEqual(rows.map((_, i) => i + 1));
});

test("what is protected, older, or has no cells is told as such", async () => {
	expect(await codeOf(extracted(zipOf({ "Index/Document.iwa": "locked", ".iwpv2": "check" })))).toBe("FILE_ENCRYPTED");
	expect(await codeOf(extracted(zipOf({ "index.xml": "<document/>" })))).toBe("EXTRACTOR_MISSING");
	expect(await codeOf(extracted(numbersOf({ name: "S", tables: [{ name: "T", rows: [] }] })))).toBe("CONTENT_EMPTY");
	const old = { id: 11_000, type: 6002, message: bytesField(5, Buffer.concat([numberField(1, 0), bytesField(3, Buffer.from("cell"))])) };
	const objects = [documentOf([10]), sheetOf(10, "S", [10_000]), ...tableObjects(10_000, crew).map((object) => (object.type === 6002 ? old : object))];
	expect(await codeOf(extracted(zipOf({ "Index/Document.iwa": partOf(objects) })))).toBe("EXTRACTOR_MISSING");
});

test("cells that begin or end beyond their row are broken, keys that lead nowhere are empty", async () => {
	const objects = tableObjects(10_000, { name: null, rows: [["a", 1, { rich: "b" }]] });
	const withTile = (message: Uint8Array, lists = true) =>
		zipOf({
			"Index/Document.iwa": partOf([
				documentOf([10]),
				sheetOf(10, "S", [10_000]),
				...objects.filter((object) => lists || object.type !== 6005).map((object) => (object.type === 6002 ? { ...object, message } : object)),
			]),
		});
	const row = (offset: number) =>
		bytesField(5, Buffer.concat([bytesField(6, Buffer.from([5, 2, 0, 0])), bytesField(7, Buffer.from([offset & 0xff, offset >> 8]))]));
	for (const offset of [0, 3, 4, 0x7fff, 0xfffe]) expect(await codeOf(extracted(withTile(row(offset))))).toBe("FILE_BROKEN");
	const sound = objects.find((object) => object.type === 6002)?.message ?? new Uint8Array();
	expect((await extracted(withTile(sound, false))).text).toContain("|  | 1 |");
});

test("a long text that all cells of all rows refer to is not repeated without end", async () => {
	const objects = tableObjects(10_000, { name: null, rows: [["long ".repeat(20_000)]] });
	const cell = Buffer.from([5, 3, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0]);
	const rowAt = (index: number, columns: number) =>
		bytesField(5, Buffer.concat([numberField(1, index), bytesField(6, cell), bytesField(7, Buffer.alloc(2 * columns))]));
	const withTile = (message: Uint8Array) =>
		zipOf({
			"Index/Document.iwa": partOf([
				documentOf([10]),
				sheetOf(10, "S", [10_000]),
				...objects.map((object) => (object.type === 6002 ? { ...object, message } : object)),
			]),
		});
	expect(await codeOf(extracted(withTile(rowAt(0, 1_000))))).toBe("OUTPUT_TOO_LARGE");
	const rows = Buffer.concat(Array.from({ length: 30 }, (_, index) => rowAt(index, 40)));
	const { extraction, step } = await read(await start(), withTile(rows), type);
	expect(step.warnings.map(({ code }) => code)).toEqual(["CONTENT_CUT"]);
	expect(extraction.text.length).toBeLessThan(51_000_000);
}, 60_000);

test("a sheet, a table and a tile are read once, however often they are listed", async () => {
	const { text } = await extracted(zipOf({ "Index/Document.iwa": partOf(listedAgain(20_000)) }));
	expect(text.split("once")).toHaveLength(2);
}, 60_000);

test("texts are read once, however many cells, keys and attachments refer to them", () => {
	const decoded = spyOn(TextDecoder.prototype, "decode");
	const cells = [
		[5, 3, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0],
		[5, 9, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0],
	].map((cell) => Buffer.from(cell));
	const rowAt = (index: number, cell: Uint8Array) =>
		bytesField(5, Buffer.concat([numberField(1, index), bytesField(6, cell), bytesField(7, Buffer.alloc(80))]));
	const rows = Buffer.concat(Array.from({ length: 50 }, (_, index) => rowAt(index, cells[index % 2] as Uint8Array)));
	const [info, ...rest] = tableObjects(10_000, { name: null, rows: [["plain ".repeat(100), { rich: "rich ".repeat(100) }]] });
	const objects = [info, ...rest].flatMap((object) => (object === undefined ? [] : [object.type === 6002 ? { ...object, message: rows } : object]));
	const store = readObjects(openZip(zipOf({ "Index/Document.iwa": partOf(objects) })), new Set(tableTypes));
	const asked = spyOn(store, "get");
	const outline = createOutline();
	const tables = createTableReader(store, outline, () => false);
	decoded.mockClear();
	for (let time = 0; time < 3; time++) expect(tables.add(10_000, () => ({}))).toBe(time === 0);
	expect(outline.blocks.filter(({ kind }) => kind === "row").map(({ text }) => text.split("plain").length + text.split("rich").length)).toContain(4_002);
	const long = decoded.mock.calls.filter(([bytes]) => (bytes?.byteLength ?? 0) > 400);
	decoded.mockRestore();
	expect(long).toHaveLength(2);
	expect(asked.mock.calls.map(([id]) => id).filter((id) => id === 10_000 || id === 10_500)).toEqual([10_000, 10_500]);
});

test("bytes that are no cells never end in anything but a text or FILE_BROKEN", async () => {
	const objects = tableObjects(10_000, crew);
	for (let seed = 1; seed < 100; seed++) {
		const noise = Buffer.from(Array.from({ length: 60 }, (_, at) => (seed * 7919 * (at + 3) + (at >> 2) * seed) % 256));
		const row = bytesField(5, Buffer.concat([bytesField(6, noise), bytesField(7, Buffer.from([0, 0, seed % 60, 0]))]));
		const parts = [documentOf([10]), sheetOf(10, "S", [10_000]), ...objects.map((object) => (object.type === 6002 ? { ...object, message: row } : object))];
		const ended = await extracted(zipOf({ "Index/Document.iwa": partOf(parts) })).catch(({ code }) => code);
		if (typeof ended === "string") expect(["FILE_BROKEN", "CONTENT_EMPTY"]).toContain(ended);
	}
});
