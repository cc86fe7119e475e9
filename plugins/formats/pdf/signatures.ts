/** Signature of PDF. */

import type { FileSignature } from "cairn-memory";

export const pdfSignatures: readonly FileSignature[] = [{ mediaType: "application/pdf", matchesBytes: isPdf }];

/** PDF readers accept up to 1,024 bytes before the header. An object must follow, which prose about PDF does not have. */
function isPdf(head: Uint8Array): boolean {
	const start = new TextDecoder("latin1").decode(head.subarray(0, 2048));
	const at = start.search(/(?<=^|[\r\n\0])%PDF-\d\.\d/);
	return at === 0 || (at > 0 && at < 1024 && /\d+ \d+ obj\b/.test(start.slice(at)));
}
