/**
 * How well pictures of pages are read whose text is known, and with how much processor time, beside the tesseract program: text is set by
 * Chromium as scanners, phones and faxes would hand it over. `bun bench/extract/scanned.ts [--texts FOLDER] [--pages N] [--keep FOLDER]`;
 * without a folder it shows pages of this project's own docs. The program reads with the model that ships with Cairn and with its own.
 */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import readImage from "../../plugins/formats/image/image-engine.ts";
import { findModels } from "../../plugins/formats/ocr/ocr-models.ts";
import { flag } from "./samples.ts";
import { nothing, type Score, score } from "./score.ts";

/** A4 at 150 dots an inch, as most scanners are set. */
const paper = { width: 1_240, height: 1_754 };

interface Look {
	readonly css: string;
	/** Pixels of the picture for each of the page. */
	readonly scale: number;
}

/** Grain of a sensor over the whole sheet. */
const grain = `body::after { content: ""; position: fixed; inset: 0; opacity: .35; background: url('data:image/svg+xml,${encodeURIComponent(
	'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><filter id="n"><feTurbulence baseFrequency=".9" numOctaves="2" seed="7"/><feColorMatrix type="saturate" values="0"/></filter><rect width="400" height="400" filter="url(#n)"/></svg>',
)}') }`;

const looks: Readonly<Record<string, Look>> = {
	clean: { css: "", scale: 1 },
	columns: { css: "main { columns: 2; column-gap: 50px; text-align: justify; font-size: 21px } h1, h2 { font-size: 26px }", scale: 1 },
	crooked: { css: "main { transform: rotate(1.2deg) }", scale: 1 },
	grainy: { css: `body { background: #d9d4c8; color: #333 } main { filter: blur(.5px) } ${grain}`, scale: 1 },
	small: { css: "", scale: 0.45 },
	"upside down": { css: "main { transform: rotate(180deg) }", scale: 1 },
	sideways: {
		css: `main { width: ${paper.height}px; height: ${paper.width}px; transform: translateX(${paper.width}px) rotate(90deg); transform-origin: 0 0 }`,
		scale: 1,
	},
	"white on black": { css: "body { background: #111; color: #eee }", scale: 1 },
};

/** What fits on such a sheet. */
const sheetLetters = 2_200;

interface Row extends Score {
	readonly reader: string;
	readonly look: string;
	/** Of processor time. */
	readonly ms: number;
}

interface Reader {
	readonly name: string;
	/** @returns what it read, null when it failed, and the processor time in milliseconds. */
	readonly read: (path: string) => Promise<readonly [string | null, number]>;
}

const texts = resolve(flag("texts") ?? join(import.meta.dir, "../../docs"));
const folder = flag("keep") ?? (await mkdtemp(join(tmpdir(), "cairn-scanned-")));
await mkdir(folder, { recursive: true });
const pages = await pagesOf(texts, Number(flag("pages") ?? 6));
await draw();
const models = findModels({ languages: ["eng"], folder: null });
const readers = await readersHere();

const rows: Row[] = [];
for (const look of Object.keys(looks))
	for (const reader of readers) for (const [index, text] of pages.entries()) rows.push(await rowOf(reader, text, picturePath(index, look), look));

console.log("| page | reader | words F1 | in order F1 | wrong letters | processor time a page |\n|---|---|---|---|---|---|");
for (const look of [...Object.keys(looks), null])
	for (const { name } of readers)
		printMean(
			`${look ?? "**all**"} | ${name}`,
			rows.filter((row) => row.reader === name && (look === null || row.look === look)),
		);
if (flag("keep") === null) await rm(folder, { recursive: true, force: true });

function printMean(title: string, of: readonly Row[]): void {
	const mean = (figure: (row: Row) => number) => of.reduce((sum, row) => sum + figure(row), 0) / of.length;
	const figures = [mean(({ bagF1 }) => bagF1), mean(({ orderF1 }) => orderF1), mean(({ cer }) => cer ?? 1)];
	console.log(`| ${title} | ${figures.map((value) => value.toFixed(3)).join(" | ")} | ${mean(({ ms }) => ms).toFixed(0)} ms |`);
}

