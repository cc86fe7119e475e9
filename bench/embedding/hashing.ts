/** Measures an embedder alone: `bun bench/embedding/hashing.ts <folder>…`, each a retrieval collection in BEIR form. */

import { readFileSync } from "node:fs";
import { cosine, type Embedder, type Vector } from "cairn";
import hashing from "../../plugins/embedders/hashing.ts";
import { quietHost } from "../../test/conformance/quiet-host.ts";
import { createStep } from "../../test/doubles/step.ts";

const step = createStep();
const { embedder: [embedder] = [] } = await hashing().start({}, quietHost());
if (embedder === undefined) throw new Error("the plugin offers no embedder");

const kilobyte = "The committee approved the budget after a long debate about bridges, schools and the new harbour. ".repeat(11).slice(0, 1_000);
const many = Array.from({ length: 5_000 }, (_, i) => `${kilobyte}${i.toString(36)} ${kilobyte.slice(i % 900)}`.slice(0, 1_000));
const began = performance.now();
for (let i = 0; i < many.length; i += embedder.batchMax) await embedder.embed(many.slice(i, i + embedder.batchMax), "document", step);
console.log(`${Math.round(many.length / ((performance.now() - began) / 1_000))} texts of 1 kB a second`);

for (const folder of process.argv.slice(2)) console.log(folder, await measure(embedder, folder));

async function measure(part: Embedder, folder: string): Promise<string> {
	const rows = (name: string): { _id: string; title?: string; text: string; group?: string }[] =>
		readFileSync(`${folder}/${name}.jsonl`, "utf8")
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line));
	const corpus = rows("corpus");
	const queries = rows("queries");
	const relevant = new Map<string, Map<string, number>>();
	for (const line of readFileSync(`${folder}/qrels.tsv`, "utf8").split("\n").slice(1)) {
		const [query = "", document = "", grade = "1"] = line.split("\t");
		if (document === "" || Number(grade) <= 0) continue;
		relevant.set(query, (relevant.get(query) ?? new Map()).set(document, Number(grade)));
	}
	const vectors = await embedAll(
		part,
		corpus.map(({ title, text }) => `${title ?? ""} ${text}`),
	);
	const asked = await embedAll(
		part,
		queries.map(({ text }) => text),
	);
	const answered: number[] = [];
	const strange: number[] = [];
	let gain = 0;
	let count = 0;
	for (const [i, { _id, group }] of queries.entries()) {
		const wanted = relevant.get(_id);
		const query = asked[i];
		if (wanted === undefined || query === undefined) continue;
		const scored = corpus.flatMap((row, j) => (row.group === group ? [{ id: row._id, score: cosine(query, vectors[j] ?? query) }] : []));
		for (const { id, score } of scored) (wanted.has(id) ? answered : strange).push(score);
		scored.sort((a, b) => b.score - a.score);
		const grades = [...wanted.values()].sort((a, b) => b - a);
		gain += discounted(scored.slice(0, 10).map(({ id }) => wanted.get(id) ?? 0)) / discounted(grades.slice(0, 10));
		count++;
	}
	return `nDCG@10 ${((100 * gain) / count).toFixed(1)}; strangers ${quantiles(strange)}; answers ${quantiles(answered)}`;
}

function discounted(grades: readonly number[]): number {
	return grades.reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
}

async function embedAll(part: Embedder, texts: readonly string[]): Promise<readonly Vector[]> {
	const vectors: Vector[] = [];
	for (let i = 0; i < texts.length; i += part.batchMax) vectors.push(...(await part.embed(texts.slice(i, i + part.batchMax), "document", step)));
	return vectors;
}

function quantiles(values: readonly number[]): string {
	const sorted = Float64Array.from(values).sort();
	return [0.1, 0.5, 0.9, 0.99].map((share) => `${share * 100}%=${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2)}`).join(" ");
}
