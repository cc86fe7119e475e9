/**
 * How well Cairn finds, beside the yardsticks: `bun bench/retrieval/table.ts --data FOLDER`, a folder of collections in the
 * form of BEIR. `--embedder NAME` takes another than the usual one, `--onnx FOLDER` adds columns for a model in ONNX form,
 * `--postgres URL` one
 * for an empty database that it fills, `--only NAME,NAME` leaves collections out, `--ways NAME,NAME` columns. Cairn's
 * columns come from its own search over its own storage, in process; nothing is asked of a network.
 */

import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "../../core/plugin/config.ts";
import type { Collection } from "../../server/evaluation/collection.ts";
import { type Laboratory, openLaboratory } from "../../server/evaluation/laboratory.ts";
import { measure } from "../../server/evaluation/measure.ts";
import { meanQuality, type Quality, qualityOf } from "../../server/evaluation/metrics.ts";
import { qualityTables, type Row } from "../../server/evaluation/quality-tables.ts";
import { isCollection, readCollection } from "../../server/evaluation/read-collection.ts";
import type { SearchMethod } from "../../server/evaluation/search-question.ts";
import { bm25, type Rank } from "./bm25.ts";
import { fts5 } from "./fts5.ts";

interface Setup {
	readonly prefix: string;
	readonly ways: readonly SearchMethod[];
	readonly laboratory: Laboratory;
}

const onnxWays = ["dense", "fusion"] as const;
const allWays = ["words", "dense", "fusion"] as const;

const signal = new AbortController().signal;
const { values: given } = parseArgs({
	options: {
		data: { type: "string" },
		embedder: { type: "string" },
		onnx: { type: "string" },
		postgres: { type: "string" },
		only: { type: "string" },
		ways: { type: "string" },
	},
});
if (given.data === undefined) {
	console.error(
		"usage: bun bench/retrieval/table.ts --data FOLDER [--embedder NAME] [--onnx FOLDER] [--postgres URL] [--only NAME,NAME] [--ways words,fusion]",
	);
	process.exit(1);
}

const usual: Config = given.embedder === undefined ? {} : { use: { embedder: given.embedder } };
await using laboratories = new AsyncDisposableStack();
const wanted = given.ways?.split(",");
const all: readonly Setup[] = [
	{ prefix: "", ways: allWays, laboratory: laboratories.use(await openLaboratory(usual)) },
	...(given.onnx === undefined ? [] : [{ prefix: "ONNX ", ways: onnxWays, laboratory: laboratories.use(await openLaboratory(onnxConfig(given.onnx))) }]),
	...(given.postgres === undefined ? [] : [{ prefix: "PostgreSQL ", ways: allWays, laboratory: laboratories.use(await openPostgres(given.postgres)) }]),
];
const setups = all.map((setup) => ({ ...setup, ways: setup.ways.filter((way) => wanted?.includes(way) ?? true) }));
const columns = ["BM25", "FTS5", ...setups.flatMap(({ prefix, ways }) => ways.map((way) => prefix + way))];
const rows: Row[] = [];
for (const name of collectionNames(given.data, given.only?.split(",") ?? [])) {
	const began = performance.now();
	rows.push({ name, cells: await cellsOf(await readCollection(join(given.data, name))) });
	console.error(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
console.log(qualityTables(columns, rows));

async function cellsOf(collection: Collection): Promise<ReadonlyMap<string, Quality>> {
	using sqlite = fts5(collection);
	const cells = new Map([
		["BM25", judge(collection, bm25(collection))],
		["FTS5", judge(collection, sqlite)],
	]);
	for (const { prefix, ways, laboratory } of setups) {
		for (const [way, quality] of await measure(laboratory, collection, ways, signal)) cells.set(prefix + way, quality);
	}
	return cells;
}

function collectionNames(folder: string, only: readonly string[]): readonly string[] {
	const names = readdirSync(folder).filter((name) => isCollection(join(folder, name)) && (only.length === 0 || only.includes(name)));
	return names.sort();
}

function openPostgres(url: string): Promise<Laboratory> {
	return openLaboratory({ ...usual, plugins: [["postgresql", { url }]] }, undefined, "postgresql");
}

/** A model is called as its folder. */
function onnxConfig(model: string): Config {
	return { plugins: [["embedder-onnx", { folder: dirname(resolve(model)) }]], use: { embedder: basename(resolve(model)) } };
}

function judge({ questions, relevant }: Collection, rank: Rank): Quality {
	return meanQuality(questions.map((question) => qualityOf(rank(question), relevant.get(question.id) ?? new Map())));
}
