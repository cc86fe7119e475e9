/** How documents of Word, Excel and PowerPoint since 2007 are known; with macros, which are never read, they are no others. */

import type { FileSign } from "cairn-memory";

const open = "application/vnd.openxmlformats-officedocument";
const macro = "macroenabled.12";
/** A package with a folder of theirs, where nothing but the beginning of the file is left. */
const parts = /^(?:\[Content_Types\]\.xml$|_rels\/)/;

export const docxSigns: readonly FileSign[] = signsOf(
	`${open}.wordprocessingml.document`,
	["docx", "docm", "dotx", "dotm"],
	[/^word\/(?:document[^/]*\.xml$|_rels\/)/i, /^word\//],
	[`${open}.wordprocessingml.template`, `application/vnd.ms-word.document.${macro}`, `application/vnd.ms-word.template.${macro}`],
);
export const xlsxSigns: readonly FileSign[] = signsOf(
	`${open}.spreadsheetml.sheet`,
	["xlsx", "xlsm", "xltx", "xltm"],
	[/^xl\/(?:workbook[^/]*\.xml$|_rels\/)/i, /^xl\//],
	[`${open}.spreadsheetml.template`, `application/vnd.ms-excel.sheet.${macro}`, `application/vnd.ms-excel.template.${macro}`],
);
export const pptxSigns: readonly FileSign[] = signsOf(
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

type Type = FileSign["mediaType"];

function signsOf(
	mediaType: Type,
	endings: readonly [string, ...string[]],
	[part, folder]: readonly [RegExp, RegExp],
	kin: readonly Type[],
): readonly FileSign[] {
	return [
		{ mediaType, within: "application/zip", endings, holds: [part] },
		{ mediaType, within: "application/zip", holds: [parts, folder] },
		// With a password it is an OLE container around the encrypted file.
		{ mediaType, within: "application/x-cfb", endings: [endings[0]], stream: "EncryptedPackage" },
		...kin.map((mediaType) => ({ mediaType })),
	];
}
