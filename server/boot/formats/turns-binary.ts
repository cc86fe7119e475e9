/** Whether bytes that begin like text continue as binary: a script with a program behind it, a list of names before a database. */

import { isBinary, wideEncodingOf } from "./head-text.ts";

/** The beginning was checked already. */
const beginningBytes = 8_192;
const windowBytes = 4_096;
/** Where windows are taken from the rest, as fractions of its length. */
const places = [0, 0.25, 0.5, 0.75, 1];
/** One binary window may be a picture pasted into a text, or damage from a crash. */
const binaryMin = 2;

export function becomesBinary(bytes: Uint8Array): boolean {
	const room = bytes.length - beginningBytes - windowBytes;
	// A window in the middle has no byte order mark, so UTF-16 would look binary.
	if (room < 0 || wideEncodingOf(bytes.subarray(0, beginningBytes)) !== null) return false;
	const starts = places.map((share) => beginningBytes + Math.floor(room * share));
	return starts.filter((at) => isForeign(bytes.subarray(at, at + windowBytes))).length >= binaryMin;
}

/** A window of zeros does not count: a power cut while writing leaves those in text files. */
function isForeign(window: Uint8Array): boolean {
	return isBinary(startOfCharacter(window)) && window.some((byte) => byte !== 0);
}

/** Skips the rest of a UTF-8 character at the beginning of a window: at most three bytes. */
function startOfCharacter(window: Uint8Array): Uint8Array {
	let at = 0;
	while (at < 3 && ((window[at] ?? 0) & 0xc0) === 0x80) at++;
	return window.subarray(at);
}
