/** Numbers and texts inside bytes. Reading past the end throws that the file ends early, whatever its lengths say. */

import { fail } from "cairn-memory";

export interface ByteView {
	readonly length: number;
	readonly u8: (at: number) => number;
	readonly u16: (at: number) => number;
	readonly i16: (at: number) => number;
	readonly u24: (at: number) => number;
	readonly u32: (at: number) => number;
	readonly i32: (at: number) => number;
	/** Beyond 2^53 not exact, and far beyond any file. */
	readonly u64: (at: number) => number;
	/** Little end first, as RIFF and Vorbis write it. */
	readonly u32Little: (at: number) => number;
	/** Without copying; ends where the bytes do. */
	readonly slice: (begin: number, end: number) => Uint8Array;
	/** Four letters of a name. */
	readonly name: (at: number, length?: number) => string;
	readonly utf8: (begin: number, end: number) => string;
}

export function byteView(bytes: Uint8Array): ByteView {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const within = (at: number, size: number): number => {
		if (!(at >= 0 && at + size <= bytes.byteLength)) throw fail("FILE_BROKEN", "it ends early");
		return at;
	};
	const slice = (begin: number, end: number) => bytes.subarray(Math.min(begin, bytes.byteLength), Math.min(Math.max(begin, end), bytes.byteLength));
	return {
		length: bytes.byteLength,
		u8: (at) => view.getUint8(within(at, 1)),
		u16: (at) => view.getUint16(within(at, 2)),
		i16: (at) => view.getInt16(within(at, 2)),
		u24: (at) => view.getUint16(within(at, 3)) * 256 + view.getUint8(at + 2),
		u32: (at) => view.getUint32(within(at, 4)),
		i32: (at) => view.getInt32(within(at, 4)),
		u64: (at) => view.getUint32(within(at, 8)) * 2 ** 32 + view.getUint32(at + 4),
		u32Little: (at) => view.getUint32(within(at, 4), true),
		slice,
		name: (at, length = 4) => latin1.decode(slice(within(at, length), at + length)),
		utf8: (begin, end) => decodeUtf8(slice(begin, end)),
	};
}

const latin1 = new TextDecoder("latin1");
const utf8 = new TextDecoder("utf-8");
const utf16 = new TextDecoder("utf-16be");

/** Decodes subtitles of containers: UTF-8, or UTF-16 with a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): string {
	const text = bytes[0] === 0xfe && bytes[1] === 0xff ? utf16.decode(bytes) : utf8.decode(bytes);
	return text.replaceAll("\0", "").replace(/\r\n?/g, "\n");
}
