/** Office documents: Word, Excel and PowerPoint since 97, and OpenDocument. One plugin, because they share the package, tables and charts. */

import { definePlugin, type Extractor, fail, type MediaType } from "cairn-memory";
import { z } from "zod";
import { bytesOf, readInSandbox } from "../read-in-sandbox.ts";
import { legacyKind } from "./legacy-kind.ts";
import type { OfficeInput } from "./office-input.ts";
import { isProtected } from "./refuse-ole.ts";

/** A long document takes a second of a core; a workbook of two hundred thousand rows of ten cells nine, and more than half of the memory. */
const bounds = { timeoutMs: 300_000, memoryMb: 1_024 } as const;

const open = "application/vnd.openxmlformats-officedocument";
const macro = "macroenabled.12";

/** Documents, templates, slide shows, and each of them with macros, which are never read. */
const accepted = {
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

export default definePlugin({
	name: "extractor-office",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor = (name: keyof typeof accepted): Extractor => ({
			name,
			accepts: accepted[name],
			async extract(source, step) {
				const input: OfficeInput = { bytes: await bytesOf(source) };
				const kind = legacyKind(input.bytes, name) ?? name;
				if (kind === "ole") throw unknownOle(input.bytes, source.mediaType);
				return await readInSandbox({ engine: new URL(`./${kind}/engine.ts`, import.meta.url), input, ...bounds }, host, step);
			},
		});
		return { extractor: (Object.keys(accepted) as (keyof typeof accepted)[]).map(extractor) };
	},
});

/** A container of this kind may hold anything. */
function unknownOle(bytes: Uint8Array, mediaType: MediaType) {
	return isProtected(bytes)
		? fail("FILE_ENCRYPTED")
		: fail("EXTRACTOR_MISSING", `OLE compound file of an unknown kind: ${mediaType}`, "DOC, XLS and PPT of such files");
}
