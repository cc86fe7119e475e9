import { describe, expect, test } from "bun:test";
import { orthonormalize } from "../../../models/train/factor/orthonormal.ts";
import { randomizedFactor } from "../../../models/train/factor/randomized-factor.ts";
import { symmetricEigen } from "../../../models/train/factor/symmetric-eigen.ts";
import { createKernels } from "../../../models/train/kernels/kernels.ts";
import { createRandom } from "../../../models/train/random.ts";

const size = 60;

/** Symmetric, mostly empty, with three axes that stand out: the same numbers dense and sparse. */
function sample(): { readonly dense: Float64Array; readonly entries: readonly (readonly [number, number])[] } {
	const random = createRandom(3);
	const dense = new Float64Array(size * size);
	const put = (i: number, j: number, value: number): void => {
		dense[i * size + j] = (dense[i * size + j] ?? 0) + value;
		if (i !== j) dense[j * size + i] = (dense[j * size + i] ?? 0) + value;
	};
	for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) if (i % 3 === j % 3) put(i, j, 4 + (i % 3));
	for (let times = 0; times < 200; times++) put(random.below(size), random.below(size), random.normal() * 0.3);
	const entries = [...dense].flatMap((value, place) => (value === 0 ? [] : [[place, value] as const]));
	return { dense, entries };
}

describe("factors", () => {
	test("eigenvectors are turned into multiples of themselves and are perpendicular", () => {
		const { dense } = sample();
		const { values, vectors } = symmetricEigen(dense.slice(), size);
		for (const [i, vector] of vectors.slice(0, 10).entries()) {
			for (let row = 0; row < size; row++) {
				let sum = 0;
				for (let k = 0; k < size; k++) sum += (dense[row * size + k] ?? 0) * (vector[k] ?? 0);
				expect(sum).toBeCloseTo((values[i] ?? 0) * (vector[row] ?? 0), 6);
			}
			const other = vectors[i + 1] ?? vector;
			expect(vector.reduce((sum, value, k) => sum + value * (other[k] ?? 0), 0)).toBeCloseTo(0, 8);
		}
		expect(values.map(Math.abs)).toEqual(values.map(Math.abs).toSorted((a, b) => b - a));
	});

	test("columns become perpendicular, and one that adds nothing becomes zero", () => {
		const kernels = createKernels(100_000);
		const matrix = kernels.matrix(6, 4);
		matrix.values.set([1, 2, 0, 2, 0, 1, 1, 0, 1, 0, 0, 2, 2, 1, 0, 4, 0, 0, 1, 0, 1, 1, 1, 2]);
		orthonormalize(matrix);
		const column = (i: number): number[] => Array.from({ length: 6 }, (_, row) => matrix.values[row * 4 + i] ?? 0);
		const inner = (i: number, j: number): number => column(i).reduce((sum, value, row) => sum + value * (column(j)[row] ?? 0), 0);
		for (let i = 0; i < 3; i++) for (let j = 0; j <= i; j++) expect(inner(i, j)).toBeCloseTo(i === j ? 1 : 0, 5);
		// The last column was twice the first.
		expect(inner(3, 3)).toBe(0);
	});

	test("the random sample finds the axes that the exact way finds", () => {
		const { dense, entries } = sample();
		const kernels = createKernels(1_000_000);
		const sparse = kernels.sparse(size, entries.length);
		for (const [i, [place, value]] of entries.entries()) {
			sparse.columns[i] = place % size;
			sparse.values[i] = value;
			sparse.starts[Math.floor(place / size) + 1] = i + 1;
		}
		const exact = symmetricEigen(dense.slice(), size);
		const found = randomizedFactor(sparse, 4, kernels, createRandom(9));
		for (let axis = 0; axis < 3; axis++) {
			expect(found.values[axis] ?? 0).toBeCloseTo(exact.values[axis] ?? 0, 3);
			let alike = 0;
			for (let row = 0; row < size; row++) alike += (found.vectors[row * 4 + axis] ?? 0) * (exact.vectors[axis]?.[row] ?? 0);
			expect(Math.abs(alike)).toBeCloseTo(1, 3);
		}
	});
});
