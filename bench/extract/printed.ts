/**
 * How well PDFs are read whose text is known: Markdown is set by Chromium in several styles, printed, read, and compared.
 * `bun bench/extract/printed.ts [--texts FOLDER] [--keep FOLDER] [--files] [--tagged]`; without a folder it prints this project's own docs,
 * with `--tagged` with the tags of a PDF that screen readers read.
 */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { chromium } from "playwright-core";
import { createReader } from "./reader.ts";
import { flag } from "./samples.ts";
import { nothing, score } from "./score.ts";
import { type Scored, scoreTable } from "./score-table.ts";

interface Style {
	readonly css: string;
	/** What the printer writes at the top and at the bottom of each page; null for nothing. */
	readonly margins: { readonly head: string; readonly foot: string } | null;
}

const ruled = "table { border-collapse: collapse } th, td { border: 1px solid #555; padding: 3px 6px; text-align: left; vertical-align: top }";
const open = "table { border-spacing: 18px 4px } th, td { text-align: left; vertical-align: top } th { border-bottom: 1px solid black }";
const small = (words: string) => `<div style="font-size:8px;width:100%;text-align:center">${words}</div>`;

const styles: Readonly<Record<string, Style>> = {
	report: { css: `body { font: 11pt/1.4 sans-serif } ${ruled}`, margins: null },
	paper: {
		css: `body { font: 10pt/1.3 serif; columns: 2; column-gap: 24px; text-align: justify; hyphens: auto } h1 { column-span: all } table { font-size: 8pt } ${open}`,
		margins: { head: small("Proceedings of the reading society"), foot: small('<span class="pageNumber"></span>') },
	},
	manual: {
		css: `body { font: 10pt/1.5 sans-serif } h2, h3 { color: #036 } li { margin: 2px 0 } ${open}`,
		margins: { head: small("The manual"), foot: small('Page <span class="pageNumber"></span> of <span class="totalPages"></span>') },
	},
	journal: {
		css: `body { font: 10.5pt/1.4 serif } h2 { font: small-caps 1em serif; text-align: center } h3, h4 { font: italic 1em serif } table { border-spacing: 18px 4px } th, td { font-weight: normal; text-align: left; vertical-align: top }`,
		margins: null,
	},
};

const texts = resolve(flag("texts") ?? join(import.meta.dir, "../../docs"));
const folder = flag("keep") ?? (await mkdtemp(join(tmpdir(), "cairn-printed-")));
await mkdir(folder, { recursive: true });
const names = (await readdir(texts)).filter((name) => name.endsWith(".md")).sort();
await print();

const rows: Scored[] = [];
{
	await using reader = await createReader(1);
	for (const style of Object.keys(styles)) {
		for (const name of names) {
			const { extraction, error, ms } = await reader.read(pdfPath(name, style));
			const expected = await Bun.file(join(texts, name)).text();
			if (flag("keep") !== null) await Bun.write(`${pdfPath(name, style)}.md`, extraction?.text ?? "");
			const scored = extraction === null ? nothing(false) : score(expected, extraction.text, false);
			rows.push({ id: `${basename(name, ".md")}, ${style}`, format: style, ms, failed: error?.code ?? null, plainOrderF1: null, ...scored });
		}
	}
}
if (process.argv.includes("--files")) console.log(`${scoreTable(rows, ({ id }) => id, "file")}\n`);
console.log(scoreTable(rows, ({ format }) => format, "set as"));
await Bun.write(join(folder, "index.json"), JSON.stringify(names.flatMap((name) => Object.keys(styles).map((style) => entryOf(name, style)))));
if (flag("keep") === null) await rm(folder, { recursive: true, force: true });

function pdfPath(name: string, style: string): string {
	return join(folder, `${basename(name, ".md")}-${style}.pdf`);
}

/** For side-by-side.ts, which reads such a folder. */
function entryOf(name: string, style: string) {
	return { id: `${basename(name, ".md")}, ${style}`, format: "pdf", source: basename(pdfPath(name, style)), expected: relative(folder, join(texts, name)) };
}

async function print(): Promise<void> {
	const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
	try {
		const page = await browser.newPage();
		for (const name of names) {
			const body = Bun.markdown.html(await Bun.file(join(texts, name)).text());
			for (const [style, { css, margins }] of Object.entries(styles)) {
				await page.setContent(`<!doctype html><html lang="en"><style>pre { white-space: pre-wrap } ${css}</style><body>${body}</body></html>`);
				await page.pdf({
					path: pdfPath(name, style),
					format: "A4",
					tagged: process.argv.includes("--tagged"),
					margin: { top: "20mm", bottom: "20mm", left: "18mm", right: "18mm" },
					...(margins === null ? {} : { displayHeaderFooter: true, headerTemplate: margins.head, footerTemplate: margins.foot }),
				});
			}
		}
	} finally {
		await browser.close();
	}
}
