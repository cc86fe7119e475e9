/** Reads numbers (big-endian, unless the name says otherwise) and texts from bytes. Reading past the end throws FILE_BROKEN. */

import { fail } from "cairn-memory";

export interface ByteView {
	readonly length: number;
	readonly u8: (offset: number) => number;
	readonly u16: (offset: number) => number;
	readonly i16: (offset: number) => number;
	readonly u24: (offset: number) => number;
	readonly u32: (offset: number) => number;
	readonly i32: (offset: number) => number;
	/** Not exact above 2^53, which is far more than the size of any file. */
	readonly u64: (offset: number) => number;
	/** Little-endian, as in RIFF and Vorbis. */
	readonly u32Little: (offset: number) => number;
	/** A range of the bytes, not copied. It is cut at the end of the bytes. */
	readonly slice: (begin: number, end: number) => Uint8Array;
	/** A Latin-1 name, usually of four characters. */
	readonly name: (offset: number, length?: number) => string;
	readonly utf8: (begin: number, end: number) => string;
}

export function byteView(bytes: Uint8Array): ByteView {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const checked = (offset: number, size: number): number => {
		if (!(offset >= 0 && offset + size <= bytes.byteLength)) throw fail("FILE_BROKEN", "it ends too early");
		return offset;
	};
	const slice = (begin: number, end: number) => bytes.subarray(Math.min(begin, bytes.byteLength), Math.min(Math.max(begin, end), bytes.byteLength));
	return {
		length: bytes.byteLength,
		u8: (offset) => view.getUint8(checked(offset, 1)),
		u16: (offset) => view.getUint16(checked(offset, 2)),
		i16: (offset) => view.getInt16(checked(offset, 2)),
		u24: (offset) => view.getUint16(checked(offset, 3)) * 256 + view.getUint8(offset + 2),
		u32: (offset) => view.getUint32(checked(offset, 4)),
		i32: (offset) => view.getInt32(checked(offset, 4)),
		u64: (offset) => view.getUint32(checked(offset, 8)) * 2 ** 32 + view.getUint32(offset + 4),
		u32Little: (offset) => view.getUint32(checked(offset, 4), true),
		slice,
		name: (offset, length = 4) => latin1.decode(slice(checked(offset, length), offset + length)),
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
