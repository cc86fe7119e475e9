/** How tables kept as text are known: by their names alone. */

import type { FileSignature } from "cairn-memory";

export const csvSignatures: readonly FileSignature[] = [
	{ mediaType: "text/csv", extensions: ["csv"] },
	{ mediaType: "text/tab-separated-values", extensions: ["tsv", "tab"] },
];
