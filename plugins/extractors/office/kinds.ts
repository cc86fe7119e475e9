/** What each engine for office documents reads, and where it is. */

import type { FileSign } from "cairn-memory";
import { odfSigns } from "../../formats/odf/signs.ts";
import { docSigns, oleSigns, pptSigns, xlsSigns } from "../../formats/office-97/signs.ts";
import { docxSigns, pptxSigns, xlsxSigns } from "../../formats/ooxml/signs.ts";

export const signs = {
	docx: docxSigns,
	xlsx: xlsxSigns,
	pptx: pptxSigns,
	odf: odfSigns,
	doc: docSigns,
	xls: xlsSigns,
	ppt: pptSigns,
	ole: oleSigns,
} as const satisfies Readonly<Record<string, readonly FileSign[]>>;

export type Kind = keyof typeof signs;

export const engines: Readonly<Record<Exclude<Kind, "ole">, URL>> = {
	docx: new URL("../../formats/ooxml/docx/engine.ts", import.meta.url),
	xlsx: new URL("../../formats/ooxml/xlsx/engine.ts", import.meta.url),
	pptx: new URL("../../formats/ooxml/pptx/engine.ts", import.meta.url),
	odf: new URL("../../formats/odf/engine.ts", import.meta.url),
	doc: new URL("../../formats/office-97/doc/engine.ts", import.meta.url),
	xls: new URL("../../formats/office-97/xls/engine.ts", import.meta.url),
	ppt: new URL("../../formats/office-97/ppt/engine.ts", import.meta.url),
};
