/** The memory of the trainer and the loops that work on it: about eight times as fast as the same loops over typed arrays. */

import { assemble } from "./assembler.ts";
import { addScaled, gather, innerProducts } from "./routines.ts";

/** Rows of numbers, one after another, inside the memory of the kernels. */
export interface Matrix {
	readonly values: Float32Array;
	readonly rows: number;
	/** A multiple of four. */
	readonly columns: number;
}

/** Row `i` has the entries from `starts[i]` up to `starts[i + 1]`. Columns and values lie in the memory of the kernels. */
export interface SparseRows {
	readonly starts: Uint32Array;
	readonly columns: Uint32Array;
	readonly values: Float32Array;
}

export interface Kernels {
	readonly matrix: (rows: number, columns: number) => Matrix;
	readonly sparse: (rows: number, entries: number) => SparseRows;
	/** `to[row] += factor × from[other]` */
	readonly addRow: (to: Matrix, row: number, from: Matrix, other: number, factor: number) => void;
	/** `to = sparse × dense`, for the first `rows` of `sparse`. */
	readonly multiplySparse: (to: Matrix, sparse: SparseRows, dense: Matrix, rows: number) => void;
	/** `to = a × bᵀ`, all of both; rows must be multiples of four. */
	readonly multiplyTransposed: (to: Matrix, a: Matrix, b: Matrix) => void;
}

interface Exports {
	readonly addScaled: (to: number, from: number, bytes: number, factor: number) => void;
	readonly gather: (to: number, columns: number, values: number, bytes: number, rows: number, width: number) => void;
	readonly innerProducts: (to: number, stride: number, a: number, b: number, bytes: number) => void;
}

const pageBytes = 65_536;
/** As cache lines. */
const alignment = 64;

export function createKernels(bytes: number): Kernels {
	const pages = Math.ceil(bytes / pageBytes) + 1;
	const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
	const module = new WebAssembly.Module(assemble([addScaled, gather, innerProducts], pages));
	const run = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
	let free = alignment;
	const take = (length: number): number => {
		const at = free;
		free += Math.ceil((length * 4) / alignment) * alignment;
		if (free > memory.buffer.byteLength) throw new Error(`the kernels have ${bytes} bytes, and ${free} are asked for`);
		return at;
	};
	return {
		matrix: (rows, columns) => {
			if (columns % 4 !== 0) throw new Error(`${columns} columns: not a multiple of four`);
			return { rows, columns, values: new Float32Array(memory.buffer, take(rows * columns), rows * columns) };
		},
		sparse: (rows, entries) => ({
			starts: new Uint32Array(rows + 1),
			columns: new Uint32Array(memory.buffer, take(entries), entries),
			values: new Float32Array(memory.buffer, take(entries), entries),
		}),
		addRow: (to, row, from, other, factor) => run.addScaled(rowOf(to, row), rowOf(from, other), to.columns * 4, factor),
		multiplySparse: (to, { starts, columns, values }, dense, rows) => {
			to.values.fill(0, 0, rows * to.columns);
			const width = dense.columns * 4;
			for (let i = 0; i < rows; i++) {
				const at = (starts[i] ?? 0) * 4;
				const length = (starts[i + 1] ?? 0) * 4 - at;
				run.gather(rowOf(to, i), columns.byteOffset + at, values.byteOffset + at, length, dense.values.byteOffset, width);
			}
		},
		multiplyTransposed: (to, a, b) => {
			if (a.rows % 4 !== 0 || b.rows % 4 !== 0) throw new Error(`${a.rows} and ${b.rows} rows: not multiples of four`);
			for (let i = 0; i < a.rows; i += 4) {
				for (let j = 0; j < b.rows; j += 4) run.innerProducts(rowOf(to, i) + j * 4, to.columns * 4, rowOf(a, i), rowOf(b, j), a.columns * 4);
			}
		},
	};
}

function rowOf({ values, columns }: Matrix, row: number): number {
	return values.byteOffset + row * columns * 4;
}
