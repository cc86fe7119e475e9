/** The PDF and image extractors: layout, OCR page by page, orientation, caps, the contract tests. */

import { describe, expect, test } from "bun:test";
import pagesPlugin from "../../../plugins/extractors/pages/index.ts";
import { mupdf } from "../../../plugins/formats/pdf/mupdf-memory.ts";
import readPdf from "../../../plugins/formats/pdf/pdf-engine.ts";
import { fixture } from "../../doubles/fixture.ts";
import { repeatedPages } from "../../doubles/hostile/hostile-pdfs.ts";
import { turnedAvif } from "../../doubles/turned-avif.ts";
import { baker, codeOf, extractorNamed, keeper, read, sample, testContract } from "./samples.ts";

const strip = keeper.slice(0, 2);
const startPdf = () => extractorNamed(pagesPlugin(), "pdf");
const startImage = () => extractorNamed(pagesPlugin(), "image");
const ending = ["The end of the season", "In autumn the ferries stop and the notebook is closed with a ribbon."];

describe("laws of pdf", () => {
	const letter = ["Letters from the coast", ...keeper, "What the baker knows", ...baker, ...ending];
	const table = [
		"Traffic in the harbour Month Ships Storms",
		"January 112 9 February 98 11 March 143 4",
		"Month Ships Storms Month Ships Storms All figures were counted by hand.",
	];
	testContract(
		startPdf,
		[
			sample("letter.pdf", "application/pdf", letter, ["Letters from the coast", "What the baker knows", "The end of the season"]),
			{ ...sample("table.pdf", "application/pdf", table.slice(0, 2), ["Traffic in the harbour"]), words: table.join(" ").split(" ").filter(once()) },
			sample("columns.pdf", "application/pdf", [...keeper, ...baker]),
		],
		{ damagedCopies: 6 },
	);
});

describe("laws of image", () => {
	testContract(startImage, [sample("strip.png", "image/png", strip)], { damagedCopies: 2 });
});

/** Every word the first time it comes: the fixture shows each name of a column once. */
function once(): (word: string) => boolean {
	const seen = new Set<string>();
	return (word) => !seen.has(word) && seen.add(word) !== null;
}

async function pdf(name: string) {
	return await read(await startPdf(), fixture(name), "application/pdf");
}

test("headings by size, paragraphs by block, each with its page and box", async () => {
	const { extraction, step } = await pdf("letter.pdf");
	expect(extraction.blocks.map((block) => [block.kind, block.place.page])).toEqual([
		["heading", 1],
		["paragraph", 1],
		["heading", 1],
		["paragraph", 1],
		["heading", 2],
		["paragraph", 2],
	]);
	expect(extraction.blocks[3]?.headings).toEqual(["Letters from the coast", "What the baker knows"]);
	const [left = 0, top = 0, right = 0, bottom = 0] = extraction.blocks[1]?.place.box ?? [];
	expect(Math.round(left)).toBe(72);
	expect(top).toBeWithin(95, 112); // 842 points high, written from 730 down
	expect(right).toBeGreaterThan(350);
	expect(bottom).toBeWithin(155, 170);
	expect(extraction).toMatchObject({ title: "Letters from the coast", type: "pdf" });
	expect(step.reports.at(-1)).toEqual({ done: 2, total: 2, unit: "page" });
});

test.each(["columns.pdf", "woven-columns.pdf"])("the columns of %s are read one after the other", async (name) => {
	const { extraction } = await pdf(name);
	expect(extraction.blocks.map((block) => block.text.replaceAll("\n", " "))).toEqual([keeper.join(" "), baker.join(" ")]);
});

test("cells under each other are a table with its header", async () => {
	const { extraction } = await pdf("table.pdf");
	const rows = extraction.blocks.filter((block) => block.kind === "row");
	expect(rows.map((row) => row.text)).toEqual([
		"Month: January; Ships: 112; Storms: 9",
		"Month: February; Ships: 98; Storms: 11",
		"Month: March; Ships: 143; Storms: 4",
	]);
	expect(extraction.blocks.at(-1)).toMatchObject({ kind: "paragraph", text: "All figures were counted by hand." });
});

test("running heads and page numbers are left out", async () => {
	const { extraction } = await pdf("running-heads.pdf");
	expect(extraction.blocks.map((block) => block.text)).toEqual(keeper);
});

test("lines that come back are the text where there are no others, and no page of them is read by OCR", async () => {
	const unlikeAnyWord = "lIl1I-O0oO0";
	const { extraction } = await read(await startPdf(), repeatedPages(unlikeAnyWord, 5), "application/pdf");
	expect(extraction.text.split(/\s+/)).toEqual(Array.from({ length: 5 }, () => unlikeAnyWord));
});

test("a scan that there was no time for has not been read in time, it is not damaged", async () => {
	const reading = readPdf({ bytes: fixture("scan.pdf"), models: [] }, () => undefined, { timeoutMs: 0, memoryMb: 1_024 });
	expect(await codeOf(reading)).toBe("PROCESS_TIMEOUT");
});

test("a page without a text layer is read by OCR, the others are not", async () => {
	const { extraction } = await pdf("mixed.pdf");
	expect(extraction.blocks.slice(0, 2).map((block) => block.text)).toEqual(ending);
	const scanned = extraction.blocks.slice(2);
	expect(scanned.map((block) => block.text).join("\n")).toBe(baker.join("\n"));
	for (const { place } of scanned) {
		expect(place.page).toBe(2);
		expect(place.box?.[0]).toBeWithin(65, 80);
	}
});

