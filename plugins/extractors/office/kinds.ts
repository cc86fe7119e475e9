/** The engines for office documents and their signatures. */

import type { FileSignature } from "cairn-memory";
import { iworkSignatures, numbersSignatures } from "../../formats/iwork/signatures.ts";
import { odfSignatures } from "../../formats/odf/signatures.ts";
import { docSignatures, oleSignatures, pptSignatures, xlsSignatures } from "../../formats/office-97/signatures.ts";
import { docxSignatures, pptxSignatures, vsdxSignatures, xlsxSignatures } from "../../formats/ooxml/signatures.ts";

export const signaturesByKind = {
	docx: docxSignatures,
	xlsx: xlsxSignatures,
	pptx: pptxSignatures,
	vsdx: vsdxSignatures,
	odf: odfSignatures,
	iwork: iworkSignatures,
	numbers: numbersSignatures,
	doc: docSignatures,
	xls: xlsSignatures,
	ppt: pptSignatures,
	ole: oleSignatures,
} as const satisfies Readonly<Record<string, readonly FileSignature[]>>;

export type Kind = keyof typeof signaturesByKind;

export const engines: Readonly<Record<Exclude<Kind, "ole">, URL>> = {
	docx: new URL("../../formats/ooxml/docx/engine.ts", import.meta.url),
	xlsx: new URL("../../formats/ooxml/xlsx/engine.ts", import.meta.url),
	pptx: new URL("../../formats/ooxml/pptx/engine.ts", import.meta.url),
	vsdx: new URL("../../formats/ooxml/vsdx/engine.ts", import.meta.url),
	odf: new URL("../../formats/odf/engine.ts", import.meta.url),
	iwork: new URL("../../formats/iwork/engine.ts", import.meta.url),
	numbers: new URL("../../formats/iwork/numbers-engine.ts", import.meta.url),
	doc: new URL("../../formats/office-97/doc/engine.ts", import.meta.url),
	xls: new URL("../../formats/office-97/xls/engine.ts", import.meta.url),
	ppt: new URL("../../formats/office-97/ppt/engine.ts", import.meta.url),
};
