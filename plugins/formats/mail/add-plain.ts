/** Adds the plain text of a mail as paragraphs and quotes. */

import type { Outline } from "../blocks/outline.ts";

/** The marks of a quoted line: `> > words` or `>> words`. */
const quoteMarks = /^(?:> ?){1,50}/;

export function addPlain(text: string, outline: Outline): void {
	let lines: string[] = [];
	let depth = 0;
	const endParagraph = () => {
		const prefix = "> ".repeat(depth);
		const paragraph = lines.join("\n");
		outline.paragraph(paragraph, depth === 0 ? {} : { markdown: lines.map((line) => `${prefix}${line}`).join("\n") });
		lines = [];
	};
	for (const line of text.split("\n")) {
		const marks = quoteMarks.exec(line)?.[0] ?? "";
		const content = line.slice(marks.length).trimEnd();
		const lineDepth = marks.replaceAll(" ", "").length;
		if (content === "" || lineDepth !== depth) endParagraph();
		depth = lineDepth;
		if (content !== "") lines.push(content);
	}
	endParagraph();
}
