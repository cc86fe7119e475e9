/** Signatures of Word, Excel, PowerPoint and Visio files since 2007. Files with macros count as the same types; macros are never read. */

import type { FileSignature } from "cairn-memory";

const openXml = "application/vnd.openxmlformats-officedocument";
const macroSuffix = "macroenabled.12";
/** Entries at the beginning of every package, by which a truncated file is recognised. */
const commonParts = /^(?:\[Content_Types\]\.xml$|_rels\/)/;

export const docxSignatures: readonly FileSignature[] = officeSignatures(
	`${openXml}.wordprocessingml.document`,
	["docx", "docm", "dotx", "dotm"],
	[/^word\/(?:document[^/]*\.xml$|_rels\/)/i, /^word\//],
	[`${openXml}.wordprocessingml.template`, `application/vnd.ms-word.document.${macroSuffix}`, `application/vnd.ms-word.template.${macroSuffix}`],
);
export const xlsxSignatures: readonly FileSignature[] = officeSignatures(
	`${openXml}.spreadsheetml.sheet`,
	["xlsx", "xlsm", "xltx", "xltm"],
	[/^xl\/(?:workbook[^/]*\.xml$|_rels\/)/i, /^xl\//],
	[`${openXml}.spreadsheetml.template`, `application/vnd.ms-excel.sheet.${macroSuffix}`, `application/vnd.ms-excel.template.${macroSuffix}`],
);
export const pptxSignatures: readonly FileSignature[] = officeSignatures(
	`${openXml}.presentationml.presentation`,
	["pptx", "pptm", "ppsx", "ppsm", "potx", "potm"],
	[/^ppt\/(?:presentation[^/]*\.xml$|_rels\/)/i, /^ppt\//],
	[
		`${openXml}.presentationml.slideshow`,
		`${openXml}.presentationml.template`,
		`application/vnd.ms-powerpoint.presentation.${macroSuffix}`,
		`application/vnd.ms-powerpoint.slideshow.${macroSuffix}`,
		`application/vnd.ms-powerpoint.template.${macroSuffix}`,
	],
);

export const vsdxSignatures: readonly FileSignature[] = officeSignatures(
	"application/vnd.ms-visio.drawing",
	["vsdx", "vsdm", "vssx", "vssm", "vstx", "vstm"],
	[/^visio\/(?:document[^/]*\.xml$|_rels\/)/i, /^visio\//],
	["application/vnd.visio", ...["drawing", "stencil", "template"].map((kind) => `application/vnd.ms-visio.${kind}.${macroSuffix}` as Type)],
);

type Type = FileSignature["mediaType"];

function officeSignatures(
	mediaType: Type,
	extensions: readonly [string, ...string[]],
	[part, folder]: readonly [RegExp, RegExp],
	aliases: readonly Type[],
): readonly FileSignature[] {
	return [
		{ mediaType, container: "application/zip", extensions, zipEntries: [part] },
		{ mediaType, container: "application/zip", zipEntries: [commonParts, folder] },
		// A file with a password is an OLE container around the encrypted package.
		{ mediaType, container: "application/x-cfb", extensions: [extensions[0]], oleStream: "EncryptedPackage" },
		...aliases.map((mediaType) => ({ mediaType })),
	];
}
