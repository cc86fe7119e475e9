/** Decompresses a block of Snappy, without the checksums and the stream identifier that other programs put around blocks. */

import { fail } from "cairn-memory";

/** @param bytesMax refuses blocks that say they are longer. @throws FILE_BROKEN */
export function decompressSnappy(block: Uint8Array, bytesMax: number): Uint8Array {
	let at = 0;
	let length = 0;
	for (let shift = 0; ; shift += 7) {
		const byte = block[at++];
		if (byte === undefined || shift > 28) throw broken();
		length += (byte & 0x7f) * 2 ** shift;
		if (byte < 0x80) break;
	}
	if (length > bytesMax) throw broken();
	const output = new Uint8Array(length);
	let filled = 0;
	const little = (count: number) => {
		let value = 0;
		for (let byte = 0; byte < count; byte++) value += (block[at++] ?? 0) * 2 ** (8 * byte);
		return value;
	};
	while (at < block.length && filled < length) {
		const tag = block[at++] ?? 0;
		const kind = tag & 3;
		if (kind === 0) {
			const short = tag >> 2;
			const size = (short < 60 ? short : little(short - 59)) + 1;
			if (at + size > block.length || filled + size > length) throw broken();
			output.set(block.subarray(at, at + size), filled);
			at += size;
			filled += size;
			continue;
		}
		const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
		const offset = kind === 1 ? ((tag >> 5) << 8) + little(1) : little(kind === 2 ? 2 : 4);
		if (offset === 0 || offset > filled || filled + size > length) throw broken();
		// Byte by byte, since a copy may repeat what it has just written.
		for (const end = filled + size; filled < end; filled++) output[filled] = output[filled - offset] ?? 0;
	}
	if (filled < length) throw broken();
	return output;
}

function broken() {
	return fail("FILE_BROKEN", "a part of it cannot be decompressed");
}
