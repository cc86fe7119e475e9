import { describe, expect, test } from "bun:test";
import { createKernels, type Matrix } from "../../../models/train/kernels/kernels.ts";
import { createRandom } from "../../../models/train/random.ts";

const random = createRandom(5);
const kernels = createKernels(1_000_000);

function matrixOf(rows: number, columns: number): Matrix {
	const matrix = kernels.matrix(rows, columns);
	for (let i = 0; i < matrix.values.length; i++) matrix.values[i] = random.normal();
	return matrix;
}

function at({ values, columns }: Matrix, row: number, column: number): number {
	return values[row * columns + column] ?? Number.NaN;
}

describe("kernels", () => {
	test("multiply by a transposed matrix", () => {
		const [a, b, product] = [matrixOf(8, 12), matrixOf(4, 12), kernels.matrix(8, 4)];
		kernels.multiplyTransposed(product, a, b);
		for (let i = 0; i < 8; i++) {
			for (let j = 0; j < 4; j++) {
				let sum = 0;
				for (let k = 0; k < 12; k++) sum += at(a, i, k) * at(b, j, k);
				expect(at(product, i, j)).toBeCloseTo(sum, 4);
			}
		}
	});

	test("multiply a sparse matrix, rows without entries too", () => {
		const dense = matrixOf(5, 8);
		const sparse = kernels.sparse(3, 4);
		sparse.starts.set([0, 3, 3, 4]);
		sparse.columns.set([4, 0, 4, 2]);
		sparse.values.set([0.5, -2, 1, 3]);
		const product = matrixOf(3, 8);
		kernels.multiplySparse(product, sparse, dense, 3);
		for (let k = 0; k < 8; k++) {
			expect(at(product, 0, k)).toBeCloseTo(1.5 * at(dense, 4, k) - 2 * at(dense, 0, k), 4);
			expect(at(product, 1, k)).toBe(0);
			expect(at(product, 2, k)).toBeCloseTo(3 * at(dense, 2, k), 4);
		}
	});

	test("refuse what does not fit", () => {
		expect(() => kernels.matrix(3, 5)).toThrow("multiple of four");
		expect(() => kernels.multiplyTransposed(kernels.matrix(3, 4), kernels.matrix(3, 4), kernels.matrix(4, 4))).toThrow("multiples of four");
		expect(() => createKernels(1_000).matrix(1_000, 1_000)).toThrow("are asked for");
	});
});
