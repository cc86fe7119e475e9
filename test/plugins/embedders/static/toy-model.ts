/** A model of four words that a test can check by hand. */

import { encodeModel } from "../../../../plugins/embedders/static/model.ts";

export const toyVocabulary = ["harbour", "port", "zinc", "the"];
export const toyShape = { words: 4, buckets: 8 };
export const toyCalibration = { unrelated: 0.1, related: 0.6, weight: 0.5 };
const dimensions = 4;
const rows = [
	[127, 0, 0, 0],
	[120, 40, 0, 0],
	[0, 0, 127, 0],
	[0, 127, 0, 0],
];

export function toyModel(): Uint8Array {
	const scales = Float32Array.from({ length: 12 }, (_, row) => (row === 3 ? 0.0001 : 0.01));
	const bytes = new Int8Array(12 * dimensions);
	for (let row = 0; row < 12; row++) bytes.set(rows[row] ?? [(row * 37) % 90, -((row * 53) % 80), (row * 71) % 60, 100], row * dimensions);
	return encodeModel({ name: "toy", ...toyShape, dimensions, calibration: toyCalibration }, toyVocabulary, scales, bytes);
}
