/** Vectors as the tables hold them: 32-bit floats, little-endian. */

import { type Vector, vectorFault } from "cairn";
import type { RoomSpace } from "./room-address.ts";

/** What a fault of a vector does not depend on. */
const anySpace = { metric: "cosine", calibration: { unrelated: 0, related: 1 } } as const;

/** A view where alignment allows, a copy elsewhere; null when the row is not a sound vector of this space. */
export function soundVector(bytes: Uint8Array, space: RoomSpace): Vector | null {
	if (bytes.byteLength !== space.dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
	const aligned = bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
	const vector = new Float32Array(aligned.buffer, aligned.byteOffset, space.dimensions);
	return vectorFault(vector, { ...anySpace, ...space }) === null ? vector : null;
}
