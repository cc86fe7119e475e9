/** Signatures of notebooks: JSON with cells, or the extension. */

import type { FileSignature } from "cairn-memory";

export const notebookSignatures: readonly FileSignature[] = [
	{
		mediaType: "application/x-ipynb+json",
		extensions: ["ipynb"],
		container: "application/json",
		matchesText: (start) => /^\{\s*"(?:cells|metadata|nbformat|worksheets)"\s*:/.test(start) && /"cell_type"\s*:/.test(start),
	},
];
