/** Splits an mbox file into mails. Each begins with a line `From sender date`. */

/** A line with a sender, a time and a year. A sentence that begins with "From" has no time. */
const separatorLine = /^From \S.{0,200}\d{1,2}:\d{2}.{0,40}\d{4}/;

const lineFeed = 0x0a;

export function* splitMbox(bytes: Uint8Array): Generator<Uint8Array> {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let mailStart = -1;
	for (let offset = buffer.subarray(0, 5).toString("latin1") === "From " ? 0 : nextFromLine(buffer, 0); offset >= 0; offset = nextFromLine(buffer, offset)) {
		if (!separatorLine.test(buffer.subarray(offset, offset + 260).toString("latin1"))) continue;
		if (mailStart >= 0) yield unescapeFrom(buffer.subarray(mailStart, offset));
		mailStart = nextLine(buffer, offset);
	}
	if (mailStart >= 0 && mailStart < buffer.length) yield unescapeFrom(buffer.subarray(mailStart));
}

/** The offset of the next line that begins with `From `, or -1. */
function nextFromLine(buffer: Buffer, offset: number): number {
	const found = buffer.indexOf("\nFrom ", offset, "latin1");
	return found < 0 ? -1 : found + 1;
}

/** The offset of the next line. */
function nextLine(buffer: Buffer, offset: number): number {
	const end = buffer.indexOf(lineFeed, offset);
	return end < 0 ? buffer.length : end + 1;
}

/** Removes the `>` that escapes lines beginning with `From `. */
function unescapeFrom(mail: Buffer): Uint8Array {
	if (mail.indexOf("\n>From ", 0, "latin1") < 0 && mail.indexOf("\n>>", 0, "latin1") < 0) return mail;
	return Buffer.from(mail.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
}
