/** Decompresses GZIP and bzip2 up to a limit. If the data is damaged, the part before the damage is returned. */

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fail } from "cairn-memory";
import { decode } from "seek-bzip";

export interface Decompressed {
	readonly bytes: Uint8Array;
	/** Whether the rest is missing, because of damage or the limit. */
	readonly isCut: boolean;
}

/** @throws FILE_BROKEN if nothing can be decompressed. */
export async function gunzip(bytes: Uint8Array, bytesMax: number): Promise<Decompressed> {
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
		if (length === 0) throw fail("FILE_BROKEN", "it cannot be decompressed").because(thrown);
		isCut = true;
	}
	return { bytes: Buffer.concat(pieces), isCut };
}

/** bzip2 is decoded in JavaScript, some ten megabytes a second. @throws FILE_BROKEN if nothing can be decompressed. */
export function bunzip(bytes: Uint8Array, bytesMax: number): Decompressed {
	let output = Buffer.alloc(Math.min(bytesMax, 4 * bytes.byteLength + pageBytes));
	let length = 0;
	const writeByte = (byte: number) => {
		if (length === bytesMax) throw new RangeError("the limit is reached");
		if (length === output.byteLength) output = Buffer.concat([output], Math.min(bytesMax, 2 * output.byteLength));
		output[length++] = byte;
	};
	let isCut = false;
	try {
		decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { writeByte, flush: () => undefined }, true);
	} catch (thrown) {
		if (length === 0) throw fail("FILE_BROKEN", "it cannot be decompressed").because(thrown);
		isCut = true;
	}
	return { bytes: output.subarray(0, length), isCut };
}

const pageBytes = 64 * 1024;

/** The archive's name without its extension. */
export function nameInBzip(fileName: string | null): string {
	return (fileName ?? "").replace(/\.t(bz2?|b2)$/i, ".tar").replace(/\.bz2?$/i, "") || "unpacked";
}

/** The file name in the header, otherwise the archive's name without its extension. */
export function nameInGzip(bytes: Uint8Array, fileName: string | null): string {
	const hasExtra = ((bytes[3] ?? 0) & 4) !== 0;
	const hasName = ((bytes[3] ?? 0) & 8) !== 0;
	const start = 10 + (hasExtra ? 2 + (bytes[10] ?? 0) + 256 * (bytes[11] ?? 0) : 0);
	const end = hasName ? bytes.indexOf(0, start) : -1;
	const nameInHeader = end > start ? new TextDecoder("latin1").decode(bytes.subarray(start, end)) : "";
	return nameInHeader || (fileName ?? "").replace(/\.gz$/i, "") || "unpacked";
}
