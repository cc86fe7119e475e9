/** Splits the Markdown of posts into paragraphs, each as Markdown and as text without formatting marks. */

import { type Paragraph, paragraphsOf } from "./paragraph.ts";

export function paragraphsOfMarkdown(markdown: string): readonly Paragraph[] {
	return paragraphsOf(withoutMarks(markdown), markdown);
}

/** Removes formatting marks line by line, so that both forms have the same empty lines. */
function withoutMarks(markdown: string): string {
	return markdown
		.split("\n")
		.map((line) =>
			line
				.replace(/^\s{0,3}(?:#{1,6}\s+|>\s?)+/, "")
				.replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}\)/g, "$1")
				.replace(/(\*\*|__|~~)(?=\S)([^*_~]{1,2000})\1/g, "$2")
				.replace(/(^|[\s(])[*_](?=\S)([^*_]{1,2000})[*_](?=[\s).,;:!?]|$)/g, "$1$2")
				.replace(/\\([\\`*_{}[\]()#+\-.!>~|])/g, "$1"),
		)
		.join("\n");
}
