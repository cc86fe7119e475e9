/**
 * What becomes of every sample: read, or failed with which code. Nothing else may happen, a crash or a hang least of all.
 * `bun bench/extract/all-samples.ts --samples FOLDER [--save FOLDER] [--all]`; with `--all` the files that were read are listed too.
 */

import { basename, join } from "node:path";
import { createReader, type ReadFile } from "./reader.ts";
import { flag, readSamples, type Sample, samplesFolder } from "./samples.ts";

interface End {
	readonly sample: Sample;
	readonly read: ReadFile;
}

/** Codes that say something about the file. Any other is the reader's own fault, or a limit that was reached. */
const truthful: ReadonlySet<string> = new Set([
	"CONTENT_EMPTY",
	"EXTRACTOR_MISSING",
	"FILE_BROKEN",
	"FILE_ENCRYPTED",
	"IMAGE_TOO_LARGE",
	"OUTPUT_TOO_LARGE",
	"TRANSCRIPTION_UNAVAILABLE",
]);
const atOnce = 2;

const saved = flag("save");
const waiting = [...(await readSamples(samplesFolder(), "manifest.json"))];
const ends: End[] = [];
{
	await using reader = await createReader(atOnce);
	const began = performance.now();
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (let sample = waiting.shift(); sample !== undefined; sample = waiting.shift()) {
				const read = await reader.read(sample.path);
				ends.push({ sample, read });
				if (saved !== null && read.extraction !== null) await Bun.write(join(saved, `${basename(sample.path)}.md`), read.extraction.text);
			}
		}),
	);
	console.log(`${ends.length} files in ${((performance.now() - began) / 1_000).toFixed(1)} s, at most ${Math.round(reader.peakMb())} MB in one child\n`);
}

const byCode = [...Map.groupBy(ends, endOf)].sort(([, one], [, other]) => other.length - one.length);
console.log(["| end | files |", "|---|---|", ...byCode.map(([code, those]) => `| ${code} | ${those.length} |`)].join("\n"));
console.log("\n| file | read as | end | says |\n|---|---|---|---|");
for (const { sample, read } of ends.filter(({ read }) => read.error !== null || process.argv.includes("--all")).sort(byName))
	console.log(`| ${basename(sample.path)} | ${read.mediaType} | ${read.error?.code ?? "done"} | ${says(read)} |`);
const faults = ends.filter(({ read }) => read.error !== null && !truthful.has(read.error.code));
if (faults.length > 0) {
	console.error(`\nnot the files' fault: ${faults.map(({ sample }) => basename(sample.path)).join(", ")}`);
	process.exitCode = 1;
}

function endOf({ read }: End): string {
	return read.error?.code ?? "done";
}

function says(read: ReadFile): string {
	return read.error?.message ?? `${read.extraction?.text.length} characters, ${Math.round(read.ms)} ms`;
}

function byName(one: End, other: End): number {
	return basename(one.sample.path) < basename(other.sample.path) ? -1 : 1;
}
