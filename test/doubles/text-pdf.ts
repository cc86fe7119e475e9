/** A PDF with a line of text on each page, at a known place. */

import * as mupdf from "mupdf";

/** Of a page, in points. */
export const pageSize = [595, 842] as const;
/** Left of each page's text, and its baseline counted from the top, in points. */
export const [textLeft, textBaseline] = [72, 300];

/** @param lines one a page, in Latin letters without brackets */
export function textPdf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
	const pdf = new mupdf.PDFDocument();
	const resources = pdf.addObject({ Font: { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")) } });
	for (const line of lines) {
		const contents = `BT /F1 12 Tf ${textLeft} ${pageSize[1] - textBaseline} Td (${line}) Tj ET`;
		pdf.insertPage(-1, pdf.addPage([0, 0, ...pageSize], 0, resources, contents));
	}
	return new Uint8Array(pdf.saveToBuffer("").asUint8Array());
}
