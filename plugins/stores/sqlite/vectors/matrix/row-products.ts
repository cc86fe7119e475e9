/** The products of a vector with rows of 8-bit numbers, four rows at a time, since each addition waits for the one before it. */

import type { Vector } from "cairn-memory";

/** A row in an array with many: making a view of each would take as long as multiplying it. */
export interface PlacedRow {
	readonly bytes: Int8Array;
	readonly start: number;
}

/** @returns the product of each row, added up in the order of the dimensions, as if the row were alone. */
export function rowProducts(vector: Vector, rows: readonly PlacedRow[]): Float64Array {
	const products = new Float64Array(rows.length);
	for (let at = 0; at < rows.length; at += 4) multiplyFour(vector, rows, at, products);
	return products;
}

/** At the end the first row stands for those that are missing. */
function multiplyFour(vector: Vector, rows: readonly PlacedRow[], at: number, products: Float64Array): void {
	const first = rows[at];
	if (first === undefined) return;
	const { bytes: bytesA, start: a } = first;
	const { bytes: bytesB, start: b } = rows[at + 1] ?? first;
	const { bytes: bytesC, start: c } = rows[at + 2] ?? first;
	const { bytes: bytesD, start: d } = rows[at + 3] ?? first;
	let [dotA, dotB, dotC, dotD] = [0, 0, 0, 0];
	for (let i = 0; i < vector.length; i++) {
		const value = vector[i] ?? 0;
		dotA += (bytesA[a + i] ?? 0) * value;
		dotB += (bytesB[b + i] ?? 0) * value;
		dotC += (bytesC[c + i] ?? 0) * value;
		dotD += (bytesD[d + i] ?? 0) * value;
	}
	// A number behind the end of the array is left out by it.
	products[at] = dotA;
	products[at + 1] = dotB;
	products[at + 2] = dotC;
	products[at + 3] = dotD;
}
