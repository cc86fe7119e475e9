/** What each engine for office documents reads: documents, templates, slide shows, and each of them with macros, which are never read. */

import type { MediaType } from "cairn-memory";

const open = "application/vnd.openxmlformats-officedocument";
const macro = "macroenabled.12";

export const accepted = {
	docx: [
		`${open}.wordprocessingml.document`,
		`${open}.wordprocessingml.template`,
		`application/vnd.ms-word.document.${macro}`,
		`application/vnd.ms-word.template.${macro}`,
	],
	xlsx: [
		`${open}.spreadsheetml.sheet`,
		`${open}.spreadsheetml.template`,
		`application/vnd.ms-excel.sheet.${macro}`,
		`application/vnd.ms-excel.template.${macro}`,
	],
	pptx: [
		`${open}.presentationml.presentation`,
		`${open}.presentationml.slideshow`,
		`${open}.presentationml.template`,
		`application/vnd.ms-powerpoint.presentation.${macro}`,
		`application/vnd.ms-powerpoint.slideshow.${macro}`,
		`application/vnd.ms-powerpoint.template.${macro}`,
	],
	odf: [
		"application/vnd.oasis.opendocument.text",
		"application/vnd.oasis.opendocument.text-template",
		"application/vnd.oasis.opendocument.spreadsheet",
		"application/vnd.oasis.opendocument.spreadsheet-template",
		"application/vnd.oasis.opendocument.presentation",
		"application/vnd.oasis.opendocument.presentation-template",
	],
	doc: ["application/msword"],
	xls: ["application/vnd.ms-excel"],
	ppt: ["application/vnd.ms-powerpoint"],
	ole: ["application/x-cfb"],
} as const satisfies Readonly<Record<string, readonly MediaType[]>>;

export type Kind = keyof typeof accepted;
