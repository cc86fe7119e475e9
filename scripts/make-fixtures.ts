/** Writes the files of test/fixtures/extractors anew: every text in them is of this project's own making. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import encodeWebp, { init as startWebp } from "@jsquash/webp/encode.js";
import iconv from "iconv-lite";
import * as mupdf from "mupdf";

const folder = fileURLToPath(new URL("../test/fixtures/extractors/", import.meta.url));
const a4: mupdf.Rect = [0, 0, 595, 842];

const keeper = [
	"The lighthouse keeper wrote every storm into a blue notebook.",
	"On calm evenings he counted ships and drew the coast from memory.",
	"Nobody asked for the drawings until the harbour office burned down.",
	"Then the whole town came up the stairs to look at them.",
];
const baker = [
	"The baker on the corner keeps seven clocks, all of them wrong.",
	"She says that bread needs patience and not minutes.",
	"Tourists photograph the clocks and forget to buy anything.",
	"Locals buy two loaves and set their watches by the smell.",
];

mupdf.setLog(null);
function write(name: string, content: string | Uint8Array): void {
	writeFileSync(`${folder}${name}`, content);
}

function writeTexts(): void {
	const story = `${keeper.join("\n")}\n\n${baker.join("\n")}\n`;
	const russian = "Смотритель маяка записывал каждый шторм в синюю тетрадь.\n\nТихими вечерами он считал корабли и рисовал берег по памяти.\n";
	const japanese = "灯台守はすべての嵐を青いノートに書きました。\n\n静かな夜には船を数え、海岸を記憶で描きました。\n";
	write("story.txt", story);
	write("story.utf-16be.txt", iconv.encode(story, "utf-16be"));
	write("story.windows-1251.txt", iconv.encode(russian, "windows-1251"));
	write("story.shift-jis.txt", iconv.encode(japanese, "shift_jis"));

	const people = [
		["Name", "Year", "Town"],
		["Ada Lovelace", "1843", "London"],
		["Émilie du Châtelet", "1759", "Lunéville"],
		["Zhang Heng", "132", "Luoyang; at court"],
	];
	write("people.csv", people.map((row) => row.map(quoted).join(",")).join("\n"));
	write("people.windows-1252.csv", iconv.encode(people.map((row) => row.map(quoted).join(";")).join("\r\n"), "windows-1252"));
	write("people.utf-16le.tsv", iconv.encode(people.map((row) => row.join("\t")).join("\r\n"), "utf-16le", { addBOM: true }));
	write("gaps.csv", "Item|Price\n\nLamp oil|12.50\nRope|7.00\n\nNotebook, blue|3.25\n");
	write("numbers.csv", "1,20\n2,40\n3,60\n");
}

function quoted(cell: string): string {
	return /[",;\n]/.test(cell) ? `"${cell}"` : cell;
}

function writeMarkup(): void {
	write(
		"guide.md",
		`---
title: A guide to the coast
description: What to see between the lighthouse and the bakery
lang: en-gb
---

# The coast

Walk *slowly* and read the [tide table](https://example.org/tides).

## What to bring

1. Boots
2. A lamp
   - with oil
   - and a spare wick

| Place | Open |
| --- | --- |
| Lighthouse | evenings |
| Bakery | mornings |

## For programmers

\`\`\`js
const tide = await read("harbour");
\`\`\`

> The sea does not care.
`,
	);
	write(
		"article.html",
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Storms – The Coast Courier</title>
<meta name="description" content="A keeper and his notebook"><style>p { color: navy }</style></head><body>
<header><a href="/">The Coast Courier</a></header><nav><ul><li><a href="/sport">Sport</a></li><li><a href="/weather">Weather</a></li></ul></nav>
<main><article><h1>The keeper of storms</h1><p>${keeper[0]} ${keeper[1]}</p><h2>After the fire</h2>
<p>${keeper[2]} <a href="/archive/fire.html">Read the report</a>.</p><ul><li>twelve drawings</li><li>one notebook<ol><li>blue</li></ol></li></ul>
<table><caption>Storms by year</caption><thead><tr><th>Year</th><th colspan="2">Storms</th></tr></thead>
<tr><td rowspan="2">1901</td><td>spring</td><td>4</td></tr><tr><td>autumn</td><td>9</td></tr></table>
<pre><code class="language-sh">grep storm notebook.txt</code></pre><p hidden>Nobody sees this.</p></article></main>
<aside>Subscribe now!</aside><script>track("reader")</script><footer>Imprint and cookies</footer></body></html>`,
	);
	write(
		"plain.windows-1251.html",
		iconv.encode(
			"<html><head><meta charset=windows-1251><title>Маяк</title></head><body><p>Смотритель маяка</p>Тетрадь была синей.</body></html>",
			"windows-1251",
		),
	);
}

function writeChats(): void {
	const turns = [
		{ role: "user", content: "When does the bakery open?", timestamp: "2024-03-01T08:00:00Z" },
		{ role: "assistant", content: "At seven, by the smell.", timestamp: "2024-03-01T08:00:04Z" },
		{ role: "user", content: [{ type: "text", text: "And the lighthouse?" }], timestamp: "2024-03-01T08:01:30Z" },
	];
	write("chat.json", JSON.stringify({ messages: turns }, null, "\t"));
	write("chat.ndjson", turns.map(({ role, timestamp }, index) => JSON.stringify({ name: role, text: `line ${index + 1}`, timestamp })).join("\n"));
	write("chat.txt", "[08:00] Ada: When does the bakery open?\n[08:00] Ben: At seven.\nBy the smell.\n[08:02] Ada: See https://example.org then.\n");
}

interface Written {
	readonly x: number;
	readonly y: number;
	readonly text: string;
	readonly size?: number;
	readonly bold?: boolean;
}

function lines(texts: readonly string[], x: number, y: number, size = 11): readonly Written[] {
	return texts.map((text, index) => ({ x, y: y - index * size * 1.4, text, size }));
}

function pdfOf(
	pages: readonly (readonly Written[])[],
	{ size = a4, ...facts }: { readonly size?: mupdf.Rect; readonly Title?: string } = {},
): mupdf.PDFDocument {
	const pdf = new mupdf.PDFDocument();
	const fonts = { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")), F2: pdf.addSimpleFont(new mupdf.Font("Helvetica-Bold")) };
	const resources = pdf.addObject({ Font: fonts });
	for (const page of pages) {
		const stream = page.map(
			({ x, y, text, size = 11, bold = false }) => `BT /${bold ? "F2" : "F1"} ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`,
		);
		pdf.insertPage(-1, pdf.addPage(size, 0, resources, stream.join("\n")));
	}
	for (const [name, value] of Object.entries(facts)) pdf.setMetaData(`info:${name}`, value);
	return pdf;
}

function save(name: string, pdf: mupdf.PDFDocument, options = "compress=yes"): void {
	write(name, pdf.saveToBuffer(options).asUint8Array());
}

const letter: readonly (readonly Written[])[] = [
	[
		{ x: 72, y: 770, text: "Letters from the coast", size: 22, bold: true },
		...lines(keeper, 72, 730),
		{ x: 72, y: 640, text: "What the baker knows", size: 15, bold: true },
		...lines(baker, 72, 610),
	],
	[
		{ x: 72, y: 770, text: "The end of the season", size: 15, bold: true },
		...lines(["In autumn the ferries stop and the notebook is closed with a ribbon."], 72, 740),
	],
];

function writePdfs(): void {
	save("letter.pdf", pdfOf(letter, { Title: "Letters from the coast" }));
	save("encrypted.pdf", pdfOf(letter), "encrypt=aes-256,user-password=secret,owner-password=secret");
	save("blank.pdf", pdfOf([[]]));

	const left = keeper.flatMap((text) => halved(text));
	const right = baker.flatMap((text) => halved(text));
	save("columns.pdf", pdfOf([[...lines(left, 60, 760), ...lines(right, 320, 760)]]));
	const woven = left.flatMap((text, index) => [...lines([text], 60, 760 - index * 15.4), ...lines([right[index] ?? ""], 320, 760 - index * 15.4)]);
	save("woven-columns.pdf", pdfOf([woven.filter((line) => line.text !== "")]));

	const rows = [
		["Month", "Ships", "Storms"],
		["January", "112", "9"],
		["February", "98", "11"],
		["March", "143", "4"],
	];
	const cells = rows.flatMap((row, index) => row.map((text, column) => ({ x: 72 + column * 120, y: 700 - index * 20, text, bold: index === 0 })));
	save(
		"table.pdf",
		pdfOf([[{ x: 72, y: 760, text: "Traffic in the harbour", size: 18, bold: true }, ...cells, ...lines(["All figures were counted by hand."], 72, 590)]]),
	);
	save("scan.pdf", pdfOfPictures([picture(lines(keeper, 72, 760, 12), 110)]));
	const mixed = pdfOf([letter[1] ?? []]);
	const scanned = pdfOfPictures([picture(lines(baker, 72, 760, 12), 110)]);
	mixed.graftPage(-1, scanned, 0);
	save("mixed.pdf", mixed);
	const running = Array.from({ length: 4 }, (_, index) => [
		...lines(["The Coast Courier"], 72, 810, 9),
		...lines([keeper[index] ?? ""], 72, 740),
		...lines([`Page ${index + 1} of 4`], 72, 40, 9),
	]);
	save("running-heads.pdf", pdfOf(running));
}

function halved(text: string): readonly string[] {
	const words = text.split(" ");
	const middle = Math.ceil(words.length / 2);
	return [words.slice(0, middle).join(" "), words.slice(middle).join(" ")];
}

function picture(written: readonly Written[], dotsPerInch: number, turn = 0): mupdf.Pixmap {
	const page = pdfOf([written]).loadPage(0);
	const matrix = mupdf.Matrix.concat(mupdf.Matrix.scale(dotsPerInch / 72, dotsPerInch / 72), mupdf.Matrix.rotate(turn));
	return page.toPixmap(matrix, mupdf.ColorSpace.DeviceGray, false);
}

function pdfOfPictures(pictures: readonly mupdf.Pixmap[]): mupdf.PDFDocument {
	const pdf = new mupdf.PDFDocument();
	for (const pixmap of pictures) {
		const resources = pdf.addObject({ XObject: { Im: pdf.addImage(new mupdf.Image(pixmap.asJPEG(60))) } });
		pdf.insertPage(-1, pdf.addPage(a4, 0, resources, `q ${a4[2]} 0 0 ${a4[3]} 0 0 cm /Im Do Q`));
	}
	return pdf;
}

interface Gray {
	readonly data: Uint8Array;
	readonly width: number;
	readonly height: number;
}

/** Two lines on a strip of paper: every line costs OCR a tenth of a second in every test. */
function strip(size: number, turn = 0): { readonly pixmap: mupdf.Pixmap; readonly gray: Gray } {
	const page = pdfOf([lines(keeper.slice(0, 2), 20, 50, 12)], { size: [0, 0, 420, 80] }).loadPage(0);
	const matrix = mupdf.Matrix.concat(mupdf.Matrix.scale(size, size), mupdf.Matrix.rotate(turn));
	const pixmap = page.toPixmap(matrix, mupdf.ColorSpace.DeviceGray, false);
	const [width, height, stride] = [pixmap.getWidth(), pixmap.getHeight(), pixmap.getStride()];
	const data = new Uint8Array(width * height);
	for (let row = 0; row < height; row++) data.set(pixmap.getPixels().subarray(row * stride, row * stride + width), row * width);
	return { pixmap, gray: { data, width, height } };
}

