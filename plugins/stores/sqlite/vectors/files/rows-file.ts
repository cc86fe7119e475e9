/**
 * The file that keeps a matrix: all rows, then their keys, then who is whose duplicate. Everything in it follows from the
 * tables; it is there because reading it is ten times faster.
 */

import { blockRows, VectorMatrix } from "../matrix/vector-matrix.ts";
import { type Piece, piecesOf, readPieces } from "./file-pieces.ts";
import type { IndexClaims } from "./index-manifest.ts";

type Sizes = Pick<IndexClaims, "rows" | "twins" | "dimensions">;

export interface StoredRows {
	readonly matrix: VectorMatrix;
	/** From a position in the graph to the positions of equal vectors that are not in it. */
	readonly twins: ReadonlyMap<number, readonly number[]>;
}

const keyBytes = 8;
/** Two 32-bit positions: the one in the graph and its duplicate. */
const twinBytes = 8;

export function rowsBytes({ rows, twins, dimensions }: Sizes): number {
	return rows * dimensions + rows * keyBytes + twins * twinBytes;
}

/** The keys come first, since the rows cannot be placed without them. */
export function rowsPieces(sizes: Sizes): Piece[] {
	const { rows, dimensions } = sizes;
	const head = { offset: rows * dimensions, length: rowsBytes(sizes) - rows * dimensions };
	return [head, ...piecesOf(0, rows * dimensions, blockRows * dimensions)];
}

/** What follows the rows. */
export function rowsTail(keys: readonly number[], twinPairs: readonly number[]): Uint8Array {
	const tail = new Uint8Array(keys.length * keyBytes + twinPairs.length * 4);
	tail.set(new Uint8Array(Float64Array.from(keys).buffer));
	tail.set(new Uint8Array(Uint32Array.from(twinPairs).buffer), keys.length * keyBytes);
	return tail;
}

/** @returns what the file holds, or in words why it is not to be trusted. */
export async function readRows(path: string, claims: IndexClaims, seed: string): Promise<StoredRows | string> {
	const matrix = new VectorMatrix(claims.dimensions);
	let keys = new Float64Array(0);
	let pairs = new Uint32Array(0);
	let inOrder = true;
	const sum = await readPieces(path, rowsPieces(claims), seed, (bytes, piece) => {
		if (piece === 0) {
			const tail = bytes.slice().buffer;
			keys = new Float64Array(tail, 0, claims.rows);
			pairs = new Uint32Array(tail, claims.rows * keyBytes);
			inOrder = ascend(keys);
		} else if (inOrder) {
			appendRows(matrix, keys, new Int8Array(bytes.buffer, 0, bytes.length));
		}
	});
	if (sum !== claims.rowsChecksum) return "the checksum of the rows is wrong";
	if (!inOrder || matrix.lastKey !== claims.lastKey) return "the keys are not those of the manifest";
	const twins = groupTwins(pairs, claims.rows);
	return twins === null ? "a twin is out of range" : { matrix, twins };
}

function appendRows(matrix: VectorMatrix, keys: Float64Array, rows: Int8Array): void {
	const { dimensions, length } = matrix;
	for (let i = 0; i * dimensions < rows.length; i++) {
		matrix.appendRow(keys[length + i] ?? 0, rows.subarray(i * dimensions, (i + 1) * dimensions));
	}
}

function ascend(keys: Float64Array): boolean {
	return keys.every((key, i) => key > (keys[i - 1] ?? 0));
}

function groupTwins(pairs: Uint32Array, rows: number): Map<number, number[]> | null {
	const twins = new Map<number, number[]>();
	for (let i = 0; i < pairs.length; i += 2) {
		const known = pairs[i] ?? rows;
		const twin = pairs[i + 1] ?? rows;
		if (known >= rows || twin >= rows) return null;
		const group = twins.get(known);
		if (group) group.push(twin);
		else twins.set(known, [twin]);
	}
	return twins;
}
