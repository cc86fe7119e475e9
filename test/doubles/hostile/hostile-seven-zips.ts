/** 7z archives that unpack to far more than they are, made by 7-Zip 26.02, and that lie about it. */

import { crc32 } from "node:zlib";

/** `crew.csv`, and 300 MB of zeros in 250 bytes, each compressed by itself with bzip2; the header is not compressed. */
const bomb = Buffer.from(
	"N3q8ryccAAQzWBPYMAEAAAAAAABuAAAAAAAAABvJlsdCWmg5MUFZJlNZme114QAABluAABAABACACAAiIxggIAAimNAyEAAw3YGxqRSLg8LuSKcKEhM9rrwgQlpoOTFBWSZTWUq/CSgBX5HAAMAAAACgADCATUbVoKgJZAqAlzFBWSZTWUq/CSgBX5HAAMAAAACgADCATUbVoKgJZAqAlzFBWSZTWUq/CSgBX5HAAMAAAACgADCATUbVoKgJZAqAlzFBWSZTWUq/CSgBX5HAAMAAAACgADCATUbVoKgJZAqAlzFBWSZTWUq/CSgBX5HAAMAAAACgADCATUbVoKgJZAqAlzFBWSZTWUq/CSgBX5HAAMAAAACgADCATUbVoKgJZAqAlzFBWSZTWUClYxkAmPHAAMACAACgACClNBmNQqhRsEVQo8XckU4UJD5DOE1AAQQGAAIJOoD2AAcLAgABAwQCAgEDBAICDBHwAKPhEQAICgHVk7YUW8iE+AAABQIZDAAAAAAAAAAAAAAAABEfAGMAcgBlAHcALgBjAHMAdgAAAHoAZQByAG8AcwAAABkAFQoBACCApIEggKSBAAA=",
	"base64",
);
const headerStart = 32;

export const hostileSevenZips = {
	bomb: () => new Uint8Array(bomb),
	/** Says that it unpacks to 32 GB, with the checksums of its headers in order. */
	lying: () => new Uint8Array(withHeader((header) => header.writeUInt8(0xf7, header.indexOf(Buffer.from([0xf0, 0x00, 0xa3, 0xe1, 0x11]))))),
	/** Says that it holds two thousand million files. */
	countless: () => new Uint8Array(withHeader((header) => header.set([0xf0, 0xff, 0xff, 0xff, 0x7f], header.indexOf(Buffer.from([0x05, 0x02, 0x19])) + 1))),
	/** Says that its header is at the other end of an exabyte. */
	farHeader: () => {
		const far = Buffer.from(bomb);
		far.writeBigUInt64LE(2n ** 60n, 12);
		return new Uint8Array(withStart(far));
	},
} as const satisfies Record<string, () => Uint8Array>;

function withHeader(change: (header: Buffer) => void): Buffer {
	const changed = Buffer.from(bomb);
	const header = changed.subarray(headerStart + Number(changed.readBigUInt64LE(12)));
	change(header);
	changed.writeUInt32LE(crc32(header), 28);
	return withStart(changed);
}

/** With the checksum of where the header is. */
function withStart(changed: Buffer): Buffer {
	changed.writeUInt32LE(crc32(changed.subarray(12, headerStart)), 8);
	return changed;
}
