/** Draws the example documents that cannot be written by hand: a PDF with text, a scanned letter, a photographed sign. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as mupdf from "mupdf";

type Page = readonly [width: number, height: number];

const a4: Page = [595, 842];
const board: Page = [600, 340];
/** Enough for OCR to read every word, little enough for a small file. */
const scanDpi = 150;
const scanTiltDegrees = 0.5;
/** Of 255: what a tired scanner adds to every pixel. */
const scanNoise = 14;

const folder = process.argv[2] ?? join(import.meta.dir, "..", "examples", "documents");
await mkdir(folder, { recursive: true });
await save("handbook.pdf", printed(await pagesOf("handbook.html", a4)));
await save("letter-scan.pdf", scanned(await pagesOf("letter.html", a4)));
await save("sign.png", drawn(await pagesOf("sign.html", board)));

async function save(name: string, bytes: Uint8Array): Promise<void> {
	await Bun.write(join(folder, name), bytes);
	console.log(`${name} ${bytes.length} bytes`);
}

/** The pages of one source, laid out: each begins at its mark and shares the style above the first. */
async function pagesOf(name: string, size: Page): Promise<readonly mupdf.Page[]> {
	const [style = "", ...pages] = (await Bun.file(join(import.meta.dir, "make-examples", name)).text()).split("<!-- page -->");
	return pages.map((body) => {
		const document = mupdf.Document.openDocument(new TextEncoder().encode(`<html><head>${style}</head><body>${body}</body></html>`), "text/html");
		document.layout(...size, 11);
		if (document.countPages() !== 1) throw new Error(`a page of ${name} is too long by ${document.countPages() - 1}`);
		return document.loadPage(0);
	});
}

/** As a word processor would write it: letters that can be selected. */
function printed(pages: readonly mupdf.Page[]): Uint8Array {
	const output = new mupdf.Buffer();
	const writer = new mupdf.DocumentWriter(output, "pdf", "");
	for (const page of pages) {
		page.run(writer.beginPage([0, 0, ...a4]), mupdf.Matrix.identity);
		writer.endPage();
	}
	writer.close();
	const document = mupdf.PDFDocument.openDocument(output, "application/pdf") as mupdf.PDFDocument;
	document.subsetFonts();
	return compact(document);
}

/** As a scanner would write it: one grey picture a page, a little crooked, and not a letter in it. */
function scanned(pages: readonly mupdf.Page[]): Uint8Array {
	const document = new mupdf.PDFDocument();
	const [width, height] = a4;
	for (const page of pages) {
		const picture = new mupdf.Image(new mupdf.Buffer(photographed(page).asJPEG(48)));
		const content = `q ${width} 0 0 ${height} 0 0 cm /Scan Do Q`;
		document.insertPage(-1, document.addPage([0, 0, ...a4], 0, { XObject: { Scan: document.addImage(picture) } }, content));
	}
	return compact(document);
}

function photographed(page: mupdf.Page): mupdf.Pixmap {
	const scale = scanDpi / 72;
	const [width, height] = a4;
	const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, [0, 0, Math.round(width * scale), Math.round(height * scale)], false);
	pixmap.clear(255);
	const device = new mupdf.DrawDevice(mupdf.Matrix.concat(mupdf.Matrix.scale(scale, scale), mupdf.Matrix.rotate(scanTiltDegrees)), pixmap);
	page.run(device, mupdf.Matrix.identity);
	device.close();
	soil(pixmap.getPixels());
	return pixmap;
}

/** Ink is never black, paper never white, and both are grained; the same grain every time. */
function soil(pixels: Uint8ClampedArray): void {
	let state = 20_261_021;
	for (let i = 0; i < pixels.length; i++) {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		const grain = (state / 2 ** 32 - 0.5) * scanNoise;
		pixels[i] = 42 + ((pixels[i] ?? 255) / 255) * 196 + grain;
	}
}

/** As a telephone would write it. */
function drawn([page]: readonly mupdf.Page[]): Uint8Array {
	if (page === undefined) throw new Error("nothing to draw");
	return page.toPixmap(mupdf.Matrix.scale(1.4, 1.4), mupdf.ColorSpace.DeviceRGB, false).asPNG().slice();
}

function compact(document: mupdf.PDFDocument): Uint8Array {
	return document.saveToBuffer("garbage=compact,compress=yes").asUint8Array().slice();
}
