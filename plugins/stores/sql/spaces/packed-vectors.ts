/** Vectors on their way to the writer: all in one buffer, which is handed over instead of copied. */

import type { Vector } from "cairn-memory";

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
