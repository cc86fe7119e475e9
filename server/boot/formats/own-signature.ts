/** Recognises formats that the library `file-type` does not know, by their magic bytes. */

import type { MediaType } from "../../../core/model/media-type.ts";
import { isEbcdic } from "./ebcdic.ts";
import { formatByMagicBytes } from "./known-formats.ts";

/** The length of the longest magic bytes. */
const magicBytesMax = 64;

const latin1 = new TextDecoder("latin1");

export function typeByMagicBytes(bytes: Uint8Array, extension: string): MediaType | null {
	return formatByMagicBytes(Buffer.from(bytes.subarray(0, magicBytesMax)).toString("latin1")) ?? typeByRule(bytes, extension);
}

/** Formats that need more than fixed magic bytes. */
function typeByRule(bytes: Uint8Array, extension: string): MediaType | null {
	if (isPropertyList(bytes)) return isWebArchive(bytes, extension) ? "application/x-webarchive" : "application/x-bplist";
	if (isPcx(bytes)) return "image/x-pcx";
	if (isMetafile(bytes)) return "image/emf";
	if (isNetpbm(bytes)) return "image/x-portable-pixmap";
	if (isPkcs7(bytes)) return "application/pkcs7-mime";
	const start = latin1.decode(bytes.subarray(0, textBytesMax));
	for (const [type, pattern] of textOfPrograms) if (pattern.test(start)) return type;
	return isEbcdic(bytes) ? "application/x-ebcdic" : null;
}

const pkcs7 = Buffer.from([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]);

/** DER of a message: a sequence, and at once the object identifier 1.2.840.113549.1.7, in which PKCS #7 has its kinds. */
function isPkcs7(bytes: Uint8Array): boolean {
	return bytes[0] === 0x30 && Buffer.from(bytes.subarray(0, 20)).includes(pkcs7);
}

/** Formats that programs write for programs, in letters and digits. As texts they would be found by everything and say nothing. */
const textOfPrograms: readonly (readonly [MediaType, RegExp])[] = [
	["application/marc", /^\d{5}[acdnp][a-z].{2}[ a]22\d{5}.{3}4500/],
	["image/vnd.dxf", /^(?: *999\r?\n[^\n]{0,200}\n)* *0\r?\n *SECTION\r?\n/],
	["model/x.stl-ascii", /^solid [^\n]{0,200}\n\s*facet normal /],
];
const textBytesMax = 1_024;

/** A binary property list: after the magic bytes comes the first value, which begins with a byte that is not printable. */
function isPropertyList(bytes: Uint8Array): boolean {
	return /^bplist\d\d[^ -~]/.test(latin1.decode(bytes.subarray(0, 9)));
}

function isWebArchive(bytes: Uint8Array, extension: string): boolean {
	return extension === "webarchive" || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("WebMainResource");
}

/** PCX has a header of manufacturer, version, run-length encoding, bits per pixel, and a reserved zero. */
function isPcx(bytes: Uint8Array): boolean {
	const [maker, version = -1, packing, bits = 0] = bytes;
	return bytes.length > 128 && maker === 0x0a && version <= 5 && version !== 1 && packing === 1 && [1, 2, 4, 8].includes(bits) && bytes[64] === 0;
}

/** The magic bytes of EMF are at offset 40. */
function isMetafile(bytes: Uint8Array): boolean {
	return bytes[0] === 1 && bytes[1] === 0 && latin1.decode(bytes.subarray(40, 44)) === " EMF";
}

/** Netpbm with binary pixels. Those that begin with `P1` to `P3` have pixels as digits and are text. */
function isNetpbm(bytes: Uint8Array): boolean {
	const start = latin1.decode(bytes.subarray(0, 80));
	return /^P[456]\s+(?:#[^\n]*\n\s*)*\d{1,6}\s+\d{1,6}\s/.test(start) && /^P[456]\s[\s\S]*[^\t\n\r -~]/.test(latin1.decode(bytes.subarray(0, 1_024)));
}
