/** Signatures of Markdown: the extension, or marks that plain text does not have. */

import type { FileSignature } from "cairn-memory";

export const markdownSignatures: readonly FileSignature[] = [
	{ mediaType: "text/markdown", aliases: ["text/x-markdown"], extensions: ["md", "markdown", "mdx"], resembles: isMarkdown, appliesToPasted: true },
	{ mediaType: "text/x-markdown" },
];

interface MarkdownMark {
	readonly pattern: RegExp;
	/** How many matches are needed. Marks that plain text may have by chance need more. */
	readonly times: number;
}

const marks: readonly MarkdownMark[] = [
	{ pattern: /^#{2,6} \S/gm, times: 1 }, // a heading below the first
	{ pattern: /^# \S.*(\n\n|\n[^#\n]|$)/g, times: 1 }, // a heading at the very beginning, unless more comments follow
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
	// The comments of a script look like headings.
	if (start.startsWith("#!")) return false;
	return hasTable(start) || marks.some(({ pattern, times }) => (start.match(pattern)?.length ?? 0) >= times);
}

/** Whether there is a line of dashes and bars below a line with bars. */
function hasTable(start: string): boolean {
	const lines = start.split("\n");
	return lines.some((line, index) => /^[\s|:-]+$/.test(line) && line.includes("---") && line.includes("|") && lines[index - 1]?.includes("|"));
}
