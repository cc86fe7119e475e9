/** Decodes the beginning of a file, or returns null if it is binary. This is good enough for detection; extractors decode precisely. */

const byteOrderMarks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
	["utf-8", [0xef, 0xbb, 0xbf]],
	["utf-16le", [0xff, 0xfe]],
	["utf-16be", [0xfe, 0xff]],
];

/** Valid UTF-8 with a larger share of control characters is binary. */
const utf8ControlShareMax = 0.1;
/** The same for other encodings: text has hardly any control characters, compressed bytes have 10 %. */
const otherControlShareMax = 0.02;

/**
 * This many bytes of text in an old encoding contain a space or a line break, even in Chinese: each of 3,037 samples of 2,048 bytes
 * had at least three. Tables of numbers and pixels often have none.
 */
const bytesWithoutSpaceMax = 512;

export function headText(head: Uint8Array): string | null {
	const utf16 = encodingByMark(head) ?? utf16WithoutMark(head);
	if (utf16 !== null) return new TextDecoder(utf16).decode(head, { stream: true });
	const utf8 = decodeUtf8(head);
	if (hasManyControls(head, utf8 !== null)) return null;
	if (utf8 === null && head.length >= bytesWithoutSpaceMax && !head.some(isSpace)) return null;
	return utf8 ?? new TextDecoder("latin1").decode(head);
}

/** For bytes from the middle of a file. UTF-16 is not recognised here. */
export function isBinary(bytes: Uint8Array): boolean {
	return hasManyControls(bytes, decodeUtf8(bytes) !== null);
}

function hasManyControls(bytes: Uint8Array, isUtf8: boolean): boolean {
	return controlShare(bytes) > (isUtf8 ? utf8ControlShareMax : otherControlShareMax);
}

/** The name of the UTF-16 encoding, with or without a byte order mark; null for other encodings. */
export function utf16EncodingOf(head: Uint8Array): string | null {
	const marked = encodingByMark(head);
	return marked === "utf-8" ? null : (marked ?? utf16WithoutMark(head));
}

function encodingByMark(head: Uint8Array): string | null {
	return byteOrderMarks.find(([, mark]) => mark.every((byte, index) => head[index] === byte))?.[0] ?? null;
}

/** Null if the bytes are not valid UTF-8. The last character may be incomplete. */
function decodeUtf8(bytes: Uint8Array): string | null {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
	} catch {
		return null;
	}
}

/** The share of control characters. Tabs, line and page breaks, and the escape of old Japanese encodings are not counted. */
function controlShare(bytes: Uint8Array): number {
	let controls = 0;
	for (const byte of bytes) if (byte === 0x7f || (byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d))) controls += 1;
	return bytes.length === 0 ? 0 : controls / bytes.length;
}

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
function isSpace(byte: number): boolean {
	return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** UTF-16 without a byte order mark: in most scripts many bytes at even, or at odd, positions are zero. */
function utf16WithoutMark(head: Uint8Array): "utf-16le" | "utf-16be" | null {
	const pairs = head.length >> 1;
	if (pairs < 4) return null;
	let even = 0;
	let odd = 0;
	for (let index = 0; index < pairs * 2; index += 2) {
		if (head[index] === 0) even += 1;
		if (head[index + 1] === 0) odd += 1;
	}
	const encoding = odd > pairs * 0.3 && even < pairs * 0.02 ? "utf-16le" : even > pairs * 0.3 && odd < pairs * 0.02 ? "utf-16be" : null;
	return encoding !== null && isText(new TextDecoder(encoding).decode(head.subarray(0, pairs * 2))) ? encoding : null;
}

function isText(text: string): boolean {
	const odd = text.match(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\s]/gu)?.length ?? 0;
	return odd <= text.length * otherControlShareMax;
}
