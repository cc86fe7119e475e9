/** Reads a file in pieces without blocking the thread, and computes a checksum of the pieces. */

import { open } from "node:fs/promises";
import { hex } from "./seal.ts";

/** A piece of this size is hashed in about 1 ms. */
export const pieceBytes = 4 * 1024 * 1024;

export interface Piece {
	readonly offset: number;
	readonly length: number;
}

/** Splits a range of a file into pieces of equal size; the last one may be smaller. */
export function piecesOf(offset: number, length: number, size: number = pieceBytes): Piece[] {
	const pieces: Piece[] = [];
	for (let done = 0; done < length; done += size) pieces.push({ offset: offset + done, length: Math.min(size, length - done) });
	return pieces;
}

/**
 * Reads the pieces in their order. All are read into the same buffer, so `take` must use or copy it at once.
 * @returns the checksum of all pieces, which depends on the size of the pieces and on the seed; null if the file is too short.
 */
export async function readPieces(
	path: string,
	pieces: readonly Piece[],
	seed: string,
	take?: (bytes: Uint8Array<ArrayBuffer>, piece: number) => void,
): Promise<string | null> {
	const file = await open(path, "r");
	try {
		const buffer = new Uint8Array(pieces.reduce((longest, { length }) => Math.max(longest, length), 0));
		let sum = Bun.hash.xxHash64(seed);
		for (const [number, { offset, length }] of pieces.entries()) {
			const bytes = buffer.subarray(0, length);
			if (!(await fill(file, bytes, offset))) return null;
			sum = Bun.hash.xxHash64(bytes, sum);
			take?.(bytes, number);
		}
		return hex(sum);
	} finally {
		await file.close();
	}
}

async function fill(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array, offset: number): Promise<boolean> {
	for (let done = 0; done < bytes.length; ) {
		const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
		if (bytesRead === 0) return false;
		done += bytesRead;
	}
	return true;
}
