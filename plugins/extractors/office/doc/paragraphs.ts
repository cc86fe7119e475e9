/** The characters of a Word file → paragraphs as one reads them: without the commands of fields, and without what is hidden. */

import type { DocHead } from "./fib.ts";
import { hiddenStretches, liesIn, numberIn, paragraphLooks, type Setting } from "./looks.ts";
import type { DocText } from "./pieces.ts";
import { codes, type DocStyle, readStyles } from "./styles.ts";

export interface DocParagraph {
	readonly text: string;
	readonly style: DocStyle;
	/** Its own, after those of its style. */
	readonly settings: readonly Setting[];
	/** What it ends with. */
	readonly end: "paragraph" | "cell" | "row";
	/** Tables around it. */
	readonly depth: number;
}

const fieldBegins = "\u0013";
const fieldShows = "\u0014";
const fieldEnds = "\u0015";
const cellMark = "\u0007";

/** Marks and places of pictures say nothing; hyphens and breaks are shown as what they are. */
const signs: Readonly<Record<string, string>> = { "\v": "\n", "\u000e": "\n", "\u001e": "-", "\u001f": "", "\u00ad": "", "\u00a0": " " };

/** Reads parts of the text, in order: a field may begin in one paragraph and end in another. */
export function paragraphReader(main: Buffer, head: DocHead, text: DocText): (from: number, to: number) => Generator<DocParagraph> {
	const looks = paragraphLooks(main, head);
	const styles = readStyles(head);
	const hidden = hiddenStretches(main, head);
	const isSeen = (at: number) => hidden.length === 0 || !liesIn(hidden, text.placeOf(at));

	return function* read(from, to) {
		/** Of each field around: whether it is still at its command. */
		const fields: boolean[] = [];
		let written = "";
		let wasCell = false;
		const end = Math.min(to, text.characters.length);
		for (let at = from; at < end; at++) {
			const sign = text.characters[at] ?? "";
			if (sign === fieldBegins) fields.push(true);
			else if (sign === fieldShows) fields[fields.length - 1] = false;
			else if (sign === fieldEnds) fields.pop();
			const isEnd = sign === "\r" || sign === cellMark || sign === "\f";
			if (!isEnd) {
				if (!fields.includes(true) && isSeen(at)) written += signs[sign] ?? (sign < " " && sign !== "\t" ? "" : sign);
				continue;
			}
			const look = looks(text.placeOf(at));
			const style = styles(look?.style ?? 0);
			const settings = [...style.settings, ...(look?.settings ?? [])];
			// Where nothing says so, the end of a row is a second mark with nothing before it.
			const isRowEnd: boolean = sign === cellMark && (numberIn(settings, codes.isRowEnd) === 1 || (settings.length === 0 && wasCell && written === ""));
			const isInTable = sign === cellMark || numberIn(settings, codes.isInTable) === 1;
			yield {
				text: written.trim(),
				style,
				settings,
				end: isRowEnd ? "row" : sign === cellMark ? "cell" : "paragraph",
				depth: isInTable ? Math.max(1, numberIn(settings, codes.tableDepth) ?? 1) : 0,
			};
			written = "";
			wasCell = sign === cellMark && !isRowEnd;
		}
		if (written.trim() !== "") yield { text: written.trim(), style: styles(0), settings: [], end: "paragraph", depth: 0 };
	};
}
