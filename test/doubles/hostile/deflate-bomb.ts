/** A zlib stream that inflates to one piece repeated as often as asked, made without ever holding the whole. */

import { constants, deflateRawSync } from "node:zlib";

const adlerBase = 65_521;

/** Every copy is the same compressed segment, ended so that the next does not look back into it: a gigabyte takes milliseconds. */
export function deflateBomb(piece: Uint8Array, times: number): Uint8Array {
	const header = [0x78, 0xda];
	return Buffer.concat([Buffer.from(header), rawDeflateBomb(piece, times), bigEndian(adlerOf(piece, times))]);
}

/** The same without zlib's header and checksum, as it stands in a ZIP. */
export function rawDeflateBomb(piece: Uint8Array, times: number): Uint8Array {
	const segment = deflateRawSync(piece, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
	const end = [0x03, 0x00];
	return Buffer.concat([...Array.from({ length: times }, () => segment), Buffer.from(end)]);
}

/** Adler-32 of the repetition, from that of one piece. */
function adlerOf(piece: Uint8Array, times: number): number {
	let low = 1;
	let high = 0;
	let [pieceLow, pieceHigh] = [0, 0];
	for (const byte of piece) {
		pieceLow = (pieceLow + byte) % adlerBase;
		pieceHigh = (pieceHigh + pieceLow) % adlerBase;
	}
	for (let copy = 0; copy < times; copy++) {
		high = (high + pieceHigh + low * (piece.length % adlerBase)) % adlerBase;
		low = (low + pieceLow) % adlerBase;
	}
	return high * 65_536 + low;
}

function bigEndian(number: number): Uint8Array {
	const bytes = new Uint8Array(4);
	new DataView(bytes.buffer).setUint32(0, number);
	return bytes;
}
