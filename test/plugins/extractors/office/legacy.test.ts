/** Word, Excel and PowerPoint files of before 2007: structure, order, what is hidden, passwords, damage, the contract tests. */

import { describe, expect, test } from "bun:test";
import officePlugin from "../../../../plugins/extractors/office/index.ts";
import { compoundOf, storageNode, streamNode } from "../../../doubles/compound-file.ts";
import { type DocParagraphParts, docOf } from "../../../doubles/doc-file.ts";
import { pptOf } from "../../../doubles/ppt-file.ts";
import { type XlsCell, xlsOf } from "../../../doubles/xls-file.ts";
import { codeOf, extractorNamed, read, testContract } from "../samples.ts";

const types = { doc: "application/msword", xls: "application/vnd.ms-excel", ppt: "application/vnd.ms-powerpoint" } as const;
type Kind = keyof typeof types;
const start = (kind: Kind) => () => extractorNamed(officePlugin(), kind);
const open = async (kind: Kind, bytes: Uint8Array) => read(await start(kind)(), bytes, types[kind]);
const textOf = async (kind: Kind, bytes: Uint8Array) => (await open(kind, bytes)).extraction.text;

const cell = (text: string): DocParagraphParts => ({ text, cell: true });
const story = docOf({
	body: [
		{ text: "The coast", style: 10 },
		{ text: "Ships", style: 1 },
		{ text: "Siri counts them." },
		{ text: "first", level: 0 },
		{ text: "small", level: 1 },
		{ text: "smaller", level: 1 },
		{ text: "second", level: 0 },
		cell("Ship"),
		cell("Crew"),
		{ text: "", row: [[1000], [2000]] },
		cell("Aurora"),
		cell("7"),
		{ text: "", row: [[1000], [2000]] },
		{ text: "The end." },
	],
});
const book = xlsOf([
	{
		name: "Crew",
		rows: [
			["Name", "Years"],
			["Ola", 12],
			["Siri", 7],
		],
	},
]);
const talk = pptOf([
	{
		title: "The coast",
		body: [
			["Rocks", 0],
			["sharp ones", 1],
		],
	},
]);

const storyWords = "The coast Ships Siri counts them first small smaller second Ship Crew Aurora 7 The end".split(" ");

describe("laws of DOC", () => {
	testContract(start("doc"), [{ bytes: story, mediaType: types.doc, fileName: "a.doc", words: storyWords, headings: ["Ships"] }]);
});
describe("laws of XLS", () => {
	testContract(start("xls"), [
		{ bytes: book, mediaType: types.xls, fileName: "a.xls", words: ["Crew", "Name", "Years", "Ola", "12", "Siri", "7"], headings: ["Crew"] },
	]);
});
describe("laws of PPT", () => {
	testContract(start("ppt"), [
		{ bytes: talk, mediaType: types.ppt, fileName: "a.ppt", words: ["The", "coast", "Rocks", "sharp", "ones"], headings: ["The coast"] },
	]);
});

describe("Word", () => {
	test("headings, lists with their numbers, tables", async () => {
		const { extraction } = await open("doc", story);
		expect(extraction.text).toBe(
			"# The coast\n\n# Ships\n\nSiri counts them.\n\n1. first\n  a) small\n  b) smaller\n2. second\n\n| Ship | Crew |\n| --- | --- |\n| Aurora | 7 |\n\nThe end.",
		);
		expect(extraction.title).toBe("The coast");
	});

	test("cells that reach over others, and those that go on below", async () => {
		const bytes = docOf({
			body: [
				cell("Wide"),
				{ text: "", row: [[2000]] },
				cell("Left"),
				cell("Right 1"),
				{ text: "", row: [[1000], [2000]] },
				cell(""),
				cell("Right 2"),
				{ text: "", row: [[1000, true], [2000]] },
			],
		});
		expect((await open("doc", bytes)).extraction.blocks.map((block) => (block.kind === "row" ? block.cells : []))).toEqual([
			["Wide", "Wide"],
			["Left", "Right 1"],
			["Left", "Right 2"],
		]);
	});

	test("fields show what they came to; what is deleted is gone; several lines in a cell", async () => {
		const bytes = docOf({
			body: [
				{ text: 'See \u0013 HYPERLINK "http://example.org" \u0014the page\u0015 now.\u001f' },
				{ text: "Gone here.", deleted: 5 },
				{ text: "one", inTable: true },
				cell("two"),
				cell("three"),
				{ text: "", row: [[1000], [2000]] },
			],
		});
		const { extraction } = await open("doc", bytes);
		expect(extraction.blocks.map(({ text }) => text)).toEqual(["See the page now.", "here.", "one\ntwo; three"]);
		expect(extraction.text).toStartWith("See [the page](http://example.org) now.");
	});

	test("notes, comments, headers and footers, each once behind the text", async () => {
		const bytes = docOf({ body: [{ text: "Text.\u0002" }], footnotes: ["\u0002 A note."], heads: ["Head", "Head", "7"], comments: ["\u0005Why?"] });
		expect(await textOf("doc", bytes)).toBe("Text.\n\nA note.\n\nComment: Why?\n\nHead");
	});

	test("text of any script", async () => {
		expect(await textOf("doc", docOf({ body: [{ text: "灯台守は嵐を書いた。 Привет, 🌊" }] }))).toBe("灯台守は嵐を書いた。 Привет, 🌊");
	});
});

