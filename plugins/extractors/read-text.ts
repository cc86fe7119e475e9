/** The content of a text format inside its engine: decoded, clean, and text indeed. */

import { fail } from "cairn";
import { cleanText, decodeText, looksBinary } from "./decode-text.ts";
import type { Content } from "./read-in-sandbox.ts";

/** @throws FILE_BROKEN when the bytes are no text in any encoding, CONTENT_EMPTY when the text is blank. */
export function readText(content: Content): string {
	const text = content.text === null ? decodeText(content.bytes, content.charset) : cleanText(content.text);
	if (!/\S/.test(text)) throw fail("CONTENT_EMPTY");
	// What was handed in as text is one, whatever signs it is made of.
	if (content.text === null && looksBinary(text)) throw fail("FILE_BROKEN", "its bytes are not text in any known encoding");
	return text;
}
