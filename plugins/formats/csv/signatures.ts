/** Signatures of CSV and TSV: only extensions. */

import type { FileSignature } from "cairn-memory";

export const csvSignatures: readonly FileSignature[] = [
	{ mediaType: "text/csv", extensions: ["csv"] },
	{ mediaType: "text/tab-separated-values", extensions: ["tsv", "tab"] },
];
