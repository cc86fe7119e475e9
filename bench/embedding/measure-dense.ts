/** How well the vectors of an embedder alone find the answers of a collection. */

import type { Embedder, Vector } from "cairn-memory";
import { createKernels, type Matrix } from "../../models/train/kernels/kernels.ts";
import { createStep } from "../../test/doubles/step.ts";
import type { Collection, Row } from "./collection.ts";

export interface DenseFigures {
	readonly gain: number;
	readonly recall: number;
	/** Cosines of questions with texts that answer them and with all others, each sorted. */
	readonly answers: Float64Array;
	readonly strangers: Float64Array;
}

const best = 10;
/** One stranger in so many is looked at. */
const strangerShare = 101;

export async function measureDense(embedder: Embedder, { corpus, queries, relevant }: Collection): Promise<DenseFigures> {
	const [texts, asked] = [await embedAll(embedder, corpus), await embedAll(embedder, queries)];
	const answers: number[] = [];
	const strangers: number[] = [];
	let gain = 0;
	let recall = 0;
	for (const [, group] of Map.groupBy(queries.keys(), (i) => queries[i]?.group ?? "")) {
		const inside = [...corpus.keys()].filter((j) => corpus[j]?.group === queries[group[0] ?? 0]?.group);
		const cosines = cosinesOf(pick(asked, group), pick(texts, inside), embedder.space.dimensions);
		for (const [line, query] of group.entries()) {
			const wanted = relevant.get(queries[query]?.id ?? "") ?? new Map<string, number>();
			const scored = inside.map((j, column) => ({ grade: wanted.get(corpus[j]?.id ?? "") ?? 0, score: cosines.values[line * cosines.columns + column] ?? 0 }));
			for (const [at, { grade, score }] of scored.entries()) {
				if (grade > 0) answers.push(score);
				else if (at % strangerShare === query % strangerShare) strangers.push(score);
			}
			const found = scored.sort((a, b) => b.score - a.score).slice(0, best);
			gain += discounted(found.map(({ grade }) => grade)) / discounted([...wanted.values()].sort((a, b) => b - a).slice(0, best));
			recall += found.filter(({ grade }) => grade > 0).length / wanted.size;
		}
	}
	const share = 100 / Math.max(1, queries.length);
	return { gain: gain * share, recall: recall * share, answers: Float64Array.from(answers).sort(), strangers: Float64Array.from(strangers).sort() };
}

function pick(vectors: readonly Vector[], places: readonly number[]): readonly Vector[] {
	return places.flatMap((place) => vectors[place] ?? []);
}

function cosinesOf(queries: readonly Vector[], texts: readonly Vector[], dimensions: number): Matrix {
	const [rows, columns] = [queries.length, texts.length].map((count) => Math.ceil(count / 4) * 4) as [number, number];
	const kernels = createKernels((rows * columns + (rows + columns) * dimensions) * 4 + 4_096);
	const [a, b] = [queries, texts].map((vectors, i) => {
		const matrix = kernels.matrix(i === 0 ? rows : columns, dimensions);
		for (const [row, vector] of vectors.entries()) matrix.values.set(vector, row * dimensions);
		return matrix;
	}) as [Matrix, Matrix];
	const product = kernels.matrix(rows, columns);
	kernels.multiplyTransposed(product, a, b);
	return product;
}

function discounted(grades: readonly number[]): number {
	return grades.reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
}

async function embedAll(embedder: Embedder, rows: readonly Row[]): Promise<readonly Vector[]> {
	const vectors: Vector[] = [];
	for (let i = 0; i < rows.length; i += embedder.batchMax) {
		const texts = rows.slice(i, i + embedder.batchMax).map(({ text }) => text);
		vectors.push(...(await embedder.embed(texts, "document", createStep())));
	}
	return vectors;
}
