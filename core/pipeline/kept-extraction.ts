/** An extraction that an earlier try has kept, read back. */

import type { Extraction } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";

export interface KeptExtraction {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

/** Null when nothing was kept, or when what was kept cannot be read: then the document is simply read again. */
export function parseKeptExtraction(bytes: Uint8Array | null): KeptExtraction | null {
	if (bytes === null) return null;
	try {
		const kept: unknown = JSON.parse(new TextDecoder().decode(bytes));
		return isKept(kept) ? kept : null;
	} catch {
		return null;
	}
}

function isKept(value: unknown): value is KeptExtraction {
	if (typeof value !== "object" || value === null || !("mediaType" in value) || !("extraction" in value)) return false;
	const { extraction } = value;
	return typeof extraction === "object" && extraction !== null && "blocks" in extraction && Array.isArray(extraction.blocks) && "text" in extraction;
}
