/** Reads attachments in text formats. */

import type { Outline } from "../blocks/outline.ts";
import { addCalendar } from "../calendar/add-calendar.ts";
import { addRows } from "../csv/csv-rows.ts";
import { createDataOutline } from "../data/data-outline.ts";
import { addFragment } from "../html/html-fragment.ts";
import { declaredCharset } from "../html/html-head.ts";
import { parseJson } from "../json/json-reader.ts";
import { addMarkdown } from "../markdown/markdown-outline.ts";
import { decodeText, looksBinary } from "../text/decode-text.ts";
import { paragraphsOf } from "../text/plain-text.ts";

type TextFormat = "text" | "calendar" | "markdown" | "html" | "csv" | "tsv" | "json";

const formatsByMediaType: Readonly<Record<string, TextFormat>> = {
	"text/plain": "text",
	"text/calendar": "calendar",
	"text/vcard": "text",
	"text/x-log": "text",
	"text/markdown": "markdown",
	"text/html": "html",
	"text/csv": "csv",
	"text/tab-separated-values": "tsv",
	"application/json": "json",
};
const formatsByExtension: Readonly<Record<string, TextFormat>> = {
	txt: "text",
	log: "text",
	md: "markdown",
	html: "html",
	htm: "html",
	csv: "csv",
	tsv: "tsv",
	json: "json",
	ics: "calendar",
};

/** Returns a function that adds the attachment's text; null if it is not in a text format. */
export function addAttachment(bytes: Uint8Array, mediaType: string, name: string): ((outline: Outline) => void) | null {
	const extension = /\.([a-z]{2,4})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
	const format = formatsByExtension[extension] ?? formatsByMediaType[mediaType];
	if (format === undefined) return null;
	const text = decodeText(bytes, format === "html" ? declaredCharset(bytes) : null);
	if (text.trim() === "" || looksBinary(text)) return null;
	return (outline) => addText(text, format, outline);
}

function addText(text: string, format: TextFormat, outline: Outline): void {
	if (format === "csv" || format === "tsv") addRows(text, format === "tsv" ? "\t" : null, outline);
	else if (format === "html") addFragment(text, null, outline);
	else if (format === "json") addJson(text, outline);
	else if (format === "markdown") addMarkdownText(text, outline);
	else if (format !== "calendar" || addCalendar(text, outline) === null) addParagraphs(text, outline);
}

function addMarkdownText(text: string, outline: Outline): void {
	try {
		addMarkdown(text, outline);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown; // nested too deeply
		addParagraphs(text, outline);
	}
}

function addJson(text: string, outline: Outline): void {
	const { value, damage } = parseJson(text);
	if (value === null || damage !== null) {
		addParagraphs(text, outline);
		return;
	}
	const data = createDataOutline(outline);
	data.add(value);
	data.endParagraph();
}

function addParagraphs(text: string, outline: Outline): void {
	for (const block of paragraphsOf(text)) outline.paragraph(block.text);
}
