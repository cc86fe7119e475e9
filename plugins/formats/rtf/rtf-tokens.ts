/** Splits RTF into tokens, in one linear pass: groups, control words with their parameters, and bytes of text. */

export type Token =
	| { readonly kind: "open" | "close" }
	| { readonly kind: "word"; readonly name: string; readonly number: number | null }
	/** A control symbol, such as `\*`, `\~` or `\-`. */
	| { readonly kind: "symbol"; readonly character: string }
	| { readonly kind: "bytes"; readonly bytes: Uint8Array };

const openBrace = 0x7b;
const closeBrace = 0x7d;
const backslash = 0x5c;

export function* tokensOf(source: Uint8Array): Generator<Token> {
	for (let offset = 0; offset < source.length; ) {
		const byte = source[offset];
		if (byte === openBrace || byte === closeBrace) {
			yield { kind: byte === openBrace ? "open" : "close" };
			offset++;
		} else if (byte === backslash) {
			const { token, next } = readControl(source, offset + 1);
			if (token !== null) yield token;
			offset = next;
		} else {
			const end = endOfText(source, offset);
			const bytes = source.subarray(offset, end).filter((code) => code !== 0x0a && code !== 0x0d && code !== 0);
			if (bytes.length > 0) yield { kind: "bytes", bytes };
			offset = end;
		}
	}
}

function endOfText(source: Uint8Array, from: number): number {
	let offset = from;
	for (; offset < source.length; offset++) {
		const byte = source[offset];
		if (byte === openBrace || byte === closeBrace || byte === backslash) break;
	}
	return offset;
}

interface Control {
	readonly token: Token | null;
	readonly next: number;
}

function readControl(source: Uint8Array, offset: number): Control {
	const first = source[offset] ?? 0;
	if (!isLetter(first)) return readSymbol(source, offset);
	let end = offset;
	while (end - offset < 32 && isLetter(source[end] ?? 0)) end++;
	const name = latin1(source, offset, end);
	let numberEnd = end;
	if (source[numberEnd] === 0x2d) numberEnd++;
	while (numberEnd - end < 11 && isDigit(source[numberEnd] ?? 0)) numberEnd++;
	const digits = latin1(source, end, numberEnd);
	const number = /\d/.test(digits) ? Number(digits) : null;
	if (number === null) numberEnd = end;
	const next = source[numberEnd] === 0x20 ? numberEnd + 1 : numberEnd;
	// Skips the raw bytes of a picture. Their declared length may exceed the file.
	if (name === "bin") return { token: null, next: next + Math.max(0, number ?? 0) };
	return { token: { kind: "word", name, number }, next };
}

function readSymbol(source: Uint8Array, offset: number): Control {
	const character = latin1(source, offset, offset + 1);
	if (character === "'") {
		const code = Number.parseInt(latin1(source, offset + 1, offset + 3), 16);
		return Number.isNaN(code) ? { token: null, next: offset + 1 } : { token: { kind: "bytes", bytes: new Uint8Array([code]) }, next: offset + 3 };
	}
	if (character === "\n" || character === "\r") return { token: { kind: "word", name: "par", number: null }, next: offset + 1 };
	if (character === "\\" || character === "{" || character === "}")
		return { token: { kind: "bytes", bytes: source.subarray(offset, offset + 1) }, next: offset + 1 };
	return { token: { kind: "symbol", character }, next: offset + 1 };
}

function isLetter(byte: number): boolean {
	return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
	return byte >= 0x30 && byte <= 0x39;
}

function latin1(source: Uint8Array, from: number, to: number): string {
	return String.fromCharCode(...source.subarray(from, to));
}
