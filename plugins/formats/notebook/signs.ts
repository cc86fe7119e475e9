/** How notebooks are known: JSON with cells, or by their name. */

import type { FileSign } from "cairn-memory";

export const notebookSigns: readonly FileSign[] = [
	{
		mediaType: "application/x-ipynb+json",
		endings: ["ipynb"],
		within: "application/json",
		says: (start) => /^\{\s*"(?:cells|metadata|nbformat|worksheets)"\s*:/.test(start) && /"cell_type"\s*:/.test(start),
	},
];
