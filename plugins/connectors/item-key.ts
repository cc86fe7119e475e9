/** Makes a key of limited length from an item's name, a longer name becomes its beginning and a hash of the whole, and names from keys. */

import { createHash } from "node:crypto";
import { limits } from "cairn-memory";

export function itemKey(name: string): string {
	if (name.length <= limits.connectorKeyCharactersMax) return name;
	const hash = createHash("sha256").update(name).digest("base64url");
	return `${name.slice(0, limits.connectorKeyCharactersMax - hash.length - 1).toWellFormed()}#${hash}`;
}

/** Null for a key that may be of a longer name. */
export function nameOfKey(key: string): string | null {
	return key.length < limits.connectorKeyCharactersMax ? key : null;
}
