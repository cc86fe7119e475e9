/** Vectors as the tables hold them, 32-bit floats, little-endian, and on their way there: all in one buffer, which is handed over instead of copied. */

import type { EmbeddingSpace, Vector } from "cairn-memory";

export interface PackedVectors {
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** Where each begins, and at last where all end. */
	readonly offsets: readonly number[];
}

/** As the tables keep them: 32-bit floats, little-endian, whatever the machine prefers. */
export function packVectors(vectors: readonly Vector[]): PackedVectors {
	const offsets = [0];
	for (const vector of vectors) offsets.push((offsets.at(-1) ?? 0) + vector.byteLength);
	const bytes = new Uint8Array(offsets.at(-1) ?? 0);
	for (const [i, vector] of vectors.entries()) bytes.set(littleEndian(vector), offsets[i]);
	return { bytes, offsets };
}

export function vectorAt({ bytes, offsets }: PackedVectors, i: number): Uint8Array<ArrayBuffer> {
	return bytes.subarray(offsets[i], offsets[i + 1]);
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function littleEndian(vector: Vector): Uint8Array {
	if (isLittleEndian) return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
	const view = new DataView(new ArrayBuffer(vector.byteLength));
	for (const [i, value] of vector.entries()) view.setFloat32(i * 4, value, true);
	return new Uint8Array(view.buffer);
}

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
