/** How JSON is known; one value a line begins like JSON, so there the name decides. */

import type { FileSignature } from "cairn-memory";

export const jsonSignatures: readonly FileSignature[] = [
	{ mediaType: "application/json", extensions: ["json", "jsonc", "geojson"], matchesText: isJson, isGeneric: true },
	{ mediaType: "application/x-ndjson", extensions: ["jsonl", "ndjson"], container: "application/json" },
];

/** A whole value, or the beginning of an object or of a list of objects: that much no prose begins with. */
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
