/** Decompresses GZIP, also in part where it is damaged, up to a limit. */

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fail } from "cairn-memory";

export interface Unpacked {
	readonly bytes: Uint8Array;
	/** Damaged or beyond the limit: the rest is missing. */
	readonly isCut: boolean;
}

/** @throws FILE_BROKEN when nothing can be decompressed. */
export async function gunzip(bytes: Uint8Array, bytesMax: number): Promise<Unpacked> {
	const pieces: Buffer[] = [];
	let length = 0;
	let isCut = false;
	try {
		for await (const piece of Readable.from([bytes]).pipe(createGunzip()) as AsyncIterable<Buffer>) {
			pieces.push(piece.subarray(0, bytesMax - length));
			length += piece.byteLength;
			isCut = length > bytesMax;
			if (isCut) break;
		}
	} catch (thrown) {
		if (length === 0) throw fail("FILE_BROKEN", "it cannot be unpacked").because(thrown);
		isCut = true;
	}
	return { bytes: Buffer.concat(pieces), isCut };
}

/** The name in the header, else the archive's name without its extension. */
export function nameInGzip(bytes: Uint8Array, fileName: string | null): string {
	const hasExtra = ((bytes[3] ?? 0) & 4) !== 0;
	const hasName = ((bytes[3] ?? 0) & 8) !== 0;
	const start = 10 + (hasExtra ? 2 + (bytes[10] ?? 0) + 256 * (bytes[11] ?? 0) : 0);
	const end = hasName ? bytes.indexOf(0, start) : -1;
	const written = end > start ? new TextDecoder("latin1").decode(bytes.subarray(start, end)) : "";
	return written || (fileName ?? "").replace(/\.gz$/i, "") || "unpacked";
}
