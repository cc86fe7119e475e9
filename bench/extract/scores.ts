/**
 * How well the extractors read: every sample with an expected text, through the sandbox, as one table by format.
 * `bun bench/extract/scores.ts --samples FOLDER [--format pdf,docx] [--files] [--save FOLDER]`
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Extraction } from "cairn-memory";
import { createReader } from "./reader.ts";
import { flag, readSamples, samplesFolder } from "./samples.ts";
import { nothing, score } from "./score.ts";
import { type Scored, scoreTable } from "./score-table.ts";

const formats = flag("format")?.split(",") ?? null;
const saved = flag("save");
const samples = (await readSamples(samplesFolder(), "index.json")).filter(({ format }) => formats === null || formats.includes(format));

/** In a page a caption is written below its picture; in these it is what somebody typed into a field behind it. */
const describing: ReadonlySet<string> = new Set(["docx", "pptx", "xlsx", "odt", "odp", "ods"]);

const rows: Scored[] = [];
{
	await using reader = await createReader(1);
	for (const { id, format, path, expectedPath, isOcr } of samples) {
		const { extraction, error, ms } = await reader.read(path);
		const expected = expectedPath === null ? "" : await Bun.file(expectedPath).text();
		const scored = extraction === null ? nothing(isOcr) : score(expected, extraction.text, isOcr);
		const plainOrderF1 = extraction === null ? 0 : score(expected, withoutDescriptions(extraction, format), false).orderF1;
		rows.push({ id, format, ms, failed: error?.code ?? null, plainOrderF1, ...scored });
		if (saved !== null) await save(join(saved, `${id}.md`), extraction?.text ?? "");
	}
}
if (process.argv.includes("--files")) console.log(`${scoreTable(rows, ({ id }) => id, "file")}\n`);
console.log(scoreTable(rows, ({ format }) => format, "format"));

function withoutDescriptions({ text, blocks }: Extraction, format: string): string {
	if (!describing.has(format)) return text;
	let [rest, from] = ["", 0];
	for (const { kind, place } of blocks) {
		if (kind !== "caption" || place.span === undefined) continue;
		rest += text.slice(from, place.span[0]);
		from = place.span[1];
	}
	return `${rest}${text.slice(from)}`;
}

async function save(path: string, text: string): Promise<void> {
	await mkdir(join(path, ".."), { recursive: true });
	await Bun.write(path, text);
}
