/** Makes a key of limited length from an item's name, and finds the name of a key. A longer name, and a blank one, becomes its beginning and a hash of the whole. */

import { createHash } from "node:crypto";
import { limits } from "cairn-memory";

/** A hash has 43 characters, and a sign before it. */
const beginningCharacters = limits.connectorKeyCharactersMax - 44;

/** The key of a name that is nothing but blanks: core takes none that is. */
const blankName = /^(\s+)#[\w-]{43}$/;

export function itemKey(name: string): string {
	if (name.length <= limits.connectorKeyCharactersMax && name.trim() !== "") return name;
	const hash = createHash("sha256").update(name).digest("base64url");
	return `${name.slice(0, beginningCharacters).toWellFormed()}#${hash}`;
}

/** How the name of a key begins. It is all of a name that is not too long for a key. */
export function beginningOfName(key: string): string {
	// Where the name is cut in the middle of a character, half of it is not in the key.
	return nameOfKey(key) ?? blankName.exec(key)?.[1] ?? key.slice(0, beginningCharacters).replace(/\uFFFD$/u, "");
}

/** Whether the name of a key may begin so. It is not known of a name that is longer than its key. */
export function mayBeginWith(key: string, beginning: string): boolean {
	return beginningOfName(key).startsWith(beginning) || (nameOfKey(key) === null && beginning.startsWith(beginningOfName(key)));
}

/** Null for a key that may be of a longer name. */
export function nameOfKey(key: string): string | null {
	return key.length < limits.connectorKeyCharactersMax && !blankName.test(key) ? key : null;
}
