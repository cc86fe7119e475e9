/** Detects text in EBCDIC, in which a space is 0x40 and letters have other codes than in ASCII. */

/** How many bytes are inspected. */
const headBytesMax = 8_192;
const lengthMin = 32;
/** The minimum share of spaces; prose has more. */
const blankShareMin = 0.05;
/** At least this share of a text is letters, digits, spaces and the punctuation below. */
const textShareMin = 0.85;

/** Codes of `a-i`, `j-r`, `s-z`, `A-I`, `J-R`, `S-Z` and digits. */
const ranges: readonly (readonly [from: number, to: number])[] = [
	[0x81, 0x89],
	[0x91, 0x99],
	[0xa2, 0xa9],
	[0xc1, 0xc9],
	[0xd1, 0xd9],
	[0xe2, 0xe9],
	[0xf0, 0xf9],
];
/** Space, `.`, `,`, `-`, `/`, `:`, `'`, `"`, parentheses; next line, line feed, carriage return, tab. */
const punctuation: ReadonlySet<number> = new Set([0x40, 0x4b, 0x6b, 0x60, 0x61, 0x7a, 0x7d, 0x7f, 0x4d, 0x5d, 0x15, 0x25, 0x0d, 0x05]);

export function isEbcdic(bytes: Uint8Array): boolean {
	const head = bytes.subarray(0, headBytesMax);
	if (head.length < lengthMin) return false;
	const letters = head.filter(isLetter).length;
	const blanks = head.filter((byte) => byte === 0x40).length;
	const textBytes = letters + head.filter((byte) => punctuation.has(byte)).length;
	// Files with lines of fixed length are mostly spaces, so letters are compared with the other characters.
	return blanks >= head.length * blankShareMin && letters >= (head.length - blanks) / 2 && textBytes >= head.length * textShareMin;
}

function isLetter(byte: number): boolean {
	return ranges.some(([from, to]) => byte >= from && byte <= to);
}
