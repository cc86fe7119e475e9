/**
 * The file of a matrix: all rows, then their keys, then the pairs of duplicates. Everything in it could be read from the tables, but
 * reading the file is ten times faster.
 */

import { blockRows, VectorMatrix } from "../matrix/vector-matrix.ts";
import { type Piece, piecesOf, readPieces } from "./file-pieces.ts";
import type { IndexClaims } from "./index-manifest.ts";

type Sizes = Pick<IndexClaims, "rows" | "twins" | "dimensions">;

export interface StoredRows {
	readonly matrix: VectorMatrix;
	/** From the position of a vector in the graph to the positions of its duplicates, which are not in the graph. */
	readonly duplicates: ReadonlyMap<number, readonly number[]>;
}

const keyBytes = 8;
/** Two 32-bit positions: of a vector in the graph and of its duplicate. */
const pairBytes = 8;

export function rowsBytes({ rows, twins, dimensions }: Sizes): number {
	return rows * dimensions + rows * keyBytes + twins * pairBytes;
}

/** The pieces in the order of reading: the keys come first, because the rows need them. */
export function rowsPieces(sizes: Sizes): Piece[] {
	const { rows, dimensions } = sizes;
	const tail = { offset: rows * dimensions, length: rowsBytes(sizes) - rows * dimensions };
	return [tail, ...piecesOf(0, rows * dimensions, blockRows * dimensions)];
}

/** The part of the file after the rows. */
export function rowsTail(keys: readonly number[], duplicatePairs: readonly number[]): Uint8Array {
	const tail = new Uint8Array(keys.length * keyBytes + duplicatePairs.length * 4);
	tail.set(new Uint8Array(Float64Array.from(keys).buffer));
	tail.set(new Uint8Array(Uint32Array.from(duplicatePairs).buffer), keys.length * keyBytes);
	return tail;
}

/** @returns the contents of the file, or as a string why they cannot be used. */
export async function readRows(path: string, claims: IndexClaims, seed: string): Promise<StoredRows | string> {
	const matrix = new VectorMatrix(claims.dimensions);
	let keys = new Float64Array(0);
	let pairs = new Uint32Array(0);
	let isInOrder = true;
	const sum = await readPieces(path, rowsPieces(claims), seed, (bytes, piece) => {
		if (piece === 0) {
			const tail = bytes.slice().buffer;
			keys = new Float64Array(tail, 0, claims.rows);
			pairs = new Uint32Array(tail, claims.rows * keyBytes);
			isInOrder = isAscending(keys);
		} else if (isInOrder) {
			appendRows(matrix, keys, new Int8Array(bytes.buffer, 0, bytes.length));
		}
	});
	if (sum !== claims.rowsChecksum) return "the checksum of the rows is wrong";
	if (!isInOrder || matrix.lastKey !== claims.lastKey) return "the keys are not those of the manifest";
	const duplicates = groupDuplicates(pairs, claims.rows);
	return duplicates === null ? "a duplicate is out of range" : { matrix, duplicates };
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

function groupDuplicates(pairs: Uint32Array, rows: number): Map<number, number[]> | null {
	const duplicates = new Map<number, number[]>();
	for (let i = 0; i < pairs.length; i += 2) {
		const inGraph = pairs[i] ?? rows;
		const duplicate = pairs[i + 1] ?? rows;
		if (inGraph >= rows || duplicate >= rows) return null;
		const group = duplicates.get(inGraph);
		if (group) group.push(duplicate);
		else duplicates.set(inGraph, [duplicate]);
	}
	return duplicates;
}
