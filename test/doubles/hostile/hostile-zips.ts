/** ZIPs that inflate without end, and that lie about it. */

import { crc32, deflateRawSync } from "node:zlib";
import { rawDeflateBomb } from "./deflate-bomb.ts";

const zeros = new Uint8Array(2 ** 20);

interface Entry {
	readonly name: string;
	readonly data: Uint8Array;
	/** As its headers claim. */
	readonly inflatedBytes: number;
}

export const hostileZips = {
	gigabyte: () => zip([{ name: "a", data: rawDeflateBomb(zeros, 1_024), inflatedBytes: 2 ** 30 }]),
	/** Says a kilobyte, inflates to half a gigabyte. */
	lying: () => zip([{ name: "a", data: rawDeflateBomb(zeros, 512), inflatedBytes: 1_024 }]),
	/** Names that lead out of any folder. */
	climbing: () => zip(["../../../a", "/etc/a", "..\\..\\a", "C:\\a"].map((name) => ({ name, data: rawDeflateBomb(zeros, 1), inflatedBytes: zeros.length }))),
	/** A header, and nothing after it. */
	cut: () => zip([{ name: "a", data: rawDeflateBomb(zeros, 1), inflatedBytes: zeros.length }]).subarray(0, 40),
	/** Each of a thousand streams of 50 bytes inflates to 45 MB. */
	bzip2: () =>
		Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from("QlpoOTFBWSZTWckBtsgBWKtAIMAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIZIDbZA=", "base64"))),
	/** Six levels of it, each with four of the next and a bomb. */
	nested: () => nest(6),
} as const satisfies Record<string, () => Uint8Array>;

function nest(levels: number): Uint8Array {
	const bomb = { name: "bomb.txt", data: rawDeflateBomb(zeros, 64), inflatedBytes: 64 * zeros.length };
	if (levels === 0) return zip([bomb]);
	const inner = nest(levels - 1);
	return zip([bomb, ...[1, 2, 3, 4].map((number) => ({ name: `${number}.zip`, data: deflateRawSync(inner), inflatedBytes: inner.length }))]);
}

function zip(entries: readonly Entry[]): Uint8Array {
	const parts: Uint8Array[] = [];
	const directory: Uint8Array[] = [];
	let at = 0;
	for (const entry of entries) {
		const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts(entry), Buffer.from(entry.name), entry.data]);
		const where = Buffer.alloc(14);
		where.writeUInt32LE(at, 10);
		directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), facts(entry), where, Buffer.from(entry.name)]));
		parts.push(local);
		at += local.length;
	}
	const table = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06");
	end.writeUInt16LE(entries.length, 8);
	end.writeUInt16LE(entries.length, 10);
	end.writeUInt32LE(table.length, 12);
	end.writeUInt32LE(at, 16);
	return Buffer.concat([...parts, table, end]);
}

/** Version, method, sizes and the length of the name: the part that the two headers of an entry share. */
function facts({ name, data, inflatedBytes }: Entry): Uint8Array {
	const bytes = Buffer.alloc(26);
	bytes.writeUInt16LE(20, 0);
	bytes.writeUInt16LE(8, 4);
	bytes.writeUInt32LE(crc32(data), 10);
	bytes.writeUInt32LE(data.length, 14);
	bytes.writeUInt32LE(inflatedBytes, 18);
	bytes.writeUInt16LE(Buffer.byteLength(name), 22);
	return bytes;
}
