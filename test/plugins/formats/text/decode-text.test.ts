/** Decoding: which of mark, claim, proof and guess wins. */

import { expect, test } from "bun:test";
import iconv from "iconv-lite";
import { decodeText, looksBinary } from "../../../../plugins/formats/text/decode-text.ts";

const greeting = "Grüße aus Århus – naïve façade, 12 €";

test.each(["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])("a byte order mark tells %s, whatever is claimed", (encoding) => {
	expect(decodeText(iconv.encode(greeting, encoding, { addBOM: true }), "windows-1251")).toBe(greeting);
});

test.each(["utf-16le", "utf-16be", "utf-32le", "utf-32be"])("%s is seen without a mark", (encoding) => {
	expect(decodeText(iconv.encode(greeting, encoding), null)).toBe(greeting);
});

test("a claim is believed, but not that UTF-8 is Latin-1", () => {
	expect(decodeText(iconv.encode("Привет", "koi8-r"), "koi8-r")).toBe("Привет");
	expect(decodeText(iconv.encode(greeting, "utf-8"), "iso-8859-1")).toBe(greeting);
	expect(decodeText(iconv.encode(greeting, "windows-1252"), "iso-8859-1")).toContain("Grüße");
	expect(decodeText(iconv.encode(greeting, "windows-1252"), "no-such-charset")).toContain("Grüße");
});

test("a character cut off at the end is no reason to doubt UTF-8", () => {
	const bytes = new TextEncoder().encode("naïve €");
	expect(decodeText(bytes.slice(0, -1), null)).toStartWith("naïve ");
});

test("line ends, zeros and lone halves are put right", () => {
	expect(decodeText(new TextEncoder().encode("a\r\nb\rc\0d"), null)).toBe("a\nb\ncd");
	expect(decodeText(iconv.encode("x", "utf-16le", { addBOM: true }).subarray(0, 3), null)).not.toContain("\uFEFF");
});

test("control characters in numbers are no text", () => {
	expect(looksBinary("\u0001\u0002\u0003abc")).toBe(true);
	expect(looksBinary("tabs\tand\nlines\f")).toBe(false);
});
