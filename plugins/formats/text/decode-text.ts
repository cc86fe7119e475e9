/** Decodes bytes of any encoding: by the byte order mark, then the declared charset, then as UTF-8 if valid, then by a guess. */

import { isUtf8 as isUtf8Text } from "node:buffer";
import iconv from "iconv-lite";
import jschardet from "jschardet";
import { cleanText } from "./plain-text.ts";

/** Longer byte order marks come first: that of UTF-32LE begins like that of UTF-16LE. */
const byteOrderMarks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
	["utf-32le", [0xff, 0xfe, 0, 0]],
	["utf-32be", [0, 0, 0xfe, 0xff]],
	["utf-8", [0xef, 0xbb, 0xbf]],
	["utf-16le", [0xff, 0xfe]],
	["utf-16be", [0xfe, 0xff]],
];

/** Charsets that servers and tools declare by default. They are believed only if the bytes are not UTF-8. */
const unreliableCharsets = new Set(["us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252", "cp1252"]);

/** The most bytes that a UTF-8 character has. */
const utf8BytesMax = 4;

/** The bytes that the encoding is guessed from. More would cost time and not improve the guess. */
const guessedBytesMax = 64 * 1024;

/** Always well-formed: no byte order mark, no NUL, no lone surrogate; lines end with a line feed. */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
	return cleanText(iconv.decode(bytes, encodingOf(bytes, charset)));
}

/** Whether there are more control characters than any text has. */
export function looksBinary(text: string): boolean {
	const head = text.slice(0, guessedBytesMax);
	const controls = head.match(/(?!\s)[\p{Cc}\uFFFD]/gu)?.length ?? 0;
	return controls > head.length * 0.1;
}

function encodingOf(bytes: Uint8Array, charset: string | null): string {
	const byMark = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
	if (byMark !== undefined) return byMark[0];

	const declared = charset !== null && iconv.encodingExists(charset) ? charset.toLowerCase() : null;
	const isReliable = declared !== null && !isUtf8Name(declared) && !unreliableCharsets.has(declared);
	if (isReliable) return declared;
	const wideCharset = wideEncoding(bytes);
	if (wideCharset !== null) return wideCharset;
	if (isUtf8(bytes)) return "utf-8";
	if (declared !== null && !isUtf8Name(declared)) return declared;
	return guess(bytes);
}

function isUtf8Name(charset: string): boolean {
	return charset === "utf-8" || charset === "utf8";
}

/** Whether the bytes are UTF-8. The last character may be incomplete. */
function isUtf8(bytes: Uint8Array): boolean {
	for (let cut = 0; cut < utf8BytesMax; cut++) if (isUtf8Text(bytes.subarray(0, bytes.length - cut))) return cut === 0 || beginsCharacter(bytes, cut);
	return false;
}

/** Whether the last `count` bytes are the beginning of a character. */
function beginsCharacter(bytes: Uint8Array, count: number): boolean {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(bytes.length - count), { stream: true });
		return true;
	} catch {
		return false;
	}
}

/** UTF-16 and UTF-32 without a byte order mark: zeros at every second byte, or at three of four. The guesser does not detect them. */
function wideEncoding(bytes: Uint8Array): string | null {
	const length = Math.min(bytes.length, 4096) & ~3;
	if (length < 8) return null;
	const zeros = [0, 0, 0, 0];
	for (let index = 0; index < length; index++) if (bytes[index] === 0) zeros[index & 3] = (zeros[index & 3] ?? 0) + 1;
	const [first, second, third, fourth] = zeros.map((count) => count / (length / 4)) as [number, number, number, number];
	if (first > 0.9 && second > 0.9 && fourth < 0.3) return "utf-32be";
	if (third > 0.9 && fourth > 0.9 && first < 0.3) return "utf-32le";
	if (second + fourth > 0.6 && first + third < 0.1) return "utf-16le";
	if (first + third > 0.6 && second + fourth < 0.1) return "utf-16be";
	return null;
}

function guess(bytes: Uint8Array): string {
	const { encoding } = jschardet.detect(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, guessedBytesMax)));
	return encoding !== null && iconv.encodingExists(encoding) ? encoding : "windows-1252";
}
