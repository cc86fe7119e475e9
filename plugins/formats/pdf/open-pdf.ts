/** Opens a PDF with MuPDF, and converts MuPDF's errors. */

import { fail } from "cairn-memory";
import type { Document } from "mupdf";
import { mupdf } from "./mupdf-memory.ts";

export function openPdf(bytes: Uint8Array): Document {
	try {
		const document = mupdf.Document.openDocument(bytes, "application/pdf");
		if (document.needsPassword()) throw fail("FILE_ENCRYPTED");
		if (document.countPages() < 1) throw fail("FILE_BROKEN", "it has no pages");
		return document;
	} catch (thrown) {
		throw damageError(thrown);
	}
}

/** MuPDF's message if memory is exhausted, or damaged by a stack overflow. */
const outOfMemory = /alloc \(.*\) failed/;

/**
 * Converts an error of MuPDF. It throws plain errors for damaged files, which become FILE_BROKEN. After a WebAssembly trap or a memory
 * error, every later file in this process would fail as well, so these are returned unchanged; throwing them ends the process.
 */
export function damageError(thrown: unknown): Error {
	if (!(thrown instanceof Error) || thrown.name === "ServiceError" || thrown instanceof WebAssembly.RuntimeError) return thrown as Error;
	if (outOfMemory.test(thrown.message)) return thrown;
	return fail("FILE_BROKEN", thrown.message.toLowerCase().slice(0, 200)).because(thrown);
}
