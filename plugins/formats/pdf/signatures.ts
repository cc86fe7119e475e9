/** The signature of PDF files. */

import type { FileSignature } from "cairn-memory";

export const pdfSignatures: readonly FileSignature[] = [{ mediaType: "application/pdf", matchesBytes: isPdf }];

/** Like PDF readers, accepts up to 1,024 bytes before the header. An object must then follow, which prose about PDF does not have. */
function isPdf(head: Uint8Array): boolean {
	const start = new TextDecoder("latin1").decode(head.subarray(0, 2048));
	const offset = start.search(/(?<=^|[\r\n\0])%PDF-\d\.\d/);
	return offset === 0 || (offset > 0 && offset < 1024 && /\d+ \d+ obj\b/.test(start.slice(offset)));
}
