/** How rich text is known. */

import type { FileSign } from "cairn-memory";

export const rtfSigns: readonly FileSign[] = [
	{ mediaType: "application/rtf", endings: ["rtf"], says: (start) => start.startsWith("{\\rtf") },
	{ mediaType: "text/rtf" },
];
