/** Reads the objects in a part (IWA) of an iWork document: blocks of Snappy, and in them messages with their types and identifiers. */

import { fail } from "cairn-memory";
import { fieldsOf, readVarint } from "./protobuf.ts";
import { decompressSnappy } from "./snappy.ts";

export interface ArchivedObject {
	readonly id: number;
	readonly type: number;
	readonly message: Uint8Array;
}

/** Programs write blocks of 64 kB. */
const blockBytesMax = 1024 * 1024;
const partBytesMax = 128 * 1024 * 1024;
const headerBytes = 4;

/** @throws FILE_BROKEN, OUTPUT_TOO_LARGE */
export function* objectsOf(part: Uint8Array): Generator<ArchivedObject> {
	const stream = decompress(part);
	for (let at = 0; at < stream.length; ) {
		const header = readVarint(stream, at);
		at = header.end + header.value;
		let id = 0;
		const infos: Uint8Array[] = [];
		for (const { number, value, bytes } of fieldsOf(stream.subarray(header.end, at))) {
			if (number === 1) id = value;
			if (number === 2) infos.push(bytes);
		}
		for (const info of infos) {
			const fields = new Map([...fieldsOf(info)].map(({ number, value }) => [number, value]));
			const end = at + (fields.get(3) ?? 0);
			yield { id, type: fields.get(1) ?? 0, message: stream.subarray(at, end) };
			at = end;
		}
	}
}

/** Every block has a zero and its compressed length before it. */
function decompress(part: Uint8Array): Uint8Array {
	const blocks: Uint8Array[] = [];
	let length = 0;
	for (let at = 0; at + headerBytes <= part.length; ) {
		const size = (part[at + 1] ?? 0) + (part[at + 2] ?? 0) * 2 ** 8 + (part[at + 3] ?? 0) * 2 ** 16;
		const block = decompressSnappy(part.subarray(at + headerBytes, at + headerBytes + size), blockBytesMax);
		blocks.push(block);
		length += block.length;
		if (length > partBytesMax) throw fail("OUTPUT_TOO_LARGE", `${partBytesMax / 2 ** 20} MB`);
		at += headerBytes + size;
	}
	return Buffer.concat(blocks);
}
