/** What a text is that was handed in as text: a chat, a page, Markdown, or plain text. */

import type { MediaType } from "../../core/model/media-type.ts";
import { isChatJson, isChatLog } from "./chat-rules.ts";
import { isHtmlDocument, subtitleType } from "./text-rules.ts";

/** The beginning tells; reading ten million characters would tell no more. */
const lookedAtMax = 32_768;

export function detectTextType(text: string): MediaType {
	const start = text
		.slice(0, lookedAtMax)
		.replace(/^\uFEFF/, "")
		.trimStart()
		.replace(/\r\n?/g, "\n");
	const subtitles = subtitleType(start);
	if (subtitles !== null) return subtitles;
	if (isChatJson(start)) return "application/x-chat+json";
	if (isHtmlDocument(start)) return "text/html";
	if (isMarkdown(start)) return "text/markdown";
	return isChatLog(start) ? "text/x-chat" : "text/plain";
}

interface Sign {
	readonly pattern: RegExp;
	/** How often it must be there: what plain text also does once takes more. */
	readonly times: number;
}

const signs: readonly Sign[] = [
	{ pattern: /^#{2,6} \S/gm, times: 1 }, // a heading below the first
	{ pattern: /^# \S.*(\n\n|\n[^#\n]|$)/g, times: 1 }, // a heading at the very beginning, unless comments go on
	{ pattern: /\n\n# \S.*\n\n/g, times: 1 },
	{ pattern: /^(```|~~~)/gm, times: 2 },
	{ pattern: /^\s{0,3}[-*+] \S/gm, times: 2 },
	{ pattern: /^\s{0,3}\d{1,3}[.)] \S/gm, times: 2 },
	{ pattern: /\[[^[\]\n]{1,300}\]\((?:https?:|mailto:|\.{0,2}\/|#)[^()\s]{0,2000}\)/g, times: 1 },
	{ pattern: /(?<=^|\s)\*\*\S[^*\n]{0,300}\*\*/gm, times: 2 },
	{ pattern: /^\S.*\n={3,}$/gm, times: 1 }, // an underlined heading
	{ pattern: /^> \S/gm, times: 2 },
];

function isMarkdown(start: string): boolean {
	// A script's comments look like headings.
	if (start.startsWith("#!")) return false;
	return hasTable(start) || signs.some(({ pattern, times }) => (start.match(pattern)?.length ?? 0) >= times);
}

/** A line of dashes and bars under a line with bars. */
function hasTable(start: string): boolean {
	const lines = start.split("\n");
	return lines.some((line, index) => /^[\s|:-]+$/.test(line) && line.includes("---") && line.includes("|") && lines[index - 1]?.includes("|"));
}