async function writePictures(): Promise<void> {
	const { pixmap, gray } = strip(2);
	write("strip.png", pixmap.asPNG());
	write("strip.jpg", pixmap.asJPEG(80));
	write("small.png", strip(1).pixmap.asPNG());
	write("upside-down.png", strip(2, 180).pixmap.asPNG());
	write("sideways.jpg", withExifOrientation(strip(2, 270).pixmap.asJPEG(80), 6));
	write("strip.bmp", bmpOf(gray));
	write("strip.tif", tiffOf(gray));
	write("strip.gif", gifOf(strip(1.3).gray));
	await startWebp({ wasmBinary: readFileSync(new URL(import.meta.resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm"))).buffer });
	write("strip.webp", new Uint8Array(await encodeWebp(rgbaOf(gray) as unknown as ImageData, { quality: 60 })));
	write("blank.png", new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, [0, 0, 40, 30], false).asPNG());
}

function rgbaOf({ data, width, height }: Gray) {
	const rgba = new Uint8ClampedArray(data.length * 4);
	for (const [pixel, shade] of data.entries()) rgba.set([shade, shade, shade, 255], pixel * 4);
	return { data: rgba, width, height, colorSpace: "srgb" };
}

/** EXIF with one entry, right behind the start of the picture. */
function withExifOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
	const tiff = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0];
	const body = [...new TextEncoder().encode("Exif\0\0"), ...tiff];
	return Uint8Array.from([...jpeg.subarray(0, 2), 0xff, 0xe1, 0, body.length + 2, ...body, ...jpeg.subarray(2)]);
}

/** One bit a pixel, every row padded to whole bytes. */
function bitsOf({ data, width, height }: Gray, rowBytes: number): Uint8Array {
	const bits = new Uint8Array(rowBytes * height);
	for (const [pixel, shade] of data.entries()) {
		const [row, column] = [Math.floor(pixel / width), pixel % width];
		if (shade > 127) bits[row * rowBytes + (column >> 3)] = (bits[row * rowBytes + (column >> 3)] ?? 0) | (0x80 >> (column & 7));
	}
	return bits;
}

function bmpOf(gray: Gray): Uint8Array {
	const rowBytes = Math.ceil(gray.width / 32) * 4;
	const bits = bitsOf(gray, rowBytes);
	const header = new DataView(new ArrayBuffer(62));
	header.setUint16(0, 0x424d);
	header.setUint32(2, 62 + bits.length, true);
	header.setUint32(10, 62, true);
	header.setUint32(14, 40, true);
	header.setInt32(18, gray.width, true);
	header.setInt32(22, -gray.height, true); // from top to bottom
	header.setUint16(26, 1, true);
	header.setUint16(28, 1, true);
	header.setUint32(58, 0xffffff, true); // the second colour: white
	return Uint8Array.from([...new Uint8Array(header.buffer), ...bits]);
}

function tiffOf(gray: Gray): Uint8Array {
	const rowBytes = Math.ceil(gray.width / 8);
	const bits = bitsOf(gray, rowBytes);
	const tags: readonly (readonly [tag: number, value: number])[] = [
		[256, gray.width],
		[257, gray.height],
		[258, 1],
		[259, 1],
		[262, 1],
		[273, 8],
		[277, 1],
		[278, gray.height],
		[279, bits.length],
	];
	const directory = new DataView(new ArrayBuffer(2 + tags.length * 12 + 4));
	directory.setUint16(0, tags.length, true);
	for (const [index, [tag, value]] of tags.entries()) {
		directory.setUint16(2 + index * 12, tag, true);
		directory.setUint16(4 + index * 12, 4, true);
		directory.setUint32(6 + index * 12, 1, true);
		directory.setUint32(10 + index * 12, value, true);
	}
	const header = new DataView(new ArrayBuffer(8));
	header.setUint32(0, 0x49492a00);
	header.setUint32(4, 8 + bits.length, true);
	return Uint8Array.from([...new Uint8Array(header.buffer), ...bits, ...new Uint8Array(directory.buffer)]);
}

/** Without compression: 128 shades are codes of eight bits as long as the table is cleared before it doubles. */
function gifOf({ data, width, height }: Gray): Uint8Array {
	const [clear, end] = [128, 129];
	const palette = Array.from({ length: 128 }, (_, shade) => [shade * 2, shade * 2, shade * 2]).flat();
	const codes: number[] = [];
	for (const [pixel, shade] of data.entries()) {
		if (pixel % 100 === 0) codes.push(clear);
		codes.push(shade >> 1);
	}
	codes.push(end);
	const blocks: number[] = [];
	for (let at = 0; at < codes.length; at += 255) blocks.push(Math.min(255, codes.length - at), ...codes.slice(at, at + 255));
	const size = [width & 255, width >> 8, height & 255, height >> 8];
	return Uint8Array.from([...new TextEncoder().encode("GIF89a"), ...size, 0xf6, 0, 0, ...palette, 0x2c, 0, 0, 0, 0, ...size, 0, 7, ...blocks, 0, 0x3b]);
}

mkdirSync(folder, { recursive: true });
writeTexts();
writeMarkup();
writeChats();
writePdfs();
await writePictures();
