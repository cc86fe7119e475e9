/** Reads an attachment of a text format. */

import type { Outline } from "../blocks/outline.ts";
import { addRows } from "../csv/csv-rows.ts";
import { createDataOutline } from "../data/data-outline.ts";
import { addFragment } from "../html/html-fragment.ts";
import { declaredCharset } from "../html/html-head.ts";
import { parseJson } from "../json/json-reader.ts";
import { addMarkdown } from "../markdown/markdown-outline.ts";
import { decodeText, looksBinary } from "../text/decode-text.ts";
import { paragraphsOf } from "../text/plain-text.ts";

type Form = "text" | "markdown" | "html" | "csv" | "tsv" | "json";

const forms: Readonly<Record<string, Form>> = {
	"text/plain": "text",
	"text/calendar": "text",
	"text/vcard": "text",
	"text/x-log": "text",
	"text/markdown": "markdown",
	"text/html": "html",
	"text/csv": "csv",
	"text/tab-separated-values": "tsv",
	"application/json": "json",
};
const endings: Readonly<Record<string, Form>> = {
	txt: "text",
	log: "text",
	md: "markdown",
	html: "html",
	htm: "html",
	csv: "csv",
	tsv: "tsv",
	json: "json",
	ics: "text",
};

/** Null when the format cannot be read here. */
export function addAttachment(bytes: Uint8Array, mediaType: string, name: string): ((outline: Outline) => void) | null {
	const ending = /\.([a-z]{2,4})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
	const form = endings[ending] ?? forms[mediaType];
	if (form === undefined) return null;
	const text = decodeText(bytes, form === "html" ? declaredCharset(bytes) : null);
	if (text.trim() === "" || looksBinary(text)) return null;
	return (outline) => addText(text, form, outline);
}

function addText(text: string, form: Form, outline: Outline): void {
	if (form === "csv" || form === "tsv") addRows(text, form === "tsv" ? "\t" : null, outline);
	else if (form === "html") addFragment(text, null, outline);
	else if (form === "json") addJson(text, outline);
	else if (form === "markdown") addWords(text, outline);
	else addParagraphs(text, outline);
}

function addWords(text: string, outline: Outline): void {
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
	data.close();
}

function addParagraphs(text: string, outline: Outline): void {
	for (const block of paragraphsOf(text)) outline.paragraph(block.text);
}
