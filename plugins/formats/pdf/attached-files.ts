/** Extracts the files attached to a PDF: to the document, and by annotations on its pages. */

import { type Attachment, parseMediaType, type Warning } from "cairn-memory";
import type { Document, PDFDocument, PDFObject } from "mupdf";
import { createAttachmentBasket } from "../blocks/attachment-basket.ts";
import { mupdf, mupdfMemory } from "./mupdf-memory.ts";
import { addressOf, isDictionary, lengthOf, nameOf, type Value, valueAt, valueOfKey } from "./tags/pdf-values.ts";

/** Invoices have one attached file, portfolios some hundred. */
const filesMax = 500;
/** Annotations are read only on the first pages, since every page takes time. */
const pagesMax = 2_000;
/** A name tree with more levels is damaged. */
const treeDepthMax = 20;

/** A file and the key that names it, 0 if there is none. */
interface NamedFile {
	readonly file: Value;
	readonly key: Value;
}

export function attachedFiles(document: Document, warnings: Warning[]): readonly Attachment[] {
	const pdf = document.asPDF();
	if (pdf === null) return [];
	const basket = createAttachmentBasket(warnings);
	const seen = new Set<string>();
	const add = ({ file, key }: NamedFile) => {
		if (basket.attachments.length >= filesMax) return;
		const { filename, mimetype } = withObject(pdf, file, (object) => pdf.getFilespecParams(object));
		const contents = withObject(pdf, file, (object) => pdf.getEmbeddedFileContents(object));
		if (contents === null) return;
		const bytes = contents.asUint8Array();
		const path = filename || (key === 0 ? "" : withObject(pdf, key, (object) => object.asString())) || "attachment";
		const identity = `${path}\n${bytes.byteLength}`;
		if (!seen.has(identity)) basket.add({ path, bytes, claimedMediaType: parseMediaType(mimetype ?? "") });
		seen.add(identity);
		contents.destroy();
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
		for (const file of filesOfDocument(pdf)) catchDamage(() => add(file));
	});
	for (const file of filesOnPages(pdf)) catchDamage(() => add(file));
	return basket.attachments;
}

/** Calls MuPDF's API with a value. The object is freed at once: as long as one is left, MuPDF keeps the value of a closed document. */
function withObject<Result>(pdf: PDFDocument, value: Value, read: (object: PDFObject) => Result): Result {
	const object = new mupdf.PDFObject(pdf, value as PDFObject["pointer"]);
	try {
		return read(object);
	} finally {
		object.destroy();
	}
}

function filesOfDocument(pdf: PDFDocument): readonly NamedFile[] {
	const trailer = pdf.getTrailer();
	try {
		return [...filesInTree(valueOfKey(valueOfKey(valueOfKey(addressOf(trailer), "Root"), "Names"), "EmbeddedFiles"), 0)].slice(0, filesMax);
	} finally {
		trailer.destroy();
	}
}

function* filesInTree(node: Value, depth: number): Generator<NamedFile> {
	if (depth > treeDepthMax || !isDictionary(node)) return;
	const [names, kids] = [valueOfKey(node, "Names"), valueOfKey(node, "Kids")];
	for (let index = 0; index < lengthOf(names); index += 2) yield { key: valueAt(names, index), file: valueAt(names, index + 1) };
	for (let index = 0; index < lengthOf(kids); index++) yield* filesInTree(valueAt(kids, index), depth + 1);
}

function* filesOnPages(pdf: PDFDocument): Generator<NamedFile> {
	const pages = Math.min(pagesMax, pdf.countPages());
	for (let pageIndex = 0; pageIndex < pages; pageIndex++) yield* filesOnPage(pdf, pageIndex);
}

/** The files attached to a page; none if the page is damaged. */
function filesOnPage(pdf: PDFDocument, pageIndex: number): readonly NamedFile[] {
	try {
		const annotations = valueOfKey(mupdfMemory()._wasm_pdf_lookup_page_obj(pdf.pointer, pageIndex), "Annots");
		return Array.from({ length: Math.min(lengthOf(annotations), filesMax) }, (_, index) => valueAt(annotations, index))
			.filter((annotation) => nameOf(valueOfKey(annotation, "Subtype")) === "FileAttachment")
			.map((annotation) => ({ file: valueOfKey(annotation, "FS"), key: 0 }))
			.filter(({ file }) => withObject(pdf, file, (object) => pdf.isEmbeddedFile(object)));
	} catch (thrown) {
		if (!(thrown instanceof Error) || thrown instanceof WebAssembly.RuntimeError) throw thrown;
		return [];
	}
}
