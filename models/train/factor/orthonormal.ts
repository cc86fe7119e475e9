/** Makes the columns of a matrix perpendicular to each other and of unit length, and keeps what they span (modified Gram–Schmidt). */

import type { Matrix } from "../kernels/kernels.ts";

/** A column with less than this share of its length left was a mixture of those before it. */
const lostBelow = 1e-6;

export function orthonormalize({ values, rows, columns }: Matrix): void {
	const lines = Array.from({ length: columns }, (_, column) => Float64Array.from({ length: rows }, (_unused, row) => values[row * columns + column] ?? 0));
	for (const [i, line] of lines.entries()) {
		const before = Math.sqrt(inner(line, line));
		// Twice is enough: what the first round leaves by rounding, the second takes away.
		for (let round = 0; round < 2; round++) for (let j = 0; j < i; j++) takeAway(line, lines[j] ?? line);
		const length = Math.sqrt(inner(line, line));
		const scale = length > lostBelow * before ? 1 / length : 0;
		for (let k = 0; k < rows; k++) line[k] = (line[k] ?? 0) * scale;
	}
	for (const [column, line] of lines.entries()) for (let row = 0; row < rows; row++) values[row * columns + column] = line[row] ?? 0;
}

function takeAway(line: Float64Array, other: Float64Array): void {
	const share = inner(line, other);
	for (let k = 0; k < line.length; k++) line[k] = (line[k] ?? 0) - share * (other[k] ?? 0);
}

function inner(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let k = 0; k < a.length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
	return sum;
}
