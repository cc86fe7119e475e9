/** Whether bytes are text in EBCDIC, where a blank is 0x40 and letters have other codes than in ASCII. */

/** So many bytes are enough to decide. */
const lookedAtMax = 8_192;
const lengthMin = 32;
/** Prose has a larger share of blanks. */
const blanksMin = 0.05;
/** Nearly all of a text is letters, digits and the punctuation below. */
const knownMin = 0.85;

/** `a-i`, `j-r`, `s-z`, the same as capitals, digits. */
const ranges: readonly (readonly [from: number, to: number])[] = [
	[0x81, 0x89],
	[0x91, 0x99],
	[0xa2, 0xa9],
	[0xc1, 0xc9],
	[0xd1, 0xd9],
	[0xe2, 0xe9],
	[0xf0, 0xf9],
];
/** Blank, `.`, `,`, `-`, `/`, `:`, `'`, `"`, brackets; next line, line feed, carriage return, tab. */
const others: ReadonlySet<number> = new Set([0x40, 0x4b, 0x6b, 0x60, 0x61, 0x7a, 0x7d, 0x7f, 0x4d, 0x5d, 0x15, 0x25, 0x0d, 0x05]);

export function isEbcdic(bytes: Uint8Array): boolean {
	const head = bytes.subarray(0, lookedAtMax);
	if (head.length < lengthMin) return false;
	const letters = head.filter(isLetter).length;
	const blanks = head.filter((byte) => byte === 0x40).length;
	const known = letters + head.filter((byte) => others.has(byte)).length;
	// Files with lines of fixed length are mostly blanks, so letters are compared with the rest.
	return blanks >= head.length * blanksMin && letters >= (head.length - blanks) / 2 && known >= head.length * knownMin;
}

function isLetter(byte: number): boolean {
	return ranges.some(([from, to]) => byte >= from && byte <= to);
}
