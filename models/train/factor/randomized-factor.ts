/**
 * The leading axes of a large sparse symmetric matrix: a random sample of its range, made sharper by multiplying again, then the
 * exact axes inside it (Halko, Martinsson & Tropp 2011).
 */

import type { Kernels, Matrix, SparseRows } from "../kernels/kernels.ts";
import type { Random } from "../random.ts";
import { orthonormalize } from "./orthonormal.ts";
import { symmetricEigen } from "./symmetric-eigen.ts";

/** Axes sampled besides those wanted: the last ones of a sample are blurred. */
const extraAxes = 32;
const sharpenings = 2;

export interface Factor {
	/** The largest by absolute value first. */
	readonly values: readonly number[];
	/** A row for each row of the matrix, a column for each value. */
	readonly vectors: Float32Array;
}

export function axesSampled(dimensions: number, rows: number): number {
	return Math.min(dimensions + extraAxes, Math.floor(rows / 4) * 4);
}

export function randomizedFactor(matrix: SparseRows, dimensions: number, kernels: Kernels, random: Random): Factor {
	const rows = matrix.starts.length - 1;
	const axes = axesSampled(dimensions, rows);
	const sample = kernels.matrix(rows, axes);
	const image = kernels.matrix(rows, axes);
	for (let i = 0; i < sample.values.length; i++) sample.values[i] = random.normal();
	for (let round = 0; round <= sharpenings; round++) {
		kernels.multiplySparse(image, matrix, sample, rows);
		orthonormalize(image);
		sample.values.set(image.values);
	}
	kernels.multiplySparse(image, matrix, sample, rows);
	const { values, vectors } = symmetricEigen(inside(sample, image), axes);
	return { values: values.slice(0, dimensions), vectors: outside(sample, vectors.slice(0, dimensions)) };
}

/** `sampleᵀ × image`, made symmetric against rounding. */
function inside(sample: Matrix, image: Matrix): Float64Array {
	const { rows, columns } = sample;
	const product = new Float64Array(columns * columns);
	for (let row = 0; row < rows; row++) {
		for (let i = 0; i < columns; i++) {
			const value = sample.values[row * columns + i] ?? 0;
			for (let j = 0; j < columns; j++) product[i * columns + j] = (product[i * columns + j] ?? 0) + value * (image.values[row * columns + j] ?? 0);
		}
	}
	return product.map((value, at) => (value + (product[(at % columns) * columns + Math.floor(at / columns)] ?? 0)) / 2);
}

function outside(sample: Matrix, vectors: readonly Float64Array[]): Float32Array {
	const { rows, columns } = sample;
	const result = new Float32Array(rows * vectors.length);
	for (let row = 0; row < rows; row++) {
		for (const [axis, vector] of vectors.entries()) {
			let sum = 0;
			for (let i = 0; i < columns; i++) sum += (sample.values[row * columns + i] ?? 0) * (vector[i] ?? 0);
			result[row * vectors.length + axis] = sum;
		}
	}
	return result;
}
