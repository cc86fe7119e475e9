/** Detects files that begin like text and continue as binary: a script with a program appended, a database after a list of names. */

import { isBinary, utf16EncodingOf } from "./head-text.ts";

/** This many bytes at the beginning were checked already. */
const beginningBytes = 8_192;
const windowBytes = 4_096;
/** The positions of the inspected windows, as fractions of the rest of the file. */
const fractions = [0, 0.25, 0.5, 0.75, 1];
/** Minimum number of binary windows. A single one may be an image embedded in a text, or damage from a crash. */
const binaryWindowsMin = 2;

export function becomesBinary(bytes: Uint8Array): boolean {
	const lastStart = bytes.length - beginningBytes - windowBytes;
	// A window in the middle has no byte order mark, so UTF-16 would look binary.
	if (lastStart < 0 || utf16EncodingOf(bytes.subarray(0, beginningBytes)) !== null) return false;
	const starts = fractions.map((share) => beginningBytes + Math.floor(lastStart * share));
	return starts.filter((offset) => isBinaryWindow(bytes.subarray(offset, offset + windowBytes))).length >= binaryWindowsMin;
}

/** A window of zeros does not count as binary, because a power failure while writing leaves zeros in text files. */
function isBinaryWindow(window: Uint8Array): boolean {
	return isBinary(skipPartialCharacter(window)) && window.some((byte) => byte !== 0);
}

/** Skips the rest of a UTF-8 character at the beginning of a window: at most three bytes. */
function skipPartialCharacter(window: Uint8Array): Uint8Array {
	let offset = 0;
	while (offset < 3 && ((window[offset] ?? 0) & 0xc0) === 0x80) offset++;
	return window.subarray(offset);
}
