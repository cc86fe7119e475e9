/** Pages in Arabic and Persian as programs print them: signs from left to right, a lam with its alef as one. */

import * as mupdf from "mupdf";

/** A ligature, a number with the signs within it, or one sign. */
const drawnParts = /ل[اأإآ]|[\d\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/٫٬-][\d\u0660-\u0669\u06f0-\u06f9]+)*|./gu;

/** The letters of each line, ten points high and six wide, at a place of their own. @param isTurned whether the font tells a ligature as it is drawn, from the left. */
export function arabicPdf(lines: readonly string[], isTurned = false): Uint8Array {
	const drawn = lines.map((line) => (line.match(drawnParts) ?? []).toReversed().flatMap(glyphsOf));
	const glyphs = [...new Set(drawn.flat())];
	const codeOf = (glyph: string) => (0x21 + glyphs.indexOf(glyph)).toString(16);
	const tell = (glyph: string) => [...glyph].map((sign) => (sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0"));
	const codes = glyphs.map((glyph) => `<${codeOf(glyph)}> <${(isTurned ? tell(glyph).toReversed() : tell(glyph)).join("")}>`);
	const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${codes.length} beginbfchar ${codes.join("\n")} endbfchar endcmap end`;
	const pdf = new mupdf.PDFDocument();
	const font = pdf.addSimpleFont(new mupdf.Font("Courier"));
	font.put("ToUnicode", pdf.addStream(map, {}));
	const content = drawn.map((line, at) => `BT /F1 10 Tf 100 ${742 - at * 40} Td <${line.map(codeOf).join("")}> Tj ET`);
	pdf.insertPage(-1, pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: { F1: font } }), content.join("\n")));
	return pdf.saveToBuffer("").asUint8Array();
}

/** A number is drawn from the left, whatever is around it. */
function glyphsOf(part: string): readonly string[] {
	return /^[\d\u0660-\u0669\u06f0-\u06f9]/u.test(part) ? [...part] : [part];
}
