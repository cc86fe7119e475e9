/** Vectors as the tables hold them: 32-bit floats, little-endian. */

import type { EmbeddingSpace, Vector } from "cairn-memory";

/** A view where alignment allows, a copy elsewhere; null when `vectorFault` would find a fault. */
export function soundVector(bytes: Uint8Array, space: Pick<EmbeddingSpace, "dimensions">): Vector | null {
	if (bytes.byteLength !== space.dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
	const aligned = bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
	const vector = new Float32Array(aligned.buffer, aligned.byteOffset, space.dimensions);
	const squares = squareSum(vector);
	return Number.isFinite(squares) && squares > 0 ? vector : null;
}

/** Finite only when every number is: the squares of 32-bit floats cannot overflow a sum of 64 bits. */
export function squareSum(vector: Vector): number {
	let sum = 0;
	for (let i = 0; i < vector.length; i++) {
		const value = vector[i] ?? 0;
		sum += value * value;
	}
	return sum;
}
