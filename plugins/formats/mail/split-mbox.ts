/** Splits an mbox file into mails: each begins with a line `From sender date`. */

/** With a sender, a time and a year; a sentence that begins with "From" has no time. */
const beginning = /^From \S.{0,200}\d{1,2}:\d{2}.{0,40}\d{4}/;

const newline = 0x0a;

export function* splitMbox(bytes: Uint8Array): Generator<Uint8Array> {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let begin = -1;
	for (let at = buffer.subarray(0, 5).toString("latin1") === "From " ? 0 : nextLine(buffer, 0); at >= 0; at = nextLine(buffer, at)) {
		if (!beginning.test(buffer.subarray(at, at + 260).toString("latin1"))) continue;
		if (begin >= 0) yield unquoted(buffer.subarray(begin, at));
		begin = bodyOf(buffer, at);
	}
	if (begin >= 0 && begin < buffer.length) yield unquoted(buffer.subarray(begin));
}

/** The offset of the next line that begins with `From `, or -1. */
function nextLine(buffer: Buffer, at: number): number {
	const found = buffer.indexOf("\nFrom ", at, "latin1");
	return found < 0 ? -1 : found + 1;
}

function bodyOf(buffer: Buffer, at: number): number {
	const end = buffer.indexOf(newline, at);
	return end < 0 ? buffer.length : end + 1;
}

/** Removes the `>` that escapes lines beginning with `From `. */
function unquoted(mail: Buffer): Uint8Array {
	if (mail.indexOf("\n>From ", 0, "latin1") < 0 && mail.indexOf("\n>>", 0, "latin1") < 0) return mail;
	return Buffer.from(mail.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
}
