/** Pages and Keynote: text in its order, and parts that lie about their lengths. */

import { describe, expect, spyOn, test } from "bun:test";
import type { MediaType } from "cairn-memory";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { createOutline } from "../../../../plugins/formats/blocks/outline.ts";
import { readObjects } from "../../../../plugins/formats/iwork/object-store.ts";
import { decompressSnappy } from "../../../../plugins/formats/iwork/snappy.ts";
import { createTableReader, tableTypes } from "../../../../plugins/formats/iwork/tables.ts";
import { addText, createTextTarget, textTypes } from "../../../../plugins/formats/iwork/texts.ts";
import { openZip } from "../../../../plugins/formats/zip/zip-archive.ts";
import { blockOf, bytesField, type IworkObject, keynoteOf, numberField, pagesOf, partOf, reference, textObject, varint } from "../../../doubles/iwork-files.ts";
import { tableObjects } from "../../../doubles/numbers-files.ts";
import { zipOf } from "../../../doubles/zip-of.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const start = () => extractorNamed(officePlugin(), "iwork");
const pages = "application/vnd.apple.pages";
const keynote = "application/vnd.apple.keynote";
const textIn = async (bytes: Uint8Array, type: MediaType = pages) => (await read(await start(), bytes, type)).extraction.text;

const report = pagesOf(textObject(1, "Beside the text"), textObject(2, "The keeper slept.\n\uFFFC\u0005Nobody woke him.\u2028At all.", 0));

describe("laws", () => {
	testContract(start, [
		{ bytes: report, mediaType: pages, fileName: "a.pages", words: "The keeper slept. Nobody woke him. At all. Beside the text".split(" "), headings: [] },
	]);
});

test("of Pages the body is first; pictures and breaks are no letters", async () => {
	expect(await textIn(report)).toBe("The keeper slept.\n\nNobody woke him.\n\nAt all.\n\nBeside the text");
});

test("slides come as they are shown, notes last, and what stands on master slides is not read", async () => {
	const slides = [[textObject(5, "Second")], [textObject(7, "Look up", 4), textObject(6, "First")], [textObject(8, "Not shown")]];
	const { extraction } = await read(await start(), keynoteOf(slides, [1, 0, 1]), keynote);
	expect(extraction.text).toBe("First\n\nNotes: Look up\n\nSecond");
	expect(extraction.blocks.map(({ place }) => place.slide)).toEqual([1, 1, 2]);
});

/** @param styles the styles of paragraphs @param attached what stands at places of the text, as the objects that hold it */
function styledText(
	id: number,
	text: string,
	styles: readonly (readonly [at: number, style: number])[],
	attached: readonly (readonly [at: number, object: number])[] = [],
) {
	const table = (entries: typeof styles) =>
		Buffer.concat(entries.map(([at, object]) => bytesField(1, Buffer.concat([numberField(1, at), bytesField(2, reference(object))]))));
	const { type, message } = textObject(id, text, 0);
	return { id, type, message: Buffer.concat([message, bytesField(5, table(styles)), bytesField(9, table(attached))]) };
}

function styleObject(id: number, name: string, identifier: string, parent?: number): IworkObject {
	const names = [bytesField(1, Buffer.from(name)), bytesField(2, Buffer.from(identifier))];
	const common = parent === undefined ? Buffer.concat(names) : bytesField(3, reference(parent));
	return { id, type: 2022, message: bytesField(1, common) };
}

const attachment = (id: number, drawable: number): IworkObject => ({ id, type: 2003, message: bytesField(1, reference(drawable)) });
const prices = {
	name: "Prices",
	headerRows: 1,
	rows: [
		["Lamp", "Price"],
		["Oil", { euros: 3.5 }],
	],
} as const;
const pricesShown = "Prices\n\n| Lamp | Price |\n| --- | --- |\n| Oil | 3.5 EUR |";

test("headings of Pages are known by their styles, in other languages and in variations too", async () => {
	const text = ["Harbour", "The sea.", "Lamps", "Oil.", "Wicks", "Cotton.", "Mine"];
	const at = (line: string) => text.join("\n").indexOf(line);
	const styles = [
		styleObject(50, "Titel", "text-0-paragraphstyle-Title"),
		styleObject(51, "Body", "text-3-paragraphstyle-Body"),
		styleObject(52, "Heading 2", ""),
		styleObject(53, "", "", 54),
		styleObject(54, "Überschrift", "text-1-paragraphstyle-Heading"),
		styleObject(55, "", "", 55),
	];
	const body = styledText(2, text.join("\n"), [
		[at("Wicks"), 52],
		[0, 50],
		[at("The sea"), 51],
		[at("Lamps"), 53],
		[at("Oil"), 51],
		[at("Cotton"), 99],
		[at("Mine"), 55],
	]);
	expect(await textIn(pagesOf(body, ...styles))).toBe("# Harbour\n\nThe sea.\n\n## Lamps\n\nOil.\n\n### Wicks\n\nCotton.\n\nMine");
});

test("a table stands where it is in the text of Pages, and on its slide, once", async () => {
	const text = "Before.\n\uFFFC\nAfter.\n\uFFFC";
	const objects = [
		styledText(
			2,
			text,
			[],
			[
				[8, 60],
				[text.length - 1, 60],
			],
		),
		attachment(60, 10_000),
		...tableObjects(10_000, prices),
	];
	expect(await textIn(pagesOf(...objects))).toBe(`Before.\n\n${pricesShown}\n\nAfter.`);
	const slide = { id: 200, type: 5, message: Buffer.concat([7, 42, 42].map((field) => bytesField(field, reference(10_000)))) };
	const shown = keynoteOf([[textObject(5, "First")]], [0], [slide, ...tableObjects(10_000, prices)]);
	const { extraction } = await read(await start(), shown, keynote);
	expect(extraction.text).toBe(`First\n\n${pricesShown}`);
	expect(extraction.blocks.every(({ place }) => place.slide === 1)).toBe(true);
});

