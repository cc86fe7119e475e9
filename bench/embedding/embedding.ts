/**
 * Measures an embedder alone, its speed and what its vectors find: `bun bench/embedding/embedding.ts [--use hashing]
 * [--model FILE] [--write FILE] FOLDER…`, each a retrieval collection in BEIR form.
 */

import { parseArgs } from "node:util";
import type { Embedder } from "cairn-memory";
import type { BenchRecord } from "../../models/train/export/bench-record.ts";
import hashing from "../../plugins/embedders/hashing.ts";
import staticTable from "../../plugins/embedders/static/index.ts";
import { partOf } from "../../test/contract/start.ts";
import { createStep } from "../../test/doubles/step.ts";
import { readCollection } from "./collection.ts";
import { measureDense } from "./measure-dense.ts";

const { values, positionals } = parseArgs({
	options: { use: { type: "string", default: "static" }, model: { type: "string" }, write: { type: "string" } },
	allowPositionals: true,
});
const step = createStep();
const began = performance.now();
const embedder = await partOf(pluginOf(values.use), "embedder");
console.log(`${embedder.space.name}: started in ${(performance.now() - began).toFixed(0)} ms`);
await speeds(embedder);

const collections: BenchRecord["collections"] = [];
for (const folder of positionals) {
	const collection = await readCollection(folder);
	const { gain, recall, answers, strangers } = await measureDense(embedder, collection);
	collections.push({ name: collection.name, gain, recall });
	console.log(`${collection.name.padEnd(12)} ${line(gain, recall)}; strangers ${quantiles(strangers)}; answers ${quantiles(answers)}`);
}
if (collections.length > 0) {
	const [gain, recall] = [mean(collections.map((found) => found.gain)), mean(collections.map((found) => found.recall))];
	collections.push({ name: "mean", gain, recall });
	console.log(`${"mean".padEnd(12)} ${line(gain, recall)}`);
}
if (values.write !== undefined) await Bun.write(values.write, `${JSON.stringify({ space: embedder.space.name, collections }, null, "\t")}\n`);

function mean(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function pluginOf(use: string): Parameters<typeof partOf>[0] {
	if (use === "hashing") return hashing();
	return values.model === undefined ? staticTable() : staticTable({ model: values.model });
}

async function speeds(part: Embedder): Promise<void> {
	const sentence = "The committee approved the budget after a long debate about bridges, schools and the new harbour. ";
	const short = Array.from({ length: 20_000 }, (_, i) => `${sentence.slice(i % 40)}${i.toString(36)}`);
	const long = Array.from({ length: 3_000 }, (_, i) => `${i.toString(36)} ${sentence.repeat(12).slice(i % 90)}`.slice(0, 1_000));
	const questions = Array.from({ length: 2_000 }, (_, i) => `who approved the budget for the new harbour ${i.toString(36)}?`);
	for (const question of questions) await part.embed([question], "query", step);
	const each = await timed(async () => {
		for (const question of questions) await part.embed([question], "query", step);
	});
	console.log(`a question in ${(each / questions.length).toFixed(3)} ms; ${await rate(part, short)} short texts a second, ${await rate(part, long)} of 1 kB`);
}

async function rate(part: Embedder, texts: readonly string[]): Promise<number> {
	const took = await timed(async () => {
		for (let i = 0; i < texts.length; i += part.batchMax) await part.embed(texts.slice(i, i + part.batchMax), "document", step);
	});
	return Math.round(texts.length / (took / 1_000));
}

async function timed(work: () => Promise<void>): Promise<number> {
	const from = performance.now();
	await work();
	return performance.now() - from;
}

function line(gain: number, recall: number): string {
	return `nDCG@10 ${gain.toFixed(1)}, recall@10 ${recall.toFixed(1)}`;
}

function quantiles(sorted: Float64Array): string {
	return [0.1, 0.5, 0.9, 0.99].map((share) => `${share * 100}%=${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2)}`).join(" ");
}
