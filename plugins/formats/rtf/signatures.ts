/** The signature of RTF files. */

import type { FileSignature } from "cairn-memory";

export const rtfSignatures: readonly FileSignature[] = [
	{ mediaType: "application/rtf", extensions: ["rtf"], matchesText: (start) => start.startsWith("{\\rtf") },
	{ mediaType: "text/rtf" },
];
