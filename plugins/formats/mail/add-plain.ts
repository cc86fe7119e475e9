/** The plain text of a mail → paragraphs and quotes. */

import type { Outline } from "../blocks/outline.ts";

/** `> > words` and `>> words`. */
const quoted = /^(?:> ?){1,50}/;

export function addPlain(text: string, outline: Outline): void {
	let lines: string[] = [];
	let depth = 0;
	const close = () => {
		const mark = "> ".repeat(depth);
		const words = lines.join("\n");
		outline.paragraph(words, depth === 0 ? {} : { markdown: lines.map((line) => `${mark}${line}`).join("\n") });
		lines = [];
	};
	for (const line of text.split("\n")) {
		const marks = quoted.exec(line)?.[0] ?? "";
		const words = line.slice(marks.length).trimEnd();
		const own = marks.replaceAll(" ", "").length;
		if (words === "" || own !== depth) close();
		depth = own;
		if (words !== "") lines.push(words);
	}
	close();
}
