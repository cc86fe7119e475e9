/** Formats by their first bytes, beside those that `file-type` knows. */

import type { MediaType } from "../../../core/model/media-type.ts";
import { isEbcdic } from "./ebcdic.ts";
import { formatByMark } from "./known-formats.ts";

/** No mark is longer. */
const markBytesMax = 64;

const latin1 = new TextDecoder("latin1");

export function ownSignature(bytes: Uint8Array, ending: string): MediaType | null {
	return formatByMark(Buffer.from(bytes.subarray(0, markBytesMax)).toString("latin1")) ?? byRule(bytes, ending);
}

/** What a few fixed bytes do not tell. */
function byRule(bytes: Uint8Array, ending: string): MediaType | null {
	if (isPropertyList(bytes)) return isWebArchive(bytes, ending) ? "application/x-webarchive" : "application/x-bplist";
	if (isPcx(bytes)) return "image/x-pcx";
	if (isMetafile(bytes)) return "image/emf";
	if (isNetpbm(bytes)) return "image/x-portable-pixmap";
	return isEbcdic(bytes) ? "application/x-ebcdic" : null;
}

/** Behind its name stands the first value, which no letter begins. */
function isPropertyList(bytes: Uint8Array): boolean {
	return /^bplist\d\d[^ -~]/.test(latin1.decode(bytes.subarray(0, 9)));
}

function isWebArchive(bytes: Uint8Array, ending: string): boolean {
	return ending === "webarchive" || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("WebMainResource");
}

/** Maker, version, packed by runs, bits of a pixel, and a zero that is reserved. */
function isPcx(bytes: Uint8Array): boolean {
	const [maker, version = -1, packing, bits = 0] = bytes;
	return bytes.length > 128 && maker === 0x0a && version <= 5 && version !== 1 && packing === 1 && [1, 2, 4, 8].includes(bits) && bytes[64] === 0;
}

/** The signature stands 40 bytes in, behind the first record. */
function isMetafile(bytes: Uint8Array): boolean {
	return bytes[0] === 1 && bytes[1] === 0 && latin1.decode(bytes.subarray(40, 44)) === " EMF";
}

/** Only those whose pixels are no digits: `P5 640 480 255`. */
function isNetpbm(bytes: Uint8Array): boolean {
	const start = latin1.decode(bytes.subarray(0, 80));
	return /^P[456]\s+(?:#[^\n]*\n\s*)*\d{1,6}\s+\d{1,6}\s/.test(start) && /^P[456]\s[\s\S]*[^\t\n\r -~]/.test(latin1.decode(bytes.subarray(0, 1_024)));
}
