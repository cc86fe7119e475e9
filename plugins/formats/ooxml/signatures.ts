/** Signatures of Word, Excel and PowerPoint files since 2007. Files with macros count as the same types; macros are never read. */

import type { FileSignature } from "cairn-memory";

const open = "application/vnd.openxmlformats-officedocument";
const macro = "macroenabled.12";
/** What else a truncated file has at its beginning. */
const parts = /^(?:\[Content_Types\]\.xml$|_rels\/)/;

export const docxSignatures: readonly FileSignature[] = officeSignatures(
	`${open}.wordprocessingml.document`,
	["docx", "docm", "dotx", "dotm"],
	[/^word\/(?:document[^/]*\.xml$|_rels\/)/i, /^word\//],
	[`${open}.wordprocessingml.template`, `application/vnd.ms-word.document.${macro}`, `application/vnd.ms-word.template.${macro}`],
);
export const xlsxSignatures: readonly FileSignature[] = officeSignatures(
	`${open}.spreadsheetml.sheet`,
	["xlsx", "xlsm", "xltx", "xltm"],
	[/^xl\/(?:workbook[^/]*\.xml$|_rels\/)/i, /^xl\//],
	[`${open}.spreadsheetml.template`, `application/vnd.ms-excel.sheet.${macro}`, `application/vnd.ms-excel.template.${macro}`],
);
export const pptxSignatures: readonly FileSignature[] = officeSignatures(
	`${open}.presentationml.presentation`,
	["pptx", "pptm", "ppsx", "ppsm", "potx", "potm"],
	[/^ppt\/(?:presentation[^/]*\.xml$|_rels\/)/i, /^ppt\//],
	[
		`${open}.presentationml.slideshow`,
		`${open}.presentationml.template`,
		`application/vnd.ms-powerpoint.presentation.${macro}`,
		`application/vnd.ms-powerpoint.slideshow.${macro}`,
		`application/vnd.ms-powerpoint.template.${macro}`,
	],
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
		{ mediaType, container: "application/zip", zipEntries: [parts, folder] },
		// A file with a password is an OLE container around the encrypted package.
		{ mediaType, container: "application/x-cfb", extensions: [extensions[0]], oleStream: "EncryptedPackage" },
		...aliases.map((mediaType) => ({ mediaType })),
	];
}