async function rowOf({ name, read }: Reader, text: string, path: string, look: string): Promise<Row> {
	const [words, ms] = await read(path);
	return { reader: name, look, ms, ...(words === null ? nothing(true) : score(text, words, true)) };
}

/** In this process, as in the sandbox: the engine and its model are loaded once and read page after page. */
async function readByCairn(path: string): Promise<readonly [string | null, number]> {
	const input = { bytes: await Bun.file(path).bytes(), mediaType: "image/png", models };
	const before = process.cpuUsage();
	const reading = await readImage(input, () => undefined, { timeoutMs: 0, memoryMb: 1_024 }).catch(() => null);
	const { user, system } = process.cpuUsage(before);
	return [reading?.extraction.text ?? null, (user + system) / 1_000];
}

/** One thread, as the engine of Cairn has; a page is a start of the program, which is what its users pay. */
async function readByProgram(path: string, options: readonly string[]): Promise<readonly [string | null, number]> {
	const child = Bun.spawn(["tesseract", path, "-", ...options], { stdout: "pipe", stderr: "ignore", env: { ...process.env, OMP_THREAD_LIMIT: "1" } });
	const text = await new Response(child.stdout).text();
	const ended = await child.exited;
	return [ended === 0 ? text : null, Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000];
}

async function readersHere(): Promise<readonly Reader[]> {
	const cairn = { name: "**Cairn**", read: readByCairn };
	if (Bun.which("tesseract") === null) {
		console.log("the tesseract program is not installed here\n");
		return [cairn];
	}
	const packed = models[0]?.path ?? "";
	await Bun.write(join(folder, "model", "eng.traineddata"), gunzipSync(await Bun.file(packed).bytes()));
	const same = ["--tessdata-dir", join(folder, "model"), "-l", "eng"];
	return [
		cairn,
		{ name: "tesseract, the same model", read: (path) => readByProgram(path, same) },
		{ name: "tesseract, as the system has it, finding which way is up", read: (path) => readByProgram(path, ["-l", "eng", "--psm", "1"]) },
	];
}

/** The prose of each text until a sheet is full: how tables are read is measured elsewhere. @returns Markdown, one for each page */
async function pagesOf(folder: string, count: number): Promise<readonly string[]> {
	const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
	const written = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()));
	return written
		.map(prose)
		.filter((text) => text.length > sheetLetters / 2)
		.slice(0, count);
}

function prose(text: string): string {
	const kept: string[] = [];
	for (const part of text.replace(/```[\s\S]*?```/g, "").split(/\n{2,}/)) {
		if (part.trimStart().startsWith("|") || part.includes("![")) continue;
		if (kept.join("\n\n").length + part.length > sheetLetters) break;
		kept.push(part);
	}
	return kept.join("\n\n");
}

async function draw(): Promise<void> {
	const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
	try {
		for (const [name, { css, scale }] of Object.entries(looks)) {
			const page = await browser.newPage({ viewport: paper, deviceScaleFactor: scale });
			for (const [index, text] of pages.entries()) await drawOne(page, text, css, picturePath(index, name));
			await page.close();
		}
	} finally {
		await browser.close();
	}
}

async function drawOne(page: Page, text: string, css: string, path: string): Promise<void> {
	const sheet = "html, body { margin: 0 } main { box-sizing: border-box; width: 1240px; height: 1754px; padding: 100px; font: 23px/1.4 serif }";
	await page.setContent(`<!doctype html><html lang="en"><style>${sheet} ${css}</style><body><main>${Bun.markdown.html(text)}</main></body></html>`);
	await page.screenshot({ path });
}

function picturePath(index: number, look: string): string {
	return join(folder, `${index}-${look.replaceAll(" ", "-")}.png`);
}
