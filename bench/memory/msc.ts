/**
 * How many chat turns yield a memory that states the fact they hold: `bun bench/memory/msc.ts <facts.tsv> [--show 40]`,
 * each line a fact, a tab and the turn. A fact is found when some memory has at least half of its telling words.
 */

import { readFileSync } from "node:fs";
import { asId, type Chunk } from "cairn-memory";
import type { ChunkId, DocumentId } from "cairn-memory/stores";
import { queryWords } from "cairn-memory/words";
import statements from "../../plugins/memory-extractors/statements/index.ts";
import { quietHost } from "../../test/contract/quiet-host.ts";
import { createStep } from "../../test/doubles/step.ts";

const [path = "", , shown = "0"] = process.argv.slice(2);
const { memoryExtractor: [extractor] = [] } = await statements().start({ prosePerChunkMax: 2, narrator: "User" }, quietHost());
if (extractor === undefined) throw new Error("the plugin offers no memory extractor");
const saidAt = new Date("2026-01-14T12:00:00Z");
const document = { id: asId<DocumentId>("d".repeat(22)), containerTags: ["bench"], metadata: {}, createdAt: saidAt, referenceDate: saidAt, title: null };
const step = createStep();
const pairs = readFileSync(path, "utf8")
	.split("\n")
	.filter((line) => line.includes("\t"))
	.map((line) => line.split("\t"));

let found = 0;
let silent = 0;
let memories = 0;
let began = 0;
let spentMs = 0;
for (const [i, [fact = "", turn = ""]] of pairs.entries()) {
	began = performance.now();
	const drafts = await extractor.extract({ document, chunks: [chunkOf(`User: ${turn}`)], entityContext: null }, step);
	spentMs += performance.now() - began;
	const wanted = queryWords(fact, 64).filter((word) => word !== "user");
	const isFound = drafts.some(({ text }) => {
		const words = new Set(queryWords(text, 200));
		return wanted.filter((word) => words.has(word)).length * 2 >= wanted.length;
	});
	if (isFound) found++;
	if (drafts.length === 0) silent++;
	memories += drafts.length;
	if (!isFound && i % Math.ceil(pairs.length / Number(shown)) === 0) console.log(`- ${fact}\n  ${turn}\n  → ${drafts.map(({ text }) => text).join(" | ")}`);
}
console.log(`${pairs.length} turns: ${((100 * found) / pairs.length).toFixed(1)} % yield the fact, ${silent} yield nothing, ${memories} memories`);
console.log(`${Math.round(pairs.length / (spentMs / 1_000))} turns a second`);

function chunkOf(text: string): Chunk {
	return { id: asId<ChunkId>("c".repeat(22)), document: document.id, revision: 1, position: 0, text, indexedText: text, place: {} };
}
