/** Cleans text after decoding, or text that a client sent. */

import { fail } from "cairn-memory";

/** Well-formed: no byte order mark, no NUL, no lone surrogate; lines end with a line feed. */
export function cleanText(text: string): string {
	// Each step copies the text, which may have a hundred megabytes; most texts need none of the steps.
	let clean = text.startsWith("\uFEFF") ? text.slice(1) : text;
	if (clean.includes("\0")) clean = clean.replaceAll("\0", "");
	if (clean.includes("\r")) clean = clean.replace(/\r\n?/g, "\n");
	return clean.isWellFormed() ? clean : clean.toWellFormed();
}

/**
 * Cleans a text that came from a client. Separate from `readText`, so that the server does not load encoding detection.
 *
 * @throws CONTENT_EMPTY when it is blank.
 */
export function cleanClientText(text: string): string {
	const clean = cleanText(text);
	if (!/\S/.test(clean)) throw fail("CONTENT_EMPTY");
	return clean;
}
