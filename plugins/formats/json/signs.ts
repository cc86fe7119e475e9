/** How JSON is known; one value a line begins like JSON, so there the name decides. */

import type { FileSign } from "cairn-memory";

export const jsonSigns: readonly FileSign[] = [
	{ mediaType: "application/json", endings: ["json", "jsonc", "geojson"], says: isJson, isOpen: true },
	{ mediaType: "application/x-ndjson", endings: ["jsonl", "ndjson"], within: "application/json" },
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
