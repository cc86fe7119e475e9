/** Vectors as the tables store them (32-bit floats, little-endian), and packed into one buffer that can be transferred to another thread. */

import type { EmbeddingSpace, Vector } from "cairn-memory";

export interface PackedVectors {
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** The offset of each vector in `bytes`, and at the end the total length. */
	readonly offsets: readonly number[];
}

/** Packs vectors as 32-bit little-endian floats, whatever the byte order of the machine. */
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

/** Reads a stored vector, without a copy if the alignment allows it; null if `vectorFault` would find a fault. */
export function soundVector(bytes: Uint8Array, space: Pick<EmbeddingSpace, "dimensions">): Vector | null {
	if (bytes.byteLength !== space.dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
	const aligned = bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
	const vector = new Float32Array(aligned.buffer, aligned.byteOffset, space.dimensions);
	const squares = squareSum(vector);
	return Number.isFinite(squares) && squares > 0 ? vector : null;
}

/** The sum of squares. It is finite only if every number is, because squares of 32-bit floats cannot overflow a 64-bit sum. */
export function squareSum(vector: Vector): number {
	let sum = 0;
	for (let i = 0; i < vector.length; i++) {
		const value = vector[i] ?? 0;
		sum += value * value;
	}
	return sum;
}
