/** Signatures of JSON and JSON Lines. Both begin in the same way, so the extension decides between them. */

import type { FileSignature } from "cairn-memory";

export const jsonSignatures: readonly FileSignature[] = [
	{ mediaType: "application/json", extensions: ["json", "jsonc", "geojson"], matchesText: isJson, isGeneric: true },
	{ mediaType: "application/x-ndjson", extensions: ["jsonl", "ndjson"], container: "application/json" },
];

/** Whether the text is a complete value, or begins like an object or a list of objects, which prose never does. */
function isJson(start: string): boolean {
	if (!/^[[{]/.test(start)) return false;
	if (/^(\[\s*)*\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(start)) return true;
	try {
		JSON.parse(start);
		return true;
	} catch {
		return false;
	}
}
