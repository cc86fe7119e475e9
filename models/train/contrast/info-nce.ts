/**
 * The loss of a batch of pairs: each question should be nearer to its own answer than to all other answers of the batch, and
 * each answer to its own question (InfoNCE, van den Oord et al. 2018, in both directions).
 */

import type { Kernels, Matrix } from "../kernels/kernels.ts";

export interface InfoNce {
	/** Unit vectors, to be filled in before each call: first those of all questions, then those of their answers. */
	readonly units: Matrix;
	/** What a small move of each vector adds to the loss. */
	readonly slopes: Matrix;
	/** `same(i, j)`: question `i` may be answered by answer `j` too, so that the pair says nothing. Never asked for `i = j`. */
	readonly loss: (same: (i: number, j: number) => boolean) => number;
}

export function createInfoNce(kernels: Kernels, batch: number, dimensions: number, temperature: number): InfoNce {
	const [units, slopes] = [kernels.matrix(batch * 2, dimensions), kernels.matrix(batch * 2, dimensions)];
	const [cosines, turned] = [kernels.matrix(batch, batch), kernels.matrix(batch, batch)];
	const columns = kernels.matrix(dimensions, batch);
	const [questions, answers] = [half(units, 0), half(units, 1)];
	const loss = (same: (i: number, j: number) => boolean): number => {
		kernels.multiplyTransposed(cosines, questions, answers);
		const sum = slopesOfCosines(cosines, temperature, same);
		transpose(columns, answers);
		kernels.multiplyTransposed(half(slopes, 0), cosines, columns);
		transpose(turned, cosines);
		transpose(columns, questions);
		kernels.multiplyTransposed(half(slopes, 1), turned, columns);
		return sum;
	};
	return { units, slopes, loss };
}

/** The same numbers in the same place: what is written to the half is written to the whole. */
function half({ values, rows, columns }: Matrix, which: 0 | 1): Matrix {
	const size = (rows / 2) * columns;
	return { values: values.subarray(which * size, (which + 1) * size), rows: rows / 2, columns };
}

/** Replaces the cosines by their slopes, and answers the loss: the mean over pairs of both directions. */
function slopesOfCosines({ values, rows }: Matrix, temperature: number, same: (i: number, j: number) => boolean): number {
	const across = new Float64Array(rows);
	const down = new Float64Array(rows);
	const grown = new Float64Array(rows * rows);
	for (let i = 0; i < rows; i++) {
		for (let j = 0; j < rows; j++) {
			if (i !== j && same(i, j)) continue;
			// No cosine is above 1, so that nothing overflows.
			const value = Math.exp(((values[i * rows + j] ?? 0) - 1) / temperature);
			grown[i * rows + j] = value;
			across[i] = (across[i] ?? 0) + value;
			down[j] = (down[j] ?? 0) + value;
		}
	}
	let loss = 0;
	for (let i = 0; i < rows; i++) {
		const own = grown[i * rows + i] ?? 0;
		loss -= (Math.log(own / (across[i] ?? 1)) + Math.log(own / (down[i] ?? 1))) / (2 * rows);
		for (let j = 0; j < rows; j++) {
			const value = grown[i * rows + j] ?? 0;
			const share = value / (across[i] ?? 1) + value / (down[j] ?? 1) - (i === j ? 2 : 0);
			values[i * rows + j] = share / (2 * rows * temperature);
		}
	}
	return loss;
}

function transpose(to: Matrix, from: Matrix): void {
	for (let i = 0; i < from.rows; i++) for (let j = 0; j < from.columns; j++) to.values[j * to.columns + i] = from.values[i * from.columns + j] ?? 0;
}
