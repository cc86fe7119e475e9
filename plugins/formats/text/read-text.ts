/** Decodes and cleans the content of a text format, for engines. */

import { fail } from "cairn-memory";
import type { Content } from "../blocks/content.ts";
import { cleanClientText } from "./clean-text.ts";
import { decodeText, looksBinary } from "./decode-text.ts";

/** @throws FILE_BROKEN if the bytes are not text in any known encoding, CONTENT_EMPTY if the text is blank. */
export function readText(content: Content): string {
	// Text from a client is never refused as binary.
	if (content.text !== null) return cleanClientText(content.text);
	const text = decodeText(content.bytes, content.charset);
	if (!/\S/.test(text)) throw fail("CONTENT_EMPTY");
	if (looksBinary(text)) throw fail("FILE_BROKEN", "its bytes are not text in any known encoding");
	return text;
}
