/** Extracts the files attached to a PDF: to the document, and by annotations on its pages. */

import { type Attachment, parseMediaType, type Warning } from "cairn-memory";
import type { Document, PDFDocument, PDFObject } from "mupdf";
import { createAttachmentBasket } from "../blocks/attachment-basket.ts";

/** Invoices have one attached file, portfolios some hundred. */
const filesMax = 500;
/** Annotations are read only on the first pages, since every page takes time. */
const pagesMax = 2_000;

export function attachedFiles(document: Document, warnings: Warning[]): readonly Attachment[] {
	const pdf = document.asPDF();
	if (pdf === null) return [];
	const basket = createAttachmentBasket(warnings);
	const seen = new Set<string>();
	const add = (file: PDFObject, defaultName: string) => {
		if (basket.attachments.length >= filesMax) return;
		const { filename, mimetype } = pdf.getFilespecParams(file);
		const bytes = pdf.getEmbeddedFileContents(file)?.asUint8Array();
		const path = filename || defaultName || "attachment";
		const key = `${path}\n${bytes?.byteLength}`;
		if (bytes === undefined || seen.has(key)) return;
		seen.add(key);
		basket.add({ path, bytes, claimedMediaType: parseMediaType(mimetype ?? "") });
	};
	const catchDamage = (read: () => void) => {
		try {
			read();
		} catch (thrown) {
			if (!(thrown instanceof Error) || thrown instanceof WebAssembly.RuntimeError) throw thrown;
			warnings.push({ code: "ATTACHMENT_UNREAD", message: `an attached file is damaged: ${thrown.message.slice(0, 200)}` });
		}
	};
	catchDamage(() => {
		for (const [name, file] of Object.entries(pdf.getEmbeddedFiles())) catchDamage(() => add(file, name));
	});
	for (const file of filesOnPages(pdf)) catchDamage(() => add(file, ""));
	return basket.attachments;
}

function* filesOnPages(pdf: PDFDocument): Generator<PDFObject> {
	const pages = Math.min(pagesMax, pdf.countPages());
	for (let pageIndex = 0; pageIndex < pages; pageIndex++) yield* filesOnPage(pdf, pageIndex);
}

/** The files attached to a page; none if the page is damaged. */
function filesOnPage(pdf: PDFDocument, pageIndex: number): readonly PDFObject[] {
	try {
		const annotations = pdf.findPage(pageIndex).get("Annots");
		if (!annotations.isArray()) return [];
		return Array.from({ length: Math.min(annotations.length, filesMax) }, (_, index) => annotations.get(index))
			.filter((annotation) => annotation.get("Subtype").isName() && annotation.get("Subtype").asName() === "FileAttachment")
			.map((annotation) => annotation.get("FS"))
			.filter((file) => pdf.isEmbeddedFile(file));
	} catch (thrown) {
		if (!(thrown instanceof Error) || thrown instanceof WebAssembly.RuntimeError) throw thrown;
		return [];
	}
}
