/** What MuPDF keeps of a PDF after it was closed. */

import { expect, test } from "bun:test";
import * as mupdf from "mupdf";
import { attachedFiles } from "../../../../plugins/formats/pdf/attached-files.ts";
import { mupdfMemory } from "../../../../plugins/formats/pdf/mupdf-memory.ts";
import { openPdf } from "../../../../plugins/formats/pdf/open-pdf.ts";

/** Pages of annotations, two of which are files, and a file of the document. */
function pdfWithFiles(): Uint8Array {
	const pdf = new mupdf.PDFDocument();
	const fileOf = (name: string) => pdf.addEmbeddedFile(name, "text/csv", "ship,cargo", new Date(0), new Date(0));
	const note = { Type: pdf.newName("Annot"), Subtype: pdf.newName("Text"), Rect: [0, 0, 1, 1], Contents: pdf.newString("low water ".repeat(20)) };
	for (let index = 0; index < 20; index++) {
		const page = pdf.addPage([0, 0, 595, 842], 0, pdf.newDictionary(), "");
		const files = index === 0 ? ["crew.csv", "crew.csv"].map((name) => ({ ...note, Subtype: pdf.newName("FileAttachment"), FS: fileOf(name) })) : [];
		page.put("Annots", [...files, ...Array.from({ length: 300 }, () => note)]);
		pdf.insertPage(-1, page);
	}
	pdf.insertEmbeddedFile("cargo.csv", fileOf("cargo.csv"));
	return pdf.saveToBuffer("compress=yes").asUint8Array().slice();
}

test("files of a document and of its pages are read, each once, and nothing of a closed document is kept", () => {
	const bytes = pdfWithFiles();
	const read = () => {
		const document = openPdf(bytes);
		const paths = attachedFiles(document, []).map(({ path }) => path);
		document.destroy();
		return paths;
	};
	expect(read()).toEqual(["cargo.csv", "crew.csv"]);
	const before = mupdfMemory().HEAP32.byteLength;
	for (let round = 0; round < 8; round++) read();
	expect(mupdfMemory().HEAP32.byteLength).toBe(before);
});
