/** Files attached to a PDF: to the document, and by annotations on its pages. */

import { type Attachment, parseMediaType, type Warning } from "cairn-memory";
import type { Document, PDFDocument, PDFObject } from "mupdf";
import { createAttachmentBasket } from "../blocks/attachment-basket.ts";

/** Invoices have one, portfolios some hundred. */
const filesMax = 500;
/** Reading annotations takes time for each page. */
const pagesMax = 2_000;

export function attachedFiles(document: Document, warnings: Warning[]): readonly Attachment[] {
	const pdf = document.asPDF();
	if (pdf === null) return [];
	const basket = createAttachmentBasket(warnings);
	const seen = new Set<string>();
	const add = (file: PDFObject, called: string) => {
		if (basket.attachments.length >= filesMax) return;
		const { filename, mimetype } = pdf.getFilespecParams(file);
		const bytes = pdf.getEmbeddedFileContents(file)?.asUint8Array();
		const path = filename || called || "attachment";
		const once = `${path}\n${bytes?.byteLength}`;
		if (bytes === undefined || seen.has(once)) return;
		seen.add(once);
		basket.add({ path, bytes, claimedMediaType: parseMediaType(mimetype ?? "") });
	};
	const guarded = (read: () => void) => {
		try {
			read();
		} catch (thrown) {
			if (!(thrown instanceof Error) || thrown instanceof WebAssembly.RuntimeError) throw thrown;
			warnings.push({ code: "ATTACHMENT_UNREAD", message: `an attached file is damaged: ${thrown.message.slice(0, 200)}` });
		}
	};
	guarded(() => {
		for (const [name, file] of Object.entries(pdf.getEmbeddedFiles())) guarded(() => add(file, name));
	});
	for (const file of filesOnPages(pdf)) guarded(() => add(file, ""));
	return basket.attachments;
}

function* filesOnPages(pdf: PDFDocument): Generator<PDFObject> {
	const pages = Math.min(pagesMax, pdf.countPages());
	for (let at = 0; at < pages; at++) yield* filesOnPage(pdf, at);
}

/** Empty for a damaged page. */
function filesOnPage(pdf: PDFDocument, at: number): readonly PDFObject[] {
	try {
		const marks = pdf.findPage(at).get("Annots");
		if (!marks.isArray()) return [];
		return Array.from({ length: Math.min(marks.length, filesMax) }, (_, index) => marks.get(index))
			.filter((mark) => mark.get("Subtype").isName() && mark.get("Subtype").asName() === "FileAttachment")
			.map((mark) => mark.get("FS"))
			.filter((file) => pdf.isEmbeddedFile(file));
	} catch (thrown) {
		if (!(thrown instanceof Error) || thrown instanceof WebAssembly.RuntimeError) throw thrown;
		return [];
	}
}
