/** Blobs in RAM. */

import { createHash } from "node:crypto";
import { type BlobStore, fail } from "cairn-memory";

/** Ids and names made of them. A store that keeps files must refuse the rest, so this one does too. */
const goodKey = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

export function ramBlobs(blobs: Map<string, Uint8Array>): BlobStore {
	return {
		put: async (key, bytes, bytesMax) => {
			demandGoodKey(key);
			const whole = await readAll(bytes, bytesMax);
			blobs.set(key, whole);
			return { byteLength: whole.byteLength, sha256: createHash("sha256").update(whole).digest("hex") };
		},
		get: async (key) => {
			demandGoodKey(key);
			return blobs.get(key)?.slice() ?? null;
		},
		remove: async (key) => {
			demandGoodKey(key);
			blobs.delete(key);
		},
	};
}

function demandGoodKey(key: string): void {
	if (!goodKey.test(key)) throw fail("INPUT_INVALID", `${JSON.stringify(key)} is not the key of a blob`);
}

/** Pieces are copied: the reader may fill the same buffer again. */
async function readAll(bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
	const pieces: Uint8Array[] = [];
	let byteLength = 0;
	for await (const piece of bytes) {
		byteLength += piece.byteLength;
		if (byteLength > bytesMax) throw fail("FILE_TOO_LARGE", bytesMax);
		pieces.push(piece.slice());
	}
	return new Uint8Array(Buffer.concat(pieces));
}
