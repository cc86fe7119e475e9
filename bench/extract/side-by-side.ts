/**
 * Cairn beside other readers on the same files in one run: agreement by format, pages of PDF a second, time and memory of OCR.
 * `bun bench/extract/side-by-side.ts --samples FOLDER [--no-ocr]`. For the packages run `bun install` in bench/extract before; what is
 * not installed is told as missing. PDFs with known text are made by `printed.ts --keep FOLDER`, which is such a folder too.
 */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { structuredTextOptions } from "../../plugins/formats/pdf/letters/structured-text.ts";
import { openPdf } from "../../plugins/formats/pdf/open-pdf.ts";
import readPdf from "../../plugins/formats/pdf/pdf-engine.ts";
import { judged, type Row, table as rowTable, told } from "../row.ts";
import { findPeers, type Peer } from "./peers.ts";
import { createReader } from "./reader.ts";
import { readSamples, type Sample, samplesFolder } from "./samples.ts";
import { nothing, score } from "./score.ts";
import { type Scored, scoreTable } from "./score-table.ts";

const folder = samplesFolder();
const { peers, missing } = await findPeers();
console.log(missing.length === 0 ? "all others are installed\n" : `not installed here: ${missing.join(", ")}\n`);

await using reader = await createReader(1);
const samples = (await readSamples(folder, "index.json")).filter(({ expectedPath }) => expectedPath !== null);
const scored = await scoreAll(samples);
for (const [format, rows] of Map.groupBy(scored, (row) => row.format))
	console.log(
		`${scoreTable(rows, ({ id }) => id, format)
			.split("\n")
			.filter((line) => !line.startsWith("| **all**"))
			.join("\n")}\n`,
	);
const pdfs = (await filesBelow(folder)).filter((path) => path.endsWith(".pdf"));
console.log(rowTable([...(await pdfRows(pdfs)), ...(await ocrRows(folder))]));

/** A row for each reader and file; only formats that somebody else reads too. */
async function scoreAll(samples: readonly Sample[]): Promise<readonly Scored[]> {
	const rows: Scored[] = [];
	for (const { format, path, expectedPath, isOcr } of samples) {
		const others = peers.filter(({ formats }) => formats.includes(format));
		if (others.length === 0) continue;
		const expected = await Bun.file(expectedPath ?? "").text();
		const readers: readonly Pick<Peer, "name" | "read">[] = [{ name: "**Cairn**", read: readByCairn }, ...others];
		for (const { name, read } of readers) {
			const began = performance.now();
			const text = await read(path).catch(() => null);
			const agreement = text === null ? nothing(isOcr) : score(expected, text, isOcr);
			rows.push({ id: name, format, ms: performance.now() - began, failed: text === null ? "failed" : null, plainOrderF1: null, ...agreement });
		}
	}
	return rows;
}

async function readByCairn(path: string): Promise<string> {
	const { extraction, error } = await reader.read(path);
	if (extraction === null) throw new Error(error?.code);
	return extraction.text;
}

/**
 * Both in this process and by processor time, which no other program on the machine adds to; the best of three turns, for the
 * first ones are compiled.
 */
async function pdfRows(paths: readonly string[]): Promise<readonly Row[]> {
	const pdfjs = peers.find(({ name }) => name === "unpdf");
	if (pdfjs === undefined) return [told("pages of PDF a second, beside pdf.js", "unpdf is not installed")];
	let [pages, oursMs, theirsMs, libraryMs] = [0, 0, 0, 0];
	for (const path of paths) {
		const input = { bytes: await Bun.file(path).bytes(), models: [] };
		let count = 0;
		const ours = () => readPdf(input, ({ total }) => (count = total), { timeoutMs: 0, memoryMb: 1_024 });
		try {
			const theirs = await fastest(() => pdfjs.read(path));
			const library = await fastest(async () => readByLibrary(input.bytes));
			oursMs += await fastest(ours);
			theirsMs += theirs;
			libraryMs += library;
			pages += count;
		} catch {
			// What one of them cannot read is no race.
		}
	}
	const [ours, theirs, library] = [(pages / oursMs) * 1_000, (pages / theirsMs) * 1_000, (pages / libraryMs) * 1_000];
	return [
		told(`pages of PDF for each second of processor time, ${pages} pages, pdf.js (unpdf), text alone`, theirs.toFixed(0)),
		judged("the same, with headings, lists, tables and places", `${ours.toFixed(0)}, ${(ours / theirs).toFixed(1)}×`, "≥ 3×", ours >= theirs * 3),
		told("MuPDF alone, which hands over letters and places: as fast as Cairn could be with it", `${library.toFixed(0)}, ${(library / theirs).toFixed(1)}×`),
	];
}

/** What Cairn has MuPDF do with each page that has no tags, and nothing else. */
function readByLibrary(bytes: Uint8Array): void {
	const document = openPdf(bytes);
	try {
		for (let index = 0; index < document.countPages(); index++) {
			const page = document.loadPage(index);
			page.toStructuredText(structuredTextOptions).destroy();
			page.destroy();
		}
	} finally {
		document.destroy();
	}
}

async function fastest(read: () => Promise<unknown>): Promise<number> {
	const took: number[] = [];
	for (let turn = 0; turn < 3; turn++) {
		const before = process.cpuUsage();
		await read();
		const { user, system } = process.cpuUsage(before);
		took.push((user + system) / 1_000);
	}
	return Math.min(...took);
}

async function ocrRows(folder: string): Promise<readonly Row[]> {
	const pictures = process.argv.includes("--no-ocr") ? [] : (await filesBelow(folder)).filter((path) => /\.(?:png|jpe?g|tiff?)$/i.test(path));
	if (pictures.length === 0) return [];
	await using alone = await createReader(1);
	let [ms, read] = [0, 0];
	for (const path of pictures) {
		const { ms: tookMs, error } = await alone.read(path);
		ms += tookMs;
		if (error === null) read++;
	}
	const peak = alone.peakMb();
	return [
		told(
			`OCR of ${pictures.length} pictures, ${read} with words`,
			`${Math.round(ms / pictures.length)} ms a picture${missing.includes("tesseract") ? "; the tesseract program is not installed" : ""}`,
		),
		judged("memory of the process that reads them, at most", `${Math.round(peak)} MB`, "< 300 MB", peak < 300),
	];
}

async function filesBelow(folder: string): Promise<readonly string[]> {
	return (await readdir(folder, { recursive: true })).map((name) => join(folder, name)).sort();
}
