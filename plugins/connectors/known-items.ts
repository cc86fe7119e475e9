/** The cursor of a bucket connection: every object that is or may be a document, with its ETag when it was read. */

import type { Cursor } from "cairn-memory";

/** ETags by item key. An empty ETag means that the object may or may not have been put. */
export type KnownObjects = Map<string, string>;

export function readUserContext(cursor: Cursor | null): KnownObjects {
	const objects = cursor?.["version"] === 1 ? cursor["objects"] : null;
	if (objects === null || typeof objects !== "object" || Array.isArray(objects)) return new Map();
	return new Map(Object.entries(objects).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

export function writeKnown(known: KnownObjects): Cursor {
	return { version: 1, objects: Object.fromEntries(known) };
}