describe("Excel", () => {
	test("numbers, dates, formulas, errors and truths as they are shown", async () => {
		const rows: readonly (readonly XlsCell[])[] = [[1.5, { date: 45_292 }, { formula: "a text" }, { formula: 2.25 }, { error: 7 }, true, -3]];
		const { extraction } = await open("xls", xlsOf([{ name: "A", rows }]));
		expect(extraction.blocks.at(-1)).toMatchObject({ cells: ["1.5", "2024-01-01", "a text", "2.25", "#DIV/0!", "TRUE", "-3"] });
	});

	test("texts go on wherever a record is full", async () => {
		const rows = Array.from({ length: 40 }, (_, row) => [`Text ${row} ${"äøλ".repeat(row + 1)}`, `Beside ${row}`]);
		for (const recordBytes of [17, 50, 101]) {
			const { extraction } = await open("xls", xlsOf([{ name: "A", rows }], { recordBytes }));
			const found = extraction.blocks.flatMap((block) => (block.kind === "row" ? [block] : []));
			expect([found[0]?.header, ...found.map(({ cells }) => cells)]).toEqual(rows);
		}
	});

	test("sheets in order, hidden ones told, merged cells, comments; no number of a chart", async () => {
		const comment = { row: 1, column: 27, author: "Ola", text: "Check this." };
		const bytes = xlsOf([
			{
				name: "First",
				rows: [
					["Both", null],
					["a", "b"],
					["c", "d"],
				],
				merged: [[0, 0, 0, 1]],
				comment,
			},
			{ name: "Second", rows: [["x", "y"]], isHidden: true },
		]);
		const text = await textOf("xls", bytes);
		expect(text).toContain("# First\n\nBoth\n\n");
		expect(text).toContain("Comment on AB2 by Ola: Check this.\n\n# Second (hidden sheet)");
		expect(text).not.toContain("666");
	});
});

describe("PowerPoint", () => {
	test("slides with titles, lists, boxes, tables, notes and comments, each with its place", async () => {
		const bytes = pptOf([
			{
				title: "Küste",
				body: [
					["Rocks", 0],
					["sharp", 1],
				],
				box: "A box",
				foot: "On every slide",
				notes: "Say it slowly.",
				comment: { author: "Ola", text: "Really?" },
			},
			{
				box: "No title",
				table: [
					["Ship", "Crew"],
					["Aurora", "7"],
				],
				isHidden: true,
			},
		]);
		const { extraction, step } = await open("ppt", bytes);
		expect(extraction.text).toBe(
			"# Küste\n\n- Rocks\n  - sharp\n\nA box\n\nNotes: Say it slowly.\n\nComment by Ola: Really?\n\n# (hidden slide)\n\nNo title\n\n| Ship | Crew |\n| --- | --- |\n| Aurora | 7 |",
		);
		expect(extraction.blocks.map(({ place }) => place.slide)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2]);
		expect([extraction.title, step.warnings]).toEqual(["Küste", []]);
	});
});

