/** Signatures of images. `file-type` recognises most of them. */

import type { FileSignature } from "cairn-memory";

/** The first bytes of a TIFF. Its directory may be at the end of the file, so `file-type` does not always recognise it. */
const tiff = [new Uint8Array([0x49, 0x49, 0x2a, 0x00]), new Uint8Array([0x4d, 0x4d, 0x00, 0x2a])];

export const imageSignatures: readonly FileSignature[] = [
	{ mediaType: "image/png", aliases: ["image/apng"] },
	{ mediaType: "image/jpeg" },
	{ mediaType: "image/gif" },
	{ mediaType: "image/webp" },
	{ mediaType: "image/avif" },
	{ mediaType: "image/heic", aliases: ["image/heif"] },
	{ mediaType: "image/bmp" },
	{ mediaType: "image/tiff", magicBytes: tiff },
];