test("styles and attachments are read once, however many places of however many texts refer to them", () => {
	const places = Array.from({ length: 40 }, (_, i) => 2 * i);
	const text = styledText(
		2,
		"\uFFFC\n".repeat(40),
		places.map((at) => [at, 50]),
		places.map((at) => [at, 60]),
	);
	const objects = [styleObject(50, "", "", 51), styleObject(51, "Heading", ""), attachment(60, 10_000), ...tableObjects(10_000, prices)];
	const store = readObjects(openZip(pagesOf(...objects)), new Set([...textTypes, ...tableTypes]));
	const asked = spyOn(store, "get");
	const outline = createOutline();
	const target = createTextTarget(
		store,
		createTableReader(store, outline, () => false),
		outline,
	);
	for (let time = 0; time < 3; time++) addText({ kind: 0, message: text.message }, {}, target);
	expect(
		asked.mock.calls
			.map(([id]) => id)
			.filter((id) => id < 100 || id === 10_000)
			.toSorted((a, b) => a - b),
	).toEqual([50, 51, 60, 10_000]);
	expect(outline.blocks.filter(({ kind }) => kind === "row")).toHaveLength(1);
});

test("tables and parts that cannot be read are told, and the text is read all the same", async () => {
	const broken = tableObjects(10_000, prices).map((object) => (object.type === 6002 ? { ...object, message: Buffer.from([0x2a, 0x50]) } : object));
	const objects = [styledText(2, "Before. \uFFFC", [], [[8, 60]]), attachment(60, 10_000), ...broken];
	const bytes = zipOf({ "Index/Document.iwa": partOf(objects), "Index/DocumentStylesheet.iwa": blockOf(Buffer.from([0xff, 0xff, 0xff, 0xff])) });
	const { extraction, step } = await read(await start(), bytes, pages);
	expect([extraction.text, step.warnings.map(({ code }) => code).toSorted()]).toEqual(["Before.", ["PART_UNREADABLE", "TABLE_UNREADABLE"]]);
});

test("a part beside the text that is too large is told, and the text is read all the same", async () => {
	const copies = Buffer.concat(Array.from({ length: 1_023 }, () => Buffer.from([(63 << 2) | 2, 1, 0])));
	const block = blockOf(Buffer.concat([varint(1 + 64 * 1_023), Buffer.from([0, 0x78]), copies]));
	const large = Buffer.concat(Array.from({ length: 2_100 }, () => block));
	const bytes = zipOf({ "Index/Document.iwa": partOf([textObject(1, "The keeper slept.", 0)]), "Index/DocumentStylesheet.iwa": large });
	const { extraction, step } = await read(await start(), bytes, pages);
	expect([extraction.text, step.warnings.map(({ code }) => code)]).toEqual(["The keeper slept.", ["PART_UNREADABLE"]]);
});

test("a file that is called as the only part of older versions was is no hindrance", async () => {
	const document = partOf([textObject(1, "The keeper slept.", 0)]);
	expect(await textIn(zipOf({ "Index/Document.iwa": document, "Data/index.xml": "<page/>" }))).toBe("The keeper slept.");
	expect(await textIn(zipOf({ "index.xml": "<page/>", "Index.zip": zipOf({ "Index/Document.iwa": document }) }))).toBe("The keeper slept.");
});

test("parts may lie in a ZIP inside; those of older versions are no parts at all", async () => {
	expect(await textIn(zipOf({ "A.pages/Index.zip": report }))).toContain("The keeper slept.");
	expect(await codeOf(textIn(zipOf({ "index.xml": "<document/>" })))).toBe("EXTRACTOR_MISSING");
});

test("Snappy: literals, copies that repeat themselves, and what is damaged", () => {
	const block = Buffer.from([10, 1 << 2, 0x61, 0x62, (7 << 2) | 2, 2, 0]); // "ab", and eight bytes from two before
	expect(Buffer.from(decompressSnappy(block, 100)).toString()).toBe("ababababab");
	const long = Buffer.concat([varint(300), Buffer.from([61 << 2, 299 & 0xff, 299 >> 8]), Buffer.alloc(300, 0x78)]);
	expect(decompressSnappy(long, 1_000)).toHaveLength(300);
	for (const damaged of [[], [0xff, 0xff, 0xff, 0xff, 0xff, 1], [5, 0, 0x61], [4, 0, 0x61, (3 << 2) | 2, 9, 0], [2, 0xfc, 0xff, 0xff, 0xff, 0xff]])
		expect(() => decompressSnappy(Buffer.from(damaged), 1_000)).toThrow(/FILE_BROKEN|decompressed|damaged|broken/i);
	expect(() => decompressSnappy(long, 100)).toThrow();
});

test("bytes that are no messages are broken, whatever they are", async () => {
	for (let seed = 1; seed < 200; seed++) {
		const noise = Buffer.from(Array.from({ length: 40 }, (_, at) => (seed * 7919 * (at + 3) + (at >> 2) * seed) % 256));
		const part = blockOf(Buffer.concat([varint(noise.length), Buffer.from([(noise.length - 1) << 2]), noise]));
		expect(["FILE_BROKEN", "CONTENT_EMPTY"]).toContain(await codeOf(textIn(zipOf({ "Index/Document.iwa": part }))));
	}
});
