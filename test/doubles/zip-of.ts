/** A ZIP of some texts, as office programs write them. */

import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
	readonly name: string;
	readonly content: string | Uint8Array;
}

/** Written in the order of the record. */
export function zipOf(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
	return zipOfParts(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

/** The same name may come twice. */
export function zipOfParts(parts: readonly ZipPart[]): Uint8Array {
	const pieces: Buffer[] = [];
	const directory: Buffer[] = [];
	let at = 0;
	for (const { name, content } of parts) {
		const bytes = Buffer.from(content);
		const isStored = name === "mimetype";
		const packed = isStored ? bytes : deflateRawSync(bytes);
		const facts = Buffer.alloc(26);
		facts.writeUInt16LE(20, 0);
		facts.writeUInt16LE(isStored ? 0 : 8, 4);
		facts.writeUInt32LE(crc32(bytes), 10);
		facts.writeUInt32LE(packed.length, 14);
		facts.writeUInt32LE(bytes.length, 18);
		facts.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), facts, Buffer.from(name), packed]);
		const where = Buffer.alloc(14);
		where.writeUInt32LE(at, 10);
		directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), facts, where, Buffer.from(name)]));
		pieces.push(local);
		at += local.length;
	}
	const table = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", "latin1");
	end.writeUInt16LE(Math.min(parts.length, 0xffff), 8);
	end.writeUInt16LE(Math.min(parts.length, 0xffff), 10);
	end.writeUInt32LE(table.length, 12);
	end.writeUInt32LE(at, 16);
	return new Uint8Array(Buffer.concat([...pieces, table, end]));
}
