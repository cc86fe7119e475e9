/** A RAR of version 4 with some texts, stored as they are. Only WinRAR compresses, so what is compressed cannot be made here. */

import { crc32 } from "node:zlib";

const mainFlags = 0;
const longBlock = 0x8000;
const withPassword = 0x04;
const solid = 0x10;

/**
 * @param locked names of files that are marked as encrypted
 * @param declaredBytes the sizes that files claim to have; by default their own
 * @param isSolid whether files are marked as going on with what those before them have
 */
export function rarOf(
	parts: Readonly<Record<string, string>>,
	locked: readonly string[] = [],
	declaredBytes: Readonly<Record<string, number>> = {},
	isSolid = false,
): Uint8Array {
	const blocks = Object.entries(parts).flatMap(([name, content], i) => {
		const bytes = Buffer.from(content);
		const flags = longBlock | (locked.includes(name) ? withPassword : 0) | (isSolid && i > 0 ? solid : 0);
		return [block(0x74, flags, facts(Buffer.from(name), bytes, declaredBytes[name] ?? bytes.length)), bytes];
	});
	return new Uint8Array(
		Buffer.concat([Buffer.from("Rar!\x1a\x07\0", "latin1"), block(0x73, mainFlags, Buffer.alloc(6)), ...blocks, block(0x7b, 0x4000, Buffer.alloc(0))]),
	);
}

function block(type: number, flags: number, body: Buffer): Buffer {
	const head = Buffer.alloc(7);
	head.writeUInt8(type, 2);
	head.writeUInt16LE(flags, 3);
	head.writeUInt16LE(7 + body.length, 5);
	const all = Buffer.concat([head, body]);
	all.writeUInt16LE(crc32(all.subarray(2)) & 0xffff, 0);
	return all;
}

function facts(name: Buffer, bytes: Buffer, declaredBytes: number): Buffer {
	const fields = Buffer.alloc(25);
	fields.writeUInt32LE(bytes.length, 0);
	fields.writeUInt32LE(declaredBytes, 4);
	fields.writeUInt8(3, 8); // made on Unix
	fields.writeUInt32LE(crc32(bytes), 9);
	fields.writeUInt8(20, 17);
	fields.writeUInt8(0x30, 18); // stored
	fields.writeUInt16LE(name.length, 19);
	fields.writeUInt32LE(0o100644, 21);
	return Buffer.concat([fields, name]);
}
