/**
 * How many of the true neighbours of a statement are found among many: `bun bench/neighbours-found.ts COUNT [FILE]`, with the lines of a
 * file or, without one, with sentences of notes. Each line is a statement in the built-in embedder's space; 200 others are asked about, one
 * after another and together, and held against a comparison with every vector.
 */

import { createStep } from "../core/language/step.ts";
import type { Vector } from "../core/model/vector.ts";
import { quantize, toUnitVector, VectorMatrix } from "../plugins/stores/sqlite/vectors/matrix/vector-matrix.ts";
import { openLaboratory } from "../server/evaluation/laboratory.ts";
import { createSentences } from "./notes.ts";

const [count, file] = [Number(process.argv[2] ?? 100_000), process.argv[3]];
const asked = 200;
/** Neighbours that linkers get, and those that are looked through for the same subject. */
const wanted = [8, 32] as const;
/** As many as a search for 32 asks for. */
const rankedCount = 64;
/** The product takes the best of these by their rounded cosines. */
const taken = 32;
const textsAtOnce = 1_000;
/** So many are known of each query, so that equal ones are among them. */
const knownMax = 64;
const rounding = 1e-6;

await using laboratory = await openLaboratory({});
const { embedder, world } = laboratory.parts;
const step = createStep(world, new AbortController().signal);
const nextText = file === undefined ? createSentences(8) : linesOf(await Bun.file(file).text());
const queries = (await embedded(asked)).map(toUnitVector);
const best = queries.map((): Known[] => []);
const matrix = new VectorMatrix(embedder.space.dimensions);
while (matrix.length < count) {
	for (const vector of await embedded(Math.min(textsAtOnce, count - matrix.length))) {
		matrix.append(matrix.length + 1, vector);
		const unit = toUnitVector(vector);
		for (const [i, query] of queries.entries()) insert(best[i] ?? [], { position: matrix.length - 1, score: dot(query, unit) });
	}
}
const rows = queries.map((query) => {
	const row = new Int8Array(query.length);
	quantize(query, row, 0);
	return row;
});
const all = Int32Array.from({ length: count }, (_, i) => i);
await report("one after another", async () => {
	const rankings: Awaited<ReturnType<VectorMatrix["topOfEach"]>>[number][] = [];
	for (const row of rows) rankings.push(await matrix.topOf(row, all, rankedCount));
	return rankings;
});
await report("together", () => matrix.topOfEach(rows, all, rankedCount));

async function report(how: string, search: () => ReturnType<VectorMatrix["topOfEach"]>): Promise<void> {
	await search();
	const began = process.threadCpuUsage();
	const found = await search();
	const { user, system } = process.threadCpuUsage(began);
	const shares = wanted.map((limit) => {
		const right = found.reduce((sum, { positions }, i) => sum + rightOf(i, positions, limit), 0);
		return `${((100 * right) / asked / limit).toFixed(2)} % of the nearest ${limit}`;
	});
	console.log(`${count} vectors, ${how}: ${((user + system) / 1_000 / asked).toFixed(2)} ms of processor time a query, ${shares.join(", ")}`);
}

/** How many of the nearest are among the rows that the product takes; of those with the same cosine as the last one any will do. */
function rightOf(query: number, positions: Int32Array, limit: number): number {
	const nearest = best[query] ?? [];
	const least = nearest[limit - 1]?.score ?? 1;
	const right = new Set(nearest.flatMap(({ position, score }) => (score >= least - rounding ? [position] : [])));
	return Math.min(limit, positions.subarray(0, taken).filter((position) => right.has(position)).length);
}

interface Known {
	readonly position: number;
	readonly score: number;
}

/** Keeps the best, best first. */
function insert(known: Known[], candidate: Known): void {
	if (known.length === knownMax && candidate.score <= (known.at(-1)?.score ?? -1)) return;
	const at = known.findIndex(({ score }) => score < candidate.score);
	known.splice(at < 0 ? known.length : at, 0, candidate);
	if (known.length > knownMax) known.pop();
}

function dot(a: Vector, b: Vector): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}

async function embedded(some: number): Promise<readonly Vector[]> {
	return embedder.embed(Array.from({ length: some }, nextText), "document", step);
}

function linesOf(text: string): () => string {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	if (lines.length < count + asked) throw new Error(`${count + asked} lines are needed, and there are ${lines.length}`);
	return () => lines.pop() ?? "";
}
