/** Mirrors right-to-left pages, so that the code for lines, cells and columns only handles one direction. */

import type { Rule } from "../page-drawings.ts";
import type { Line, PageText } from "../page-text.ts";

export function inMirror({ lines, rules, width }: PageText): Pick<PageText, "lines" | "rules"> {
	const turned = lines.map((line) => ({ ...line, box: mirroredBox(line.box, width) }));
	return { lines: inParagraphs(turned), rules: rules.map((rule) => mirroredRule(rule, width)) };
}

/** Lines of a paragraph begin at the same x within so many points, and have gaps of at most so many letter heights. */
const [alignment, lineGap] = [2, 0.75];

/** Joins lines into paragraphs: MuPDF makes a block of each line of right-to-left text. */
function inParagraphs(lines: readonly Line[]): readonly Line[] {
	let above: Line | undefined;
	return lines.map((line) => {
		above = above !== undefined && goesOnBelow(above, line) ? { ...line, block: above.block } : line;
		return above;
	});
}

function goesOnBelow(above: Line, line: Line): boolean {
	const gap = line.box[1] - above.box[3];
	const isAlike = Math.abs(above.size - line.size) < 0.6 && above.isBold === line.isBold;
	return isAlike && Math.abs(above.box[0] - line.box[0]) <= alignment && gap > -line.size && gap < line.size * lineGap && line.box[1] > above.box[1];
}

export function mirroredBox([left, top, right, bottom]: Line["box"], width: number): Line["box"] {
	return [width - right, top, width - left, bottom];
}

function mirroredRule(rule: Rule, width: number): Rule {
	return rule.isUpright ? { ...rule, at: width - rule.at } : { ...rule, from: width - rule.to, to: width - rule.from };
}
