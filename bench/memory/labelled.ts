/**
 * How well the built-in memories do on sentences written for it: `bun bench/memory/labelled.ts [dev|held-out|…] [--show]`.
 * Rules were written looking at `dev` only. A memory is right when it comes from the line that states the fact, holds the
 * fact's words and stands alone.
 */

import { readdirSync } from "node:fs";
import { asId, type Chunk, type ChunkId, type DocumentId, sentenceSpans } from "cairn-memory";
import sentences from "../../plugins/memory-extractors/sentences/index.ts";
import { partOf } from "../../test/contract/start.ts";
import { createStep } from "../../test/doubles/step.ts";
import { judge, type Share } from "./judge.ts";
import { type LabelledDocument, placeLines, readLabelled } from "./labelled-set.ts";
import { rememberAll } from "./remember-all.ts";

const rounds = 5;
const chosen = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const names =
	chosen.length > 0
		? chosen
		: readdirSync(new URL("labelled", import.meta.url))
				.filter((file) => file.endsWith(".jsonl"))
				.map((file) => file.replace(".jsonl", ""))
				.sort();

console.log(
	"| Set | Facts | Lines without | Precision | Recall | Junk memories | Junk lines | Subject | Static | Date | Expiry | Links | Versions | Sentences/s |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
for (const name of names) {
	const labelled = readLabelled(name);
	const verdict = judge(await rememberAll(labelled));
	const { precision, recall, junk, junkLines, subjects, traits, dates, expiries, links, versions } = verdict;
	const cells = [precision, recall, junk, junkLines, subjects, traits, dates, expiries, links, versions].map(shown);
	console.log(`| ${name} | ${recall.of} | ${junkLines.of} | ${cells.join(" | ")} | ${await sentencesPerSecond(labelled)} |`);
	if (process.argv.includes("--show")) for (const mistake of [...verdict.mistakes].sort()) console.log(mistake);
}

function shown({ right, of }: Share): string {
	return of === 0 ? "" : `${((100 * right) / of).toFixed(1)} % (${right}/${of})`;
}

/** Of the extractor alone, after a warm-up. */
async function sentencesPerSecond(labelled: readonly LabelledDocument[]): Promise<number> {
	const extractor = await partOf(sentences(), "memoryExtractor");
	const step = createStep();
	const readings = labelled.map((one) => readingOf(one));
	const count = readings.reduce((sum, { chunks }) => sum + sentenceSpans(chunks[0]?.text ?? "").length, 0);
	for (const reading of readings) await extractor.extract(reading, step);
	const began = performance.now();
	for (let i = 0; i < rounds; i++) for (const reading of readings) await extractor.extract(reading, step);
	return Math.round((count * rounds) / ((performance.now() - began) / 1_000));
}

function readingOf(labelled: LabelledDocument) {
	const { text } = placeLines(labelled);
	const id = asId<DocumentId>("d".repeat(22));
	const createdAt = new Date(`${labelled.date}T12:00:00Z`);
	const chunk: Chunk = { id: asId<ChunkId>("c".repeat(22)), document: id, revision: 1, position: 0, text, indexedText: text, place: {} };
	return { document: { id, containerTags: ["bench"], metadata: {}, createdAt, title: null }, chunks: [chunk], entityContext: null };
}
