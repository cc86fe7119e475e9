/** RTF bytes → tokens: groups, control words with their parameter, and bytes of text. One linear pass. */

export type Token =
	| { readonly kind: "open" | "close" }
	| { readonly kind: "word"; readonly name: string; readonly number: number | null }
	/** `\*`, `\~`, `\-` and the like. */
	| { readonly kind: "symbol"; readonly sign: string }
	| { readonly kind: "bytes"; readonly bytes: Uint8Array };

const open = 0x7b;
const close = 0x7d;
const backslash = 0x5c;

export function* tokensOf(source: Uint8Array): Generator<Token> {
	for (let at = 0; at < source.length; ) {
		const byte = source[at];
		if (byte === open || byte === close) {
			yield { kind: byte === open ? "open" : "close" };
			at++;
		} else if (byte === backslash) {
			const { token, next } = readControl(source, at + 1);
			if (token !== null) yield token;
			at = next;
		} else {
			const end = endOfText(source, at);
			const bytes = source.subarray(at, end).filter((code) => code !== 0x0a && code !== 0x0d && code !== 0);
			if (bytes.length > 0) yield { kind: "bytes", bytes };
			at = end;
		}
	}
}

function endOfText(source: Uint8Array, from: number): number {
	let at = from;
	for (; at < source.length; at++) {
		const byte = source[at];
		if (byte === open || byte === close || byte === backslash) break;
	}
	return at;
}

interface Control {
	readonly token: Token | null;
	readonly next: number;
}

function readControl(source: Uint8Array, at: number): Control {
	const first = source[at] ?? 0;
	if (!isLetter(first)) return readSymbol(source, at);
	let end = at;
	while (end - at < 32 && isLetter(source[end] ?? 0)) end++;
	const name = latin(source, at, end);
	let last = end;
	if (source[last] === 0x2d) last++;
	while (last - end < 11 && isDigit(source[last] ?? 0)) last++;
	const written = latin(source, end, last);
	const number = /\d/.test(written) ? Number(written) : null;
	if (number === null) last = end;
	const next = source[last] === 0x20 ? last + 1 : last;
	// Raw bytes of a picture; the declared length may exceed the file.
	if (name === "bin") return { token: null, next: next + Math.max(0, number ?? 0) };
	return { token: { kind: "word", name, number }, next };
}

function readSymbol(source: Uint8Array, at: number): Control {
	const sign = latin(source, at, at + 1);
	if (sign === "'") {
		const code = Number.parseInt(latin(source, at + 1, at + 3), 16);
		return Number.isNaN(code) ? { token: null, next: at + 1 } : { token: { kind: "bytes", bytes: new Uint8Array([code]) }, next: at + 3 };
	}
	if (sign === "\n" || sign === "\r") return { token: { kind: "word", name: "par", number: null }, next: at + 1 };
	if (sign === "\\" || sign === "{" || sign === "}") return { token: { kind: "bytes", bytes: source.subarray(at, at + 1) }, next: at + 1 };
	return { token: { kind: "symbol", sign }, next: at + 1 };
}

function isLetter(byte: number): boolean {
	return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
	return byte >= 0x30 && byte <= 0x39;
}

function latin(source: Uint8Array, from: number, to: number): string {
	return String.fromCharCode(...source.subarray(from, to));
}
