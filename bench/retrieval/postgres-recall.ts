/**
 * How many of the true ten nearest the index on pgvector finds: `bun bench/retrieval/postgres-recall.ts --data FOLDER --url postgres://…`,
 * a folder of collections in the form of BEIR and an empty database. All their texts are one collection of the index, made through the
 * graph; every question is asked of all of them, of a twentieth and of a thousandth. Also how long a question takes, and a page of 500. A run that was
 * ended is taken up where it was.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cosine, type EntryFilter, type Vector, type VectorEntry } from "cairn-memory";
import { createStep } from "../../core/language/step.ts";
import { hasPgvector } from "../../plugins/stores/postgres/indexes/pgvector.ts";
import { pgvectorIndex } from "../../plugins/stores/postgres/indexes/vectors.ts";
import { migrate, vectorHistory } from "../../plugins/stores/postgres/migrations.ts";
import { connectServer } from "../../plugins/stores/postgres/server.ts";
import { wholeText } from "../../server/evaluation/collection.ts";
import { openLaboratory } from "../../server/evaluation/laboratory.ts";
import { isCollection, readCollection } from "../../server/evaluation/read-collection.ts";
import { shown, timesOf } from "../times.ts";

const { values: given } = parseArgs({
	options: { data: { type: "string" }, url: { type: "string" }, questions: { type: "string", default: "300" }, texts: { type: "string", default: "1000000" } },
});
if (given.data === undefined || given.url === undefined) {
	console.error("usage: bun bench/retrieval/postgres-recall.ts --data FOLDER --url postgres://user@host/database [--questions 300] [--texts 1000000]");
	process.exit(1);
}
/** As core asks: for ten shown it takes so many candidates, whose order it computes itself. */
const candidates = 64;
const nearestOf = 10;
const pageSize = 500;
const log = (level: string, message: string, facts?: unknown) => console.error(level, message, facts ?? "");

const { texts, questions } = await readAll(given.data, Number(given.questions));
const [entries, asked] = await embedAll(texts.slice(0, Number(given.texts)), questions);
const connection = connectServer({ url: given.url, connectionsMax: 4, prepare: true, statementTimeoutMs: 60_000, log });
await migrate(connection);
if (!(await hasPgvector(connection, log))) throw new Error("there is no pgvector");
await migrate(connection, undefined, { history: vectorHistory });
const index = pgvectorIndex(connection, { exactMax: 10_000, buildMegabytes: 1_000, log });
const collection = await index.open("chunk-recall", entries[0]?.vector.length ?? 0, "bench");
const pages: number[] = [];
const position = await collection.position();
for (let start = position === null ? 0 : Number(position) + pageSize; start < entries.length; start += pageSize) {
	const began = performance.now();
	await collection.apply({ put: entries.slice(start, start + pageSize), remove: [], position: String(start) });
	pages.push(performance.now() - began);
}
console.log(`${entries.length} texts; a page of ${pageSize}: ${shown(timesOf(pages).p50)}`);
while ((await graphs()) !== 1) await Bun.sleep(100);
await collection.position();
for (const [name, tags] of [
	["no filter", []],
	["5 %", ["twentieth"]],
	["0.1 %", ["thousandth"]],
] as const)
	await report(name, { containerTags: tags, tagsMatch: "all", allowedIds: null });
await connection.close();

async function graphs(): Promise<number> {
	const { rows } = await connection.query("SELECT count(*) AS count FROM index_collections WHERE graph IS NOT NULL", []);
	return (rows as readonly { readonly count: number }[])[0]?.count ?? 0;
}

async function report(name: string, within: EntryFilter): Promise<void> {
	const inside = entries.filter(({ containerTags }) => within.containerTags.every((tag) => containerTags.includes(tag)));
	const vectors = new Map(inside.map(({ id, vector }) => [id, vector]));
	const took: number[] = [];
	let recalled = 0;
	for (const query of asked) {
		const began = performance.now();
		const found = await collection.nearest(query, candidates, within);
		took.push(performance.now() - began);
		const best = found.toSorted((a, b) => cosine(query, vectors.get(b) ?? query) - cosine(query, vectors.get(a) ?? query)).slice(0, nearestOf);
		const scores = inside.map(({ vector }) => cosine(query, vector)).sort((a, b) => b - a);
		const least = scores[Math.min(nearestOf, scores.length) - 1] ?? 0;
		// Equal texts are as good as each other.
		recalled += best.filter((id) => cosine(query, vectors.get(id) ?? query) >= least - 1e-9).length / Math.min(nearestOf, scores.length);
	}
	console.log(
		`${name}: ${inside.length} texts, recall@10 ${(recalled / asked.length).toFixed(4)}, p50 ${shown(timesOf(took).p50)}, p99 ${shown(timesOf(took).p99)}`,
	);
}

async function readAll(folder: string, count: number): Promise<{ readonly texts: readonly string[]; readonly questions: readonly string[] }> {
	const names = readdirSync(folder).filter((name) => isCollection(join(folder, name)));
	const collections = await Promise.all(names.map((name) => readCollection(join(folder, name))));
	const each = Math.ceil(count / collections.length);
	return {
		texts: collections.flatMap(({ documents }) => documents.map(wholeText).filter((text) => text.trim() !== "")),
		questions: collections.flatMap(({ questions }) => questions.slice(0, each).map(({ text }) => text)),
	};
}

async function embedAll(texts: readonly string[], questions: readonly string[]): Promise<readonly [readonly VectorEntry[], readonly Vector[]]> {
	await using laboratory = await openLaboratory({});
	const { embedder, world } = laboratory.parts;
	const step = createStep(world, new AbortController().signal);
	const vectors: Vector[] = [];
	for (let start = 0; start < texts.length; start += pageSize) vectors.push(...(await embedder.embed(texts.slice(start, start + pageSize), "document", step)));
	const entries = vectors.map((vector, i) => {
		const containerTags = ["all", ...(i % 20 === 0 ? ["twentieth"] : []), ...(i % 1_000 === 0 ? ["thousandth"] : [])];
		return { id: `text${i}`, vector, containerTags };
	});
	return [entries.filter(({ vector }) => vector.some((value) => value !== 0)), await embedder.embed(questions, "query", step)];
}
