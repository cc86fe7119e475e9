/** What a text shows itself to be by its beginning: marks that nothing else has. */

import type { MediaType } from "../../core/model/media-type.ts";
import { isChatJson } from "./chat-rules.ts";

interface Rule {
	readonly type: MediaType;
	readonly holds: (start: string) => boolean;
}

/** In the order they are asked: a transcript is JSON too. `start` has no byte order mark and no blank lines before it. */
const rules: readonly Rule[] = [
	{ type: "text/vtt", holds: (start) => subtitleType(start) === "text/vtt" },
	{ type: "application/x-subrip", holds: (start) => subtitleType(start) === "application/x-subrip" },
	{ type: "text/x-ssa", holds: (start) => /^\[Script Info\]\s*\n/i.test(start) },
	{ type: "text/x-sbv", holds: (start) => /^\d{1,2}:\d{2}:\d{2}\.\d{3},\d{1,2}:\d{2}:\d{2}\.\d{3}\s*\n/.test(start) },
	{ type: "application/ttml+xml", holds: (start) => rootOf(start) === "tt" && start.includes("http://www.w3.org/") },
	{ type: "image/svg+xml", holds: (start) => rootOf(start) === "svg" },
	{ type: "application/xhtml+xml", holds: (start) => start.startsWith("<?xml") && rootOf(start) === "html" },
	{ type: "text/html", holds: isHtmlDocument },
	{ type: "text/xml", holds: (start) => /^<\?xml\s/.test(start) || /^<[A-Za-z][\w.:-]*\s[^>]*\bxmlns(:\w+)?=/.test(start) },
	{ type: "application/rtf", holds: (start) => start.startsWith("{\\rtf") },
	{ type: "application/x-chat+json", holds: isChatJson },
	{ type: "application/x-ipynb+json", holds: (start) => /^\{\s*"(?:cells|metadata|nbformat|worksheets)"\s*:/.test(start) && /"cell_type"\s*:/.test(start) },
	{ type: "application/json", holds: isJson },
	{ type: "application/mbox", holds: (start) => /^From \S[^\n]{0,200}\d{1,2}:\d{2}[^\n]{0,40}\d{4}[^\n]*\r?\n[!-9;-~]+:/.test(start) },
	{ type: "message/rfc822", holds: isMail },
];

/** Null when the text shows no such mark. */
export function typeByMark(text: string): MediaType | null {
	const start = text.trimStart();
	return rules.find(({ holds }) => holds(start))?.type ?? null;
}

/** Subtitles begin with their name, or with a number and a time; some programs leave the number out. */
export function subtitleType(start: string): MediaType | null {
	if (/^WEBVTT(?=[ \t\r\n]|$)/.test(start)) return "text/vtt";
	const isSubRip = /^(?:\d{1,9}[ \t]*\r?\n)?\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}[ \t]+-->[ \t]+\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}/.test(start);
	return isSubRip ? "application/x-subrip" : null;
}

/** A document, not a fragment: a Markdown file may begin with `<p align="center">`. */
export function isHtmlDocument(start: string): boolean {
	return /^(<!--[\s\S]*?-->\s*)*<!doctype\s+html[\s>]/i.test(start) || /^(html|head|body)$/i.test(rootOf(start) ?? "");
}

/** A piece of a page: begins with a tag of HTML and closes one. */
export function isHtmlFragment(text: string): boolean {
	const start = text.trimStart();
	const first =
		/^<(a|article|aside|b|blockquote|dl|div|em|figure|footer|form|h[1-6]|header|i|img|li|main|nav|ol|p|pre|script|section|span|strong|style|table|title|ul)[\s/>]/i;
	return first.test(start) && /<\/[a-z][a-z0-9]*\s*>/i.test(start);
}

/** The name of the first element, past declarations and comments. */
function rootOf(start: string): string | null {
	return /^(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([A-Za-z][\w.-]*)(?=[\s/>])/i.exec(start)?.[1] ?? null;
}

/** A whole value, or the beginning of an object or of a list of objects: that much no prose begins with. */
function isJson(start: string): boolean {
	if (!/^[[{]/.test(start)) return false;
	if (/^(\[\s*)*\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(start)) return true;
	try {
		JSON.parse(start);
		return true;
	} catch {
		return false;
	}
}

/** Fields that stand at the top of a mail. */
const fields = /^(?:from|to|cc|subject|date|message-id|received|return-path|delivered-to|mime-version|content-type|reply-to|sender|dkim-signature):/i;
/** So many that no letter or memo has them all: their writers also tell to whom and when. */
const fieldsMin = 3;

/** Lines of a header and nothing else up to the first blank line, with what programs write and people do not. */
function isMail(start: string): boolean {
	const header = start.slice(0, 8_192).split(/\r?\n\r?\n/, 1)[0] ?? "";
	const lines = header.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
	if (header.length < 8_192 && !lines.every((line) => /^[!-9;-~]+:/.test(line))) return false;
	const known = new Set(lines.map((line) => fields.exec(line)?.[0].toLowerCase()).filter((field) => field !== undefined));
	const isSent = ["message-id:", "received:", "mime-version:", "return-path:", "delivered-to:"].some((field) => known.has(field));
	return known.size >= fieldsMin && (known.has("from:") || known.has("subject:")) && isSent;
}