test("protected, blank and broken files say so", async () => {
	const extractor = await startPdf();
	expect(await codeOf(pdf("encrypted.pdf"))).toBe("FILE_ENCRYPTED");
	expect(await codeOf(pdf("blank.pdf"))).toBe("CONTENT_EMPTY");
	expect(await codeOf(read(extractor, "%PDF-1.7 and then nothing", "application/pdf"))).toBe("FILE_BROKEN");
	expect(await codeOf(read(extractor, "", "application/pdf"))).toBe("CONTENT_EMPTY");
});

test("lam-alef that a PDF swapped is put right", async () => {
	const { readPageText } = await import("../../../plugins/formats/pdf/page-text.ts");
	const document = mupdf.Document.openDocument(new TextEncoder().encode("<p>اإلنتاجية</p>"), "text/html");
	expect(readPageText(document, 0).lines[0]?.text).toBe("الإنتاجية");
});

test.each([
	["strip.jpg", "image/jpeg"],
	["strip.webp", "image/webp"],
	["strip.avif", "image/avif"],
	["strip.heic", "image/heic"],
	["strip.gif", "image/gif"],
	["strip.bmp", "image/bmp"],
	["strip.tif", "image/tiff"],
	["small.png", "image/png"],
	["upside-down.png", "image/png"],
	["sideways.jpg", "image/jpeg"],
] as const)("the words of %s are read", async (name, mediaType) => {
	const { extraction } = await read(await startImage(), fixture(name), mediaType);
	expect(extraction.blocks.map((block) => block.text).join("\n")).toBe(strip.join("\n"));
	expect(extraction.type).toBe("image");
});

test("boxes are pixels of the picture, also where it was enlarged or turned to be read", async () => {
	const boxOf = async (name: string) => (await read(await startImage(), fixture(name), "image/png")).extraction.blocks[0]?.place.box ?? [];
	const [left = 0, top = 0, right = 0, bottom = 0] = await boxOf("strip.png"); // 840 by 160 pixels
	const near = (box: readonly number[], expected: readonly number[]) => box.every((edge, index) => Math.abs(edge - (expected[index] ?? 0)) <= 4);
	expect(near([left, top], [40, 42])).toBe(true);
	expect(
		near(
			(await boxOf("small.png")).map((edge) => edge * 2),
			[left, top, right, bottom],
		),
	).toBe(true);
	expect(near(await boxOf("upside-down.png"), [840 - right, 160 - bottom, 840 - left, 160 - top])).toBe(true);
});

test("an AVIF is turned as its properties say", async () => {
	const boxOf = async (bytes: Uint8Array) => (await read(await startImage(), bytes, "image/avif")).extraction.blocks[0]?.place.box ?? [];
	const upright = await boxOf(fixture("strip.avif")); // 840 by 160 pixels
	const [left = 0, top = 0, right = 0, bottom = 0] = upright;
	const turned = await boxOf(turnedAvif(fixture("strip.avif"), 2, null));
	for (const [i, edge] of [840 - right, 160 - bottom, 840 - left, 160 - top].entries()) expect(turned[i]).toBeWithin(edge - 4, edge + 5);
}, 60_000);

/** Three paragraphs on a sheet that lies as a scanner found it. */
function sheetTurned(degrees: number): Uint8Array {
	const paragraphs = ["The lamp was lit at dusk.", "Nobody sailed that evening.", "In the morning the fog had gone."];
	const html = paragraphs.map((text) => `<p style="font: 20px serif; margin: 40px 20px">${text} The keeper wrote it down and went to bed.</p>`);
	const document = mupdf.Document.openDocument(new TextEncoder().encode(html.join("")), "text/html");
	const turning = mupdf.Matrix.concat(mupdf.Matrix.scale(2, 2), mupdf.Matrix.rotate(degrees));
	return document.loadPage(0).toPixmap(turning, mupdf.ColorSpace.DeviceGray).asPNG();
}

test.each([90, 180, 270])(
	"a sheet that was laid in turned by %i degrees is read from its top to its end, its boxes as it lies",
	async (degrees) => {
		const extractor = await startImage();
		const [upright, turned] = await Promise.all([0, degrees].map((turn) => read(extractor, sheetTurned(turn), "image/png")));
		expect(turned?.extraction.text).toBe(upright?.extraction.text ?? "");
		expect(upright?.extraction.blocks).toHaveLength(3);
		const across = turned?.extraction.blocks.map(({ place }) => place.box?.[degrees === 180 ? 1 : 0] ?? 0) ?? [];
		expect(across).toEqual(across.toSorted((one, other) => (degrees === 270 ? one - other : other - one)));
	},
	30_000,
);

test("a picture without words is empty; one that promises too many pixels is refused before it is decoded", async () => {
	const extractor = await startImage();
	expect(await codeOf(read(extractor, fixture("blank.png"), "image/png"))).toBe("CONTENT_EMPTY");
	const promising = fixture("blank.png");
	const header = new DataView(promising.buffer);
	header.setUint32(16, 50_000);
	header.setUint32(20, 50_000);
	await expect(read(extractor, promising, "image/png")).rejects.toThrow("the picture has 2500 megapixels, at most 52 are accepted");
	expect(await codeOf(read(extractor, "GIF", "image/gif"))).toBe("FILE_BROKEN");
});

test("unknown options are refused by name", async () => {
	const checked = await pagesPlugin({ dataa: "x" } as never).options["~standard"].validate({ dataa: "x" });
	expect(JSON.stringify(checked.issues)).toContain("dataa");
});
