/** What is trained: a direction for each row, and how heavy it is. Both are learned with steps of their own length (Adagrad). */

import type { Kernels, Matrix } from "../kernels/kernels.ts";

export interface Table {
	readonly rows: Matrix;
	/** Logarithms: a weight can grow and shrink by shares, and is never negative. */
	readonly logWeights: Float32Array;
	readonly rowSquares: Float32Array;
	readonly weightSquares: Float32Array;
}

/** So long steps are at first: without it the first one would be as long as the rate, whatever it is worth. */
const firstSquares = 1e-8;

export function createTable(kernels: Kernels, rows: number, dimensions: number): Table {
	return {
		rows: kernels.matrix(rows, dimensions),
		logWeights: new Float32Array(rows),
		rowSquares: new Float32Array(rows * dimensions).fill(firstSquares),
		weightSquares: new Float32Array(rows).fill(firstSquares),
	};
}

/** `slopes` has one row for each of `touched`. */
export function stepTable(table: Table, touched: Uint32Array, slopes: Matrix, rate: number, weightRate: number): void {
	const { columns, values } = table.rows;
	for (const [i, row] of touched.entries()) {
		const from = i * columns;
		const at = row * columns;
		let along = 0;
		for (let k = 0; k < columns; k++) {
			const slope = slopes.values[from + k] ?? 0;
			const value = values[at + k] ?? 0;
			along += slope * value;
			const squares = (table.rowSquares[at + k] ?? 0) + slope * slope;
			table.rowSquares[at + k] = squares;
			values[at + k] = value - (rate * slope) / Math.sqrt(squares);
		}
		// The slopes are those of the weighted row, so that their sum along the row is the slope of the logarithm of its weight.
		const squares = (table.weightSquares[row] ?? 0) + along * along;
		table.weightSquares[row] = squares;
		table.logWeights[row] = (table.logWeights[row] ?? 0) - (weightRate * along) / Math.sqrt(squares);
	}
}

const parts = ["rows", "logWeights", "rowSquares", "weightSquares"] as const;

export async function saveTable(table: Table, path: string): Promise<void> {
	for (const part of parts) await Bun.write(`${path}.${part}`, valuesOf(table, part));
}

export async function loadTable(table: Table, path: string): Promise<void> {
	for (const part of parts) valuesOf(table, part).set(new Float32Array(await Bun.file(`${path}.${part}`).arrayBuffer()));
}

function valuesOf(table: Table, part: (typeof parts)[number]): Float32Array {
	return part === "rows" ? table.rows.values : table[part];
}