test("files that are packed into a document or onto a slide are handed over", async () => {
	const packed = [streamNode("Package", new TextEncoder().encode("a workbook"))];
	const letter = await open(
		"doc",
		docOf({ body: [{ text: "A letter." }], beside: [storageNode("ObjectPool", [storageNode("_12", packed), storageNode("_13", [])])] }),
	);
	expect(letter.step.attachments.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([["_12", "a workbook"]]);
	const damaged = Uint8Array.of(0xd0, 0xcf, 1, 2, 3);
	const slides = await open("ppt", pptOf([{ box: "A slide." }], false, [compoundOf(packed), damaged, book]));
	expect(slides.step.attachments.map(({ path }) => path)).toEqual(["object1", "object3.xls"]);
	expect(slides.step.attachments[1]?.bytes).toEqual(book);
});

test("what it is decides who reads it, whatever it is called", async () => {
	const files = { doc: docOf({ body: [{ text: "A letter." }] }), xls: xlsOf([{ name: "A", rows: [["A cell."]] }]), ppt: pptOf([{ box: "A slide." }]) };
	for (const name of ["doc", "xls", "ppt", "docx", "xlsx", "pptx", "ole"]) {
		const reader = await extractorNamed(officePlugin(), name);
		for (const bytes of Object.values(files)) expect((await read(reader, bytes, reader.accepts[0] ?? "*/*")).extraction.text).toContain("A ");
	}
	const ole = await extractorNamed(officePlugin(), "ole");
	expect(await codeOf(read(ole, compoundOf([streamNode("Other", new Uint8Array(9))]), "application/x-cfb"))).toBe("EXTRACTOR_MISSING");
	expect(await codeOf(read(ole, compoundOf([streamNode("EncryptedPackage", new Uint8Array(9))]), "application/x-cfb"))).toBe("FILE_ENCRYPTED");
});

describe("what cannot be read", () => {
	test("passwords are told as such", async () => {
		expect(await codeOf(open("doc", docOf({ body: [{ text: "x" }], isEncrypted: true })))).toBe("FILE_ENCRYPTED");
		expect(await codeOf(open("xls", xlsOf([{ name: "A", rows: [["x"]] }], { isEncrypted: true })))).toBe("FILE_ENCRYPTED");
		expect(await codeOf(open("ppt", pptOf([{ box: "x" }], true)))).toBe("FILE_ENCRYPTED");
		for (const kind of ["doc", "xls", "ppt"] as const)
			expect(await codeOf(open(kind, compoundOf([streamNode("EncryptedPackage", new Uint8Array(99))])))).toBe("FILE_ENCRYPTED");
	});

	test("containers without a document, empty documents", async () => {
		for (const kind of ["doc", "xls", "ppt"] as const) {
			expect(await codeOf(open(kind, compoundOf([streamNode("Other", new Uint8Array(99))])))).toBe("FILE_BROKEN");
			expect(await codeOf(open(kind, new TextEncoder().encode("no container")))).toBe("FILE_BROKEN");
		}
		expect(await codeOf(open("doc", docOf({ body: [{ text: "" }] })))).toBe("CONTENT_EMPTY");
		expect(await codeOf(open("xls", xlsOf([{ name: "A", rows: [] }])))).toBe("CONTENT_EMPTY");
	});

	test("a text that is shown without end is too much", async () => {
		const long = "x".repeat(30_000);
		const rows = Array.from({ length: 2_000 }, () => [long]);
		expect(await codeOf(open("xls", xlsOf([{ name: "A", rows }])))).toBe("OUTPUT_TOO_LARGE");
	});

	test("bytes changed at random end in words or as unreadable, never as another error", async () => {
		let seed = 5;
		const random = (below: number) => {
			seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
			return seed % below;
		};
		const allowed = ["none", "FILE_BROKEN", "FILE_ENCRYPTED", "CONTENT_EMPTY", "OUTPUT_TOO_LARGE"];
		for (const [kind, good] of [
			["doc", story],
			["xls", book],
			["ppt", talk],
		] as const) {
			const reader = await start(kind)();
			for (let round = 0; round < 150; round++) {
				const bad = good.slice();
				for (let change = 0; change < 8; change++) bad[512 + random(bad.length - 512)] = random(256);
				expect(allowed).toContain(await codeOf(read(reader, bad, types[kind])));
			}
		}
	});
});
