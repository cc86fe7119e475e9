/** Signatures of HTML pages and fragments. */

import type { FileSignature } from "cairn-memory";
import { rootOf } from "../xml/root-of.ts";

export const htmlSignatures: readonly FileSignature[] = [
	{ mediaType: "application/xhtml+xml", extensions: ["xhtml"], matchesText: (start) => start.startsWith("<?xml") && rootOf(start) === "html" },
	{ mediaType: "text/html", extensions: ["html", "htm"], matchesText: isHtmlDocument, appliesToPasted: true },
	// Pasted text that begins with a tag may be Markdown, so fragments are only recognised in files.
	{ mediaType: "text/html", resembles: isHtmlFragment },
];

/** Whether it is a whole document. A tag alone is not enough: a Markdown file may begin with `<p align="center">`. */
function isHtmlDocument(start: string): boolean {
	if (!start.startsWith("<")) return false;
	return /^(<!--[\s\S]*?-->\s*)*<!doctype\s+html[\s>]/i.test(start) || /^(html|head|body)$/i.test(rootOf(start) ?? "");
}

/** Whether it is a fragment, which begins with an HTML tag and has an end tag. */
function isHtmlFragment(start: string): boolean {
	const first =
		/^<(a|article|aside|b|blockquote|dl|div|em|figure|footer|form|h[1-6]|header|i|img|li|main|nav|ol|p|pre|script|section|span|strong|style|table|title|ul)[\s/>]/i;
	return first.test(start) && /<\/[a-z][a-z0-9]*\s*>/i.test(start);
}
