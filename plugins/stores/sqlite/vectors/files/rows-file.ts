/**
 * The file of a matrix: all rows, then their keys. Everything in it could be read from the tables, but reading the file is ten times
 * faster.
 */

import { type Piece, piecesOf, readPieces } from "../../index-files/file-pieces.ts";
import { blockRows, VectorMatrix } from "../matrix/vector-matrix.ts";
import type { IndexManifest } from "./index-manifest.ts";

type Sizes = Pick<IndexManifest, "rows" | "dimensions">;

const keyBytes = 8;

export function rowsBytes({ rows, dimensions }: Sizes): number {
	return rows * (dimensions + keyBytes);
}

/** The pieces in the order of reading: the keys come first, because the rows need them. */
export function rowsPieces({ rows, dimensions }: Sizes): Piece[] {
	return [{ offset: rows * dimensions, length: rows * keyBytes }, ...piecesOf(0, rows * dimensions, blockRows * dimensions)];
}

/** The part of the file after the rows. */
export function keysPart(keys: readonly number[]): Uint8Array {
	return new Uint8Array(Float64Array.from(keys).buffer);
}

/** @returns the contents of the file, or as a string why they cannot be used. */
export async function readRows(path: string, manifest: IndexManifest, seed: string): Promise<VectorMatrix | string> {
	const matrix = new VectorMatrix(manifest.dimensions);
	let keys = new Float64Array(0);
	let isInOrder = true;
	const sum = await readPieces(path, rowsPieces(manifest), seed, (bytes, piece) => {
		if (piece === 0) {
			keys = new Float64Array(bytes.slice().buffer);
			isInOrder = isAscending(keys);
		} else if (isInOrder) {
			appendRows(matrix, keys, new Int8Array(bytes.buffer, 0, bytes.length));
		}
	});
	if (sum !== manifest.rowsChecksum) return "the checksum of the rows is wrong";
	return isInOrder && matrix.lastKey === manifest.lastKey ? matrix : "the keys are not those of the manifest";
}

function appendRows(matrix: VectorMatrix, keys: Float64Array, rows: Int8Array): void {
	const { dimensions, length } = matrix;
	for (let i = 0; i * dimensions < rows.length; i++) {
		matrix.appendRow(keys[length + i] ?? 0, rows.subarray(i * dimensions, (i + 1) * dimensions));
	}
}

function isAscending(keys: Float64Array): boolean {
	return keys.every((key, i) => key > (keys[i - 1] ?? 0));
}
