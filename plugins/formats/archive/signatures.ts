/** Signatures of archives. They are generic: other formats are stored in these containers. */

import type { FileSignature } from "cairn-memory";

export const archiveSignatures: readonly FileSignature[] = [
	{ mediaType: "application/zip", magicBytes: [new Uint8Array([0x50, 0x4b, 0x03, 0x04])], isGeneric: true },
	{ mediaType: "application/x-tar" },
	{ mediaType: "application/gzip", isGeneric: true },
	{ mediaType: "application/x-bzip2" },
	{ mediaType: "application/x-7z-compressed" },
	{ mediaType: "application/x-rar-compressed" },
];
