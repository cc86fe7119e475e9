/** How archives are known. What is packed so may as well be a document of another format. */

import type { FileSign } from "cairn-memory";

export const archiveSigns: readonly FileSign[] = [
	{ mediaType: "application/zip", begins: [new Uint8Array([0x50, 0x4b, 0x03, 0x04])], isOpen: true },
	{ mediaType: "application/x-tar" },
	{ mediaType: "application/gzip", isOpen: true },
];
