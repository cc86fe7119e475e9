/** How tables kept as text are known: by their names alone. */

import type { FileSign } from "cairn-memory";

export const csvSigns: readonly FileSign[] = [
	{ mediaType: "text/csv", endings: ["csv"] },
	{ mediaType: "text/tab-separated-values", endings: ["tsv", "tab"] },
];
