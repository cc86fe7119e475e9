/**
 * How well Cairn finds, beside the yardsticks: `bun bench/retrieval/table.ts --data FOLDER`, a folder of collections in the
 * form of BEIR. `--onnx MODEL` adds columns for a model in ONNX form, `--only NAME,NAME` leaves collections out. Cairn's
 * columns come from its own search over its own storage, in process; nothing is asked of a network.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "../../core/plugin/config.ts";
import { ask, type Way } from "../../server/evaluation/ask.ts";
import type { Collection } from "../../server/evaluation/collection.ts";
import { type Laboratory, openLaboratory } from "../../server/evaluation/laboratory.ts";
import { meanQuality, type Quality, qualityOf } from "../../server/evaluation/metrics.ts";
import { isCollection, readCollection } from "../../server/evaluation/read-collection.ts";
import { bm25, type Rank } from "./bm25.ts";
import { fts5 } from "./fts5.ts";

type Column = (collection: Collection) => Promise<Quality>;

const signal = new AbortController().signal;
const { values: given } = parseArgs({ options: { data: { type: "string" }, onnx: { type: "string" }, only: { type: "string" } } });
if (given.data === undefined) {
	console.error("usage: bun bench/retrieval/table.ts --data FOLDER [--onnx FOLDER] [--only NAME,NAME]");
	process.exit(1);
}

await using laboratories = new AsyncDisposableStack();
const columns = new Map<string, Column>([
	["BM25", async (collection) => judge(collection, bm25(collection))],
	["FTS5", async (collection) => judge(collection, fts5(collection))],
	...ways("", laboratories.use(await openLaboratory({})), ["words", "dense", "fusion", "rerank"]),
	...(given.onnx === undefined ? [] : ways("ONNX ", laboratories.use(await openLaboratory(onnxConfig(given.onnx))), ["dense", "fusion", "rerank"])),
]);
const lines: { readonly name: string; readonly cells: ReadonlyMap<string, Quality> }[] = [];
for (const name of collectionNames(given.data, given.only?.split(",") ?? [])) {
	const collection = await readCollection(join(given.data, name));
	const cells = new Map<string, Quality>();
	for (const [title, column] of columns) {
		console.error(`${name}: ${title}`);
		cells.set(title, await column(collection));
	}
	lines.push({ name, cells });
}
lines.push({ name: "mean", cells: new Map([...columns.keys()].map((title) => [title, meanQuality(lines.flatMap(({ cells }) => cells.get(title) ?? []))])) });
for (const [title, of] of [
	["nDCG@10", ({ ndcg }: Quality) => ndcg],
	["recall@10", ({ recall }: Quality) => recall],
	["MRR@10", ({ reciprocalRank }: Quality) => reciprocalRank],
] as const) {
	console.log(`\n| ${[title, ...columns.keys()].join(" | ")} |\n|${"---|".repeat(columns.size + 1)}`);
	for (const { name, cells } of lines) {
		console.log(`| ${[name, ...[...columns.keys()].map((column) => shown(cells.get(column), of))].join(" | ")} |`);
	}
}

function collectionNames(folder: string, only: readonly string[]): readonly string[] {
	const names = readdirSync(folder).filter((name) => isCollection(join(folder, name)) && (only.length === 0 || only.includes(name)));
	return names.sort();
}

function onnxConfig(model: string): Config {
	return { plugins: [["embedder-onnx", { folder: model }]], use: { embedder: "onnx" } };
}

/** Each laboratory is filled once for all its columns of one collection. */
function ways(prefix: string, laboratory: Laboratory, names: readonly Way[]): readonly (readonly [string, Column])[] {
	const filled = new Map<Collection, ReturnType<Laboratory["fill"]>>();
	const fill = (collection: Collection) => {
		const known = filled.get(collection) ?? laboratory.fill(collection, signal);
		filled.set(collection, known);
		return known;
	};
	return names.map((way) => [
		`${prefix}${way}`,
		async (collection) => {
			const there = await fill(collection);
			const qualities: Quality[] = [];
			for (const question of collection.questions) {
				const answers = await ask(question, way, there, laboratory.parts, signal);
				qualities.push(
					qualityOf(
						answers.map(({ id }) => id),
						collection.relevant.get(question.id) ?? new Map(),
					),
				);
			}
			return meanQuality(qualities);
		},
	]);
}

function judge({ questions, relevant }: Collection, rank: Rank): Quality {
	return meanQuality(questions.map((question) => qualityOf(rank(question), relevant.get(question.id) ?? new Map())));
}

function shown(quality: Quality | undefined, of: (quality: Quality) => number): string {
	return quality === undefined ? "" : (100 * of(quality)).toFixed(1);
}
