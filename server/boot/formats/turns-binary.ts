/** Whether bytes that begin like text go on as something else: a script with a program behind it, a table of names before a database. */

import { isBinary, wideEncodingOf } from "./head-text.ts";

/** What lies before it has been looked at already. */
const beginningBytes = 8_192;
const windowBytes = 4_096;
/** Shares of the way through the rest. */
const places = [0, 0.25, 0.5, 0.75, 1];
/** One binary window may be a picture pasted into a text, or damage from a crash. */
const binaryMin = 2;

export function turnsBinary(bytes: Uint8Array): boolean {
	const room = bytes.length - beginningBytes - windowBytes;
	// Without the mark at its beginning a window does not show that it is UTF-16.
	if (room < 0 || wideEncodingOf(bytes.subarray(0, beginningBytes)) !== null) return false;
	const starts = places.map((share) => beginningBytes + Math.floor(room * share));
	return starts.filter((at) => isForeign(bytes.subarray(at, at + windowBytes))).length >= binaryMin;
}

/** Nothing but zeros is what a machine leaves behind that loses its power while it writes: not text, but no other format either. */
function isForeign(window: Uint8Array): boolean {
	return isBinary(startOfCharacter(window)) && window.some((byte) => byte !== 0);
}

/** A window may begin within a character of UTF-8, which has three bytes more at most. */
function startOfCharacter(window: Uint8Array): Uint8Array {
	let at = 0;
	while (at < 3 && ((window[at] ?? 0) & 0xc0) === 0x80) at++;
	return window.subarray(at);
}
