/**
 * How much of the pages of articles is article: pages with the texts that people marked in them, beside Readability alone where it is
 * installed. `bun bench/extract/articles.ts FOLDER [--files]`; the folder has `ground-truth.json` (`{ID: {articleBody, url}}`) and
 * `html/ID.html.gz`, as scrapinghub/article-extraction-benchmark has them (MIT).
 */

import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import readHtml from "../../plugins/formats/html/engine.ts";
import { wordsOf } from "./plain-text.ts";
import { bagF1 } from "./score.ts";

interface Marked {
	readonly articleBody: string;
	readonly url: string;
}

interface Agreement {
	readonly url: string;
	readonly f1: number;
	readonly precision: number;
	readonly recall: number;
	/** Without the title and what pictures are described by, which those who marked the texts left out. */
	readonly bareF1: number;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
	console.error("name the folder of pages: bun bench/extract/articles.ts FOLDER");
	process.exit(2);
}
const marked = (await Bun.file(join(folder, "ground-truth.json")).json()) as Readonly<Record<string, Marked>>;

/** Two halves by the first digit of the id: rules are made with one, and the other tells whether they hold. */
const halves: Readonly<Record<string, string>> = { open: "01234567", closed: "89abcdef" };
console.log(
	"| half | pages | words F1 | precision | recall | words F1 without titles and descriptions | processor time a page |\n|---|---|---|---|---|---|---|",
);
for (const [half, digits] of Object.entries(halves)) {
	const ids = Object.keys(marked).filter((id) => digits.includes(id.slice(0, 1)));
	const before = process.cpuUsage();
	const rows: Agreement[] = [];
	for (const id of ids) rows.push(await agreementOf(id, marked[id]));
	const { user, system } = process.cpuUsage(before);
	const mean = (figure: (row: Agreement) => number) => (rows.reduce((sum, row) => sum + figure(row), 0) / rows.length).toFixed(3);
	const figures = [mean(({ f1 }) => f1), mean(({ precision }) => precision), mean(({ recall }) => recall), mean(({ bareF1 }) => bareF1)];
	console.log(`| ${half} | ${rows.length} | ${figures.join(" | ")} | ${((user + system) / 1_000 / rows.length).toFixed(0)} ms |`);
	if (process.argv.includes("--files")) for (const row of rows.toSorted((a, b) => a.f1 - b.f1)) console.log(`${row.f1.toFixed(3)} ${row.url}`);
}

async function agreementOf(id: string, { articleBody, url }: Marked = { articleBody: "", url: "" }): Promise<Agreement> {
	const bytes = new Uint8Array(gunzipSync(await Bun.file(join(folder ?? "", "html", `${id}.html.gz`)).bytes()));
	const { extraction } = await readHtml({ content: { bytes, text: null, charset: null }, url }, () => undefined, { timeoutMs: 0, memoryMb: 1_024 });
	const [wanted, got] = [wordsOf(articleBody), wordsOf(extraction.text)];
	const bare = extraction.text.replace(/^# .*$/m, "").replace(/!\[[^\]]*\]\([^)]*\)/g, " ");
	const f1 = bagF1(wanted, got);
	const common = (f1 * (wanted.length + got.length)) / 2;
	return { url, f1, precision: common / Math.max(1, got.length), recall: common / Math.max(1, wanted.length), bareF1: bagF1(wanted, wordsOf(bare)) };
}
