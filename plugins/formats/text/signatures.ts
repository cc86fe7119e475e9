/** Signatures of plain text, and of address books, by their first line. */

import type { FileSignature } from "cairn-memory";

export const textSignatures: readonly FileSignature[] = [
	{ mediaType: "text/vcard", extensions: ["vcf"], matchesText: (start) => start.startsWith("BEGIN:VCARD") },
];
